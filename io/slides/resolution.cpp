// From the statements of a file to micrometres a pixel.
#include "io/slides/resolution.hpp"

#include <fmt/format.h>

#include <charconv>

#include "io/slides/slide_backend.hpp"
#include "io/slides/working_slide.hpp"

namespace starpath::io {
namespace {

constexpr double kLeastMpp = 0.05, kMostMpp = 2;  // of slides and of pictures of them
constexpr double kPowerTimesMpp = 10;             // 40x: 0.25 um/px

/// 0 when the file has none, or one that no objective has.
double objective_power(const SlideInfo& info) {
  for (const char* name : {"openslide.objective-power", "aperio.AppMag"}) {
    const auto found = info.properties.find(name);
    if (found == info.properties.end()) continue;
    const std::string& text = found->second;
    double power = 0;  // "40x" is 40
    std::from_chars(text.data(), text.data() + text.size(), power);
    if (power >= 1 && power <= 150) return power;
  }
  return info.power;
}

std::string_view how(MppSource source) {
  switch (source) {
    case MppSource::said:
      return "as --mpp says";
    case MppSource::file:
      return "stated by the slide";
    case MppSource::objective:
      return "assumed from the objective's power";
    case MppSource::nuclei:
      return "estimated from the size of nuclei";
    case MppSource::unknown:
      break;
  }
  return "taken for want of anything known";
}

}  // namespace

std::string_view name_of(MppSource source) {
  switch (source) {
    case MppSource::said:
      return "said";
    case MppSource::file:
      return "file";
    case MppSource::objective:
      return "objective";
    case MppSource::nuclei:
      return "nuclei";
    case MppSource::unknown:
      break;
  }
  return "unknown";
}

std::string text_of(const Resolution& resolution) {
  return fmt::format("{:.4g} um/px, {}{}", resolution.mpp, how(resolution.source),
                     resolution.detail.empty() ? "" : fmt::format(" ({})", resolution.detail));
}

void check_square(const SlideInfo& info) {
  if (info.oblong)
    fail_input(info.path,
               fmt::format("its pixels are no squares: {:.4g} x {:.4g} um (width x height{}{})", info.oblong->width,
                           info.oblong->height, info.mpp_by.empty() ? "" : "; ", info.mpp_by),
               "resample it to square pixels, or say with --mpp what both sides are if the file is wrong");
}

Resolution stated_resolution(const SlideInfo& info, double said) {
  if (said > 0) return {said, MppSource::said, ""};
  check_square(info);
  if (info.mpp > 0)
    return {info.mpp, MppSource::file, info.format + (info.mpp_by.empty() ? "" : ": " + info.mpp_by), info.mpp_doubt};
  const double power = objective_power(info);
  if (power > 0) return {kPowerTimesMpp / power, MppSource::objective, fmt::format("{:.4g}x", power), info.mpp_doubt};
  return {kDesignMpp, MppSource::unknown, "", info.mpp_doubt};
}

std::string resolution_warning(const Resolution& resolution) {
  const std::string why = resolution.doubt.empty() ? "the slide does not say its resolution"
                                                   : "the slide's resolution is not clear (" + resolution.doubt + ")";
  if (resolution.source == MppSource::unknown)
    return fmt::format(
        "{}, and its nuclei do not tell it: {:.4g} um/px is taken. Results are wrong if that is wrong: say the right "
        "one with --mpp",
        why, resolution.mpp);
  if (!(resolution.mpp >= kLeastMpp && resolution.mpp <= kMostMpp))
    return fmt::format("a resolution of {} is none of a slide ({} to {} um/px): say the right one with --mpp",
                       text_of(resolution), kLeastMpp, kMostMpp);
  if (resolution.source == MppSource::nuclei || resolution.source == MppSource::objective)
    return fmt::format("{}: it is {}; say the right one with --mpp", why, text_of(resolution));
  if (!resolution.doubt.empty())
    return fmt::format("{}: it is {}; if that is wrong, say the right one with --mpp", why, text_of(resolution));
  return "";
}

}  // namespace starpath::io
