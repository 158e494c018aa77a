// Levels, stains, and when not to trust them.
#include "pipelines/survey/derive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "pipelines/survey/levels.hpp"
#include "pipelines/survey/stain_look.hpp"
#include "pipelines/survey/stains.hpp"

namespace starpath {
namespace {

constexpr auto kTissue = static_cast<std::size_t>(SurveyClass::tissue);
constexpr auto kGlass = static_cast<std::size_t>(SurveyClass::glass);
constexpr auto kDark = static_cast<std::size_t>(SurveyClass::dark);
constexpr auto kPen = static_cast<std::size_t>(SurveyClass::pen);

/// Less tissue than a dozen nuclei cover decides nothing.
constexpr std::int64_t kFewestPixels = 1'000;

constexpr const char* kDefaultsStay = "the default levels and stains are used";

/// Fields together.
struct Sums {
  std::array<std::int64_t, 4> pixels{};
  std::array<std::int64_t, 256> glass{}, difference{}, haematoxylin{};
  std::array<std::array<std::int64_t, 256>, 3> colour{};
  Directions directions{};
  StainAmountCounts amounts{};

  void add(const SurveyCounts& field) {
    const auto sum = [](auto& into, const auto& from) {
      for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
    };
    sum(pixels, field.pixels);
    sum(glass, field.glass);
    sum(difference, field.difference);
    sum(haematoxylin, field.haematoxylin);
    for (std::size_t c = 0; c < 3; ++c) sum(colour[c], field.colour[c]);
    for (std::size_t r = 0; r < directions.size(); ++r) sum(directions[r], field.directions[r]);
    for (std::size_t d = 0; d < amounts.size(); ++d) sum(amounts[d], field.amounts[d]);
  }
};

/// Whether more than a quarter of the pixels that are no glass is ink or dark.
bool spoilt(const SurveyCounts& field) {
  return 3 * (std::int64_t{field.pixels[kPen]} + field.pixels[kDark]) > field.pixels[kTissue];
}

/// Entries of a histogram above a level.
template <class Histogram>
std::int64_t above(const Histogram& histogram, int level) {
  return std::accumulate(histogram.begin() + level + 1, histogram.end(), std::int64_t{0});
}

/// Tissue on both sides of a split.
struct Sides {
  std::int64_t lower = 0, upper = 0;          // pixels
  std::int64_t lower_red = 0, upper_red = 0;  // sums of R
  std::int64_t lower_sum = 0, upper_sum = 0;  // of the differences
};

/// `fields` is Sums or SurveyCounts.
template <class Fields>
Sides sides_of(const Fields& fields, int level) {
  Sides sides;
  for (int d = 0; d < 256; ++d) {
    const auto at = static_cast<std::size_t>(d);
    const std::int64_t pixels = fields.difference[at], red = fields.colour[0][at];
    (d > level ? sides.upper : sides.lower) += pixels;
    (d > level ? sides.upper_red : sides.lower_red) += red;
    (d > level ? sides.upper_sum : sides.lower_sum) += d * pixels;
  }
  return sides;
}

/// Whether pixels above the split let through more than this part of the red light of the rest.
bool lets_through_more(const Sides& s, int part, int whole) {
  return whole * s.upper_red * s.lower > part * s.lower_red * s.upper;
}

/// Why the pixels above the split do not look like nuclei; empty when they do. Nuclei are at least 1 / 200 of the
/// tissue, and let through at most seven eighths of the red light of the rest. Fibres and mucus split too, but not as
/// far apart. On a dark ground this says nothing.
std::string no_nuclei(const Sides& s, Rgb white) {
  // Cameras and JPEG make noise of one or two levels (standard deviation), so of ten from the lowest to the highest.
  constexpr std::int64_t noise = 10;
  const bool two_sides = s.lower > 0 && s.upper > 0;
  if (two_sides && s.upper_sum * s.lower - s.lower_sum * s.upper < noise * s.lower * s.upper)
    return "what is darkest differs from its surroundings by no more than noise does";
  // Eosin hardly absorbs red, so between nuclei most of it passes: the darkest tissue at hand lets 44 % through.
  if (two_sides && 3 * s.lower_red < white.r * s.lower)
    return "the ground is dark (fluorescence, or little light), and nuclei are looked for as dark on bright";
  if (!two_sides || 200 * s.upper < s.lower + s.upper || lets_through_more(s, 7, 8))
    return "nothing in the sample looks like nuclei";
  return "";
}

/// Nuclei of half the density of usual ones let through five sixths of the red light or more. Debris does too.
constexpr const char* kPale =
    "what may be nuclei is pale: it lets through more than five sixths of the red light that the rest does; check the "
    "outlines";

constexpr int kSameKind = 80, kTooClose = 97, kSameStain = 97;  // cosines, percent

/// Why these are not haematoxylin and eosin; empty when they are.
std::string no_stains(const std::optional<StainVectors>& stains) {
  if (!stains) return "too few pixels are stained";
  if (likeness(stains->haematoxylin, stains->eosin) > kTooClose) return "all that is stained has nearly one colour";
  if (likeness(stains->haematoxylin, kDefaultStains.haematoxylin) < kSameKind ||
      likeness(stains->eosin, kDefaultStains.eosin) < kSameKind)
    return "what is stained has other colours";
  return "";
}

/// Counts the fields whose own stains are the slide's, among the fields that have stains.
void ask_fields(std::span<const SurveyCounts> fields, Survey& survey) {
  for (const SurveyCounts& field : fields) {
    if (spoilt(field)) continue;
    Sums alone;
    alone.add(field);
    const auto stains = estimate_stains(alone.directions);
    if (!stains) continue;
    ++survey.stains_of;
    survey.stains_agree += likeness(stains->haematoxylin, survey.stains.haematoxylin) >= kSameStain &&
                           likeness(stains->eosin, survey.stains.eosin) >= kSameStain;
  }
}

/// The mean colour of tissue whose difference is in (from, to].
Rgb mean_colour(const Sums& sums, int from, int to) {
  const auto within = [&](const auto& histogram) { return above(histogram, from) - above(histogram, to); };
  const std::int64_t pixels = std::max<std::int64_t>(1, within(sums.difference));
  const auto channel = [&](std::size_t c) { return static_cast<std::uint8_t>(within(sums.colour[c]) / pixels); };
  return {channel(0), channel(1), channel(2)};
}

/// Sets the stains and their confidence. Levels are known.
void find_stains(const Sums& sums, std::span<const SurveyCounts> fields, Survey& survey) {
  const auto stains = estimate_stains(sums.directions);
  if (const std::string reason = no_stains(stains); !reason.empty()) {
    survey.warnings.push_back(fmt::format(
        "the stains are unsure ({}): the default ones are used; features of stains compare less well with other slides",
        reason));
    return;
  }
  survey.stains = *stains;
  survey.stains_found = true;
  ask_fields(fields, survey);
  survey.haematoxylin_strength =
      std::max(0, stain_amounts_of(mean_colour(sums, survey.otsu, 255), survey.white, *stains).haematoxylin);
  survey.eosin_strength =
      std::max(0, stain_amounts_of(mean_colour(sums, -1, survey.otsu), survey.white, *stains).eosin);
}

/// The reason why the colours are not those of haematoxylin and eosin; empty when they are.
std::string strange_colours(const DirectionShares& shares) {
  const int strange = shares.neutral + shares.brown + shares.foreign;
  if (strange < 50) return "";
  if (2 * shares.neutral > strange) return "the image has no colour, so nuclei are looked for by brightness";
  if (shares.foreign > shares.brown)
    return fmt::format(
        "{} % of what is stained hardly absorbs green, as neither haematoxylin nor eosin does (another stain, inverted "
        "colours, or no section)",
        shares.foreign);
  // A stain with DAB shows nuclei beside it.
  return fmt::format("{} % of what is stained is brown, {}", shares.brown,
                     shares.haematoxylin > 0 ? "beside haematoxylin, as in immunohistochemistry with DAB"
                                             : "and nothing has haematoxylin's colour (DAB alone, or no section)");
}

/// Why nothing can be learnt from these fields; empty when it can.
std::string hopeless(const SurveyedSlide& slide, const Sums& all, const Sums& good) {
  if (slide.unreadable > 0 && above(all.pixels, -1) == 0) return "no field could be read";
  const std::int64_t covered = above(all.pixels, -1) - all.pixels[kGlass];
  if (2 * all.pixels[kDark] > above(all.pixels, -1))
    return fmt::format(
        "most of the slide is dark, {} % of it (fluorescence, or no light): nuclei are looked for as dark on bright",
        100 * all.pixels[kDark] / above(all.pixels, -1));
  if (covered < kFewestPixels) return "there is hardly any tissue";
  if (good.pixels[kTissue] < kFewestPixels)
    return "what is no glass has the colours of ink or is dark nearly everywhere (inverted colours, or no section?)";
  return "";
}

}  // namespace

Survey derive_survey(const SurveyedSlide& slide, std::span<const SurveyCounts> fields) {
  Survey survey;
  survey.fields = static_cast<std::int64_t>(fields.size());
  survey.fields_of = slide.fields_of;
  survey.places = slide.places;
  if (slide.white) survey.white = *slide.white;
  survey.white_found = slide.white.has_value();

  Sums all, good;
  for (const SurveyCounts& field : fields) {
    all.add(field);
    survey.fields_spoilt += spoilt(field);
    if (!spoilt(field)) good.add(field);
  }
  survey.tissue = good.pixels[kTissue];
  survey.difference = good.difference;
  survey.haematoxylin = good.haematoxylin;
  survey.glass = all.glass;
  if (const std::string reason = hopeless(slide, all, good); !reason.empty()) {
    survey.warnings.push_back(fmt::format("{}; {}", reason, kDefaultsStay));
    return survey;
  }

  const Split split = split_in_two(good.difference);
  survey.otsu = split.level;
  survey.separation = split.separation;
  const std::string strange = strange_colours(share_directions(good.directions));
  const Sides sides = sides_of(good, split.level);
  if (const std::string reason = no_nuclei(sides, survey.white); !reason.empty()) {
    survey.warnings.push_back(fmt::format("{}{}{}; {}", strange, strange.empty() ? "" : "; ", reason, kDefaultsStay));
    return survey;
  }
  if (!strange.empty())
    survey.warnings.push_back(strange + "; check the outlines; the default stains are used");
  else if (lets_through_more(sides, 5, 6))
    survey.warnings.emplace_back(kPale);
  survey.levels = levels_of(split);
  if (strange.empty()) survey.levels.haematoxylin = haematoxylin_level(good.amounts, survey.levels.nucleus);
  survey.levels_found = true;
  for (const SurveyCounts& field : fields)
    survey.fields_nuclei += !spoilt(field) && no_nuclei(sides_of(field, split.level), survey.white).empty();
  if (strange.empty()) find_stains(good, fields, survey);
  return survey;
}

Survey with_levels_of_reference(Survey survey, std::span<const SurveyCounts> fields) {
  const Survey seen = derive_survey({survey.fields_of, kReferenceLook.white, 0, survey.places}, fields);
  survey.fields_nuclei = seen.fields_nuclei;
  survey.levels = seen.levels;
  survey.levels_found = seen.levels_found;
  survey.otsu = seen.otsu;
  survey.separation = seen.separation;
  survey.difference = seen.difference;
  survey.haematoxylin = seen.haematoxylin;
  if (!seen.levels_found)
    for (const std::string& warning : seen.warnings)
      survey.warnings.push_back("on the colours of the reference: " + warning);
  return survey;
}

}  // namespace starpath
