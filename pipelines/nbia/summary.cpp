// The key of a run of NBIA, and its result for the slide.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "pipelines/nbia/cross_validation.hpp"
#include "pipelines/nbia/fields.hpp"
#include "pipelines/nbia/run_nbia.hpp"
#include "pipelines/run/run_info.hpp"
#include "starpath_version.hpp"

namespace starpath {

io::RunKey nbia_run_key(const io::SlideInfo& slide, const NbiaModel& model, const NbiaOptions& options) {
  std::vector<int> sides;
  for (const NbiaLevel& level : model.levels) sides.push_back(level.side);
  nlohmann::json parameters = {
      {"pipeline", "nbia"},
      {"definition", nbia_definition()},
      {"model", model_digest(model)},
      {"levels", sides},
      {"recalc_rate", options.recalc_rate < 0 ? nlohmann::json("by confidence") : nlohmann::json(options.recalc_rate)},
      {"slide_mpp", options.slide_mpp},
      {"roi", {options.roi.x, options.roi.y, options.roi.width, options.roi.height}},
  };
  if (slide.place) parameters["bounds"] = bounds_of(slide);
  return {slide.fingerprint, version, parameters.dump()};
}

void check_nbia_options(const io::WorkingSlide& slide, const NbiaModel& model, const NbiaOptions& options) {
  check_run_options(slide, options.roi, options.window);
  if (options.recalc_rate > 1)
    throw Error(ErrorKind::usage,
                fmt::format("--recalc-rate {} is no share: use 0 to 1 (0.16 is 16 %)", options.recalc_rate));
  try {
    cut_fields(slide.width(), slide.height(), model.field(), options.roi);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", slide.slide().info().path, error.what()));
  }
}

std::int64_t NbiaSummary::tissue() const {
  return fields.at(NbiaLabel::stroma_rich) + fields.at(NbiaLabel::stroma_poor);
}

double NbiaSummary::share(NbiaLabel label) const {
  return tissue() == 0 ? 0 : static_cast<double>(fields.at(label)) / static_cast<double>(tissue());
}

double NbiaSummary::recalculation_rate(std::size_t level) const {
  if (level + 1 >= computed.size() || computed[level] == 0) return 0;
  return static_cast<double>(computed[level + 1]) / static_cast<double>(computed[level]);
}

namespace {

/// Chance of at least `found` of `all` when each has the chance `share`.
double binomial_tail(std::int64_t found, std::int64_t all, double share) {
  double below = 0;
  const auto n = static_cast<double>(all);
  for (std::int64_t i = 0; i < found; ++i) {
    const auto k = static_cast<double>(i);
    below += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(share) +
                      (n - k) * std::log1p(-share));
  }
  return 1 - below;
}

}  // namespace

std::string range_warning(const NbiaSummary& summary, const NbiaModel& model) {
  double false_alarms = 0;
  for (const NbiaLevel& level : model.levels) {
    if (!level.range)
      return "the model is of an older starpath and does not know its range: fields unlike those it was trained on are "
             "not marked; train it again";
    false_alarms = std::max(false_alarms, nbia_false_alarms(level.labels.size()));
  }
  const std::int64_t strange = summary.out_of_range, tissue = summary.tissue();
  if (strange == 0 || binomial_tail(strange, tissue, false_alarms) >= kNbiaSignificance) return "";
  return fmt::format(
      "{:.1f} % of the tissue ({} of {} fields) is unlike what the model was trained on (out_of_range; {:.1f} % would "
      "be "
      "chance): do not believe its labels; train a model on such tissue (`starpath nbia train`)",
      100 * static_cast<double>(strange) / static_cast<double>(tissue), strange, tissue, 100 * false_alarms);
}

NbiaSummary summarise(const std::vector<io::FieldRecord>& fields, const NbiaModel& model) {
  NbiaSummary summary;
  summary.fields = {{NbiaLabel::background, 0}, {NbiaLabel::stroma_rich, 0}, {NbiaLabel::stroma_poor, 0}};
  summary.computed.assign(model.levels.size(), 0);
  for (const io::FieldRecord& field : fields) {
    if (field.failed) {
      ++summary.failed;
      continue;
    }
    ++summary.fields[static_cast<NbiaLabel>(field.label)];
    summary.low_confidence += field.low_confidence;
    summary.out_of_range += field.out_of_range;
    for (std::size_t level = 0; level < model.levels.size(); ++level)
      summary.computed[level] += model.levels[level].side <= field.level;
  }
  return summary;
}

}  // namespace starpath
