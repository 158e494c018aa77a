// Finds, opens and cuts labelled images.
#include "pipelines/nbia/labelled_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/slides/working_slide.hpp"
#include "io/synthetic/stroma.hpp"
#include "pipelines/nbia/colour_check.hpp"
#include "pipelines/nbia/readable_fields.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

using Visit = std::function<void(const LabelledField&)>;

/// Visits the whole fields of a slide, each with the label that `label_at` gives for its corner. Adds a line on those
/// that cannot be read.
template <class LabelAt>
void visit_fields(const io::WorkingSlide& slide, int side, const std::string& name, const LabelAt& label_at,
                  const Visit& visit, std::vector<std::string>& lines) {
  ReadableFields fields(slide);
  std::vector<Rgb> pixels(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  const View<Rgb> field{pixels.data(), side, side, side};
  for (std::int64_t y = 0; y + side <= slide.height(); y += side)
    for (std::int64_t x = 0; x + side <= slide.width(); x += side) {
      if (fields.read(x, y, field)) visit({label_at(x, y), {name, ""}, field});
    }
  if (std::string line = fields.line(name); !line.empty()) lines.push_back(std::move(line));
}

void visit_image(const LabelledSource& source, const std::string& path, NbiaLabel label, const Visit& visit,
                 std::vector<std::string>& lines) {
  const auto slide = io::open_slide(path);
  const io::WorkingSlide grid(*slide, source.mpp, source.image_mpp);
  if (grid.width() < source.field || grid.height() < source.field)
    throw Error(ErrorKind::input,
                fmt::format("{}: has {}x{} px, less than a field of {}; give larger images, or smaller --levels", path,
                            grid.width(), grid.height(), source.field));
  if (label != NbiaLabel::background) check_has_colour(path, grid);
  visit_fields(
      grid, source.field, path, [&](std::int64_t, std::int64_t) { return label; }, visit, lines);
}

std::vector<std::string> visit_folder(const LabelledSource& source, const Visit& visit) {
  std::vector<std::string> lines;
  std::error_code failure;
  if (!fs::is_directory(source.input, failure))
    throw Error(
        ErrorKind::input,
        fmt::format("{}: is no folder; give one with the subfolders stroma_rich and stroma_poor", source.input));
  bool found = false;
  for (const NbiaLabel label : {NbiaLabel::stroma_rich, NbiaLabel::stroma_poor, NbiaLabel::background}) {
    const fs::path folder = fs::path(source.input) / label_name(label);
    if (!fs::is_directory(folder, failure)) continue;
    found = true;
    std::vector<fs::path> images;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure))
      if (entry.path().filename().string()[0] != '.') images.push_back(entry.path());
    if (failure)
      throw Error(ErrorKind::input,
                  fmt::format("{}: cannot be listed ({}); check its permissions", folder.string(), failure.message()));
    std::sort(images.begin(), images.end());
    for (const fs::path& image : images) visit_image(source, image.string(), label, visit, lines);
  }
  if (!found)
    throw Error(ErrorKind::input,
                fmt::format("{}: has none of the subfolders stroma_rich, stroma_poor and background; put "
                            "the images of each label into one",
                            source.input));
  return lines;
}

NbiaLabel label_of(io::StromaLabel label) {
  switch (label) {
    case io::StromaLabel::rich:
      return NbiaLabel::stroma_rich;
    case io::StromaLabel::poor:
      return NbiaLabel::stroma_poor;
    case io::StromaLabel::glass:
      break;
  }
  return NbiaLabel::background;
}

std::vector<std::string> visit_synthetic(const LabelledSource& source, const Visit& visit) {
  const io::SyntheticSpec spec = io::parse_synthetic(source.input);
  if (spec.pattern != io::SyntheticPattern::stroma)
    throw Error(ErrorKind::usage, fmt::format("{}: has no labels; add ,pattern=stroma", source.input));
  const auto slide = io::open_slide(source.input);
  const io::WorkingSlide grid(*slide, source.mpp, source.image_mpp);
  const double side = static_cast<double>(source.field) * source.mpp / io::kDesignMpp;
  if (io::kStromaFieldSide % std::max<std::int64_t>(1, static_cast<std::int64_t>(side)) != 0)
    throw Error(ErrorKind::usage,
                fmt::format("{}: its labelled fields are {} px of {} um, which fields of {} px do not divide",
                            source.input, io::kStromaFieldSide, io::kDesignMpp, source.field));
  const auto label_at = [&](std::int64_t x, std::int64_t y) {
    const std::int64_t half = source.field / 2;
    const auto middle = [&](std::int64_t corner) {
      return static_cast<std::int64_t>(static_cast<double>(corner + half) * grid.scale());
    };
    return label_of(io::stroma_label(spec, middle(x), middle(y)));
  };
  std::vector<std::string> lines;
  visit_fields(grid, source.field, source.input, label_at, visit, lines);
  return lines;
}

}  // namespace

std::vector<std::string> visit_labelled_fields(const LabelledSource& source, const Visit& visit) {
  return source.input.starts_with("synthetic:") ? visit_synthetic(source, visit) : visit_folder(source, visit);
}

}  // namespace starpath
