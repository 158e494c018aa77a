// What identifies a run of NBIA, and what it says of the slide.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "pipelines/nbia/fields.hpp"
#include "pipelines/nbia/run_nbia.hpp"
#include "pipelines/run/run_info.hpp"
#include "starpath_version.hpp"

namespace starpath {

io::RunKey nbia_run_key(const io::SlideInfo& slide, const NbiaModel& model, const NbiaOptions& options) {
  std::vector<int> sides;
  for (const NbiaLevel& level : model.levels) sides.push_back(level.side);
  const nlohmann::json parameters = {
      {"pipeline", "nbia"},
      {"definition", nbia_definition()},
      {"model", model_digest(model)},
      {"levels", sides},
      {"recalc_rate", options.recalc_rate < 0 ? nlohmann::json("by confidence") : nlohmann::json(options.recalc_rate)},
      {"slide_mpp", options.slide_mpp},
      {"roi", {options.roi.x, options.roi.y, options.roi.width, options.roi.height}},
  };
  return {slide.fingerprint, version, parameters.dump()};
}

void check_nbia_options(const io::WorkingSlide& slide, const NbiaModel& model, const NbiaOptions& options) {
  check_run_options(slide, options.roi, options.window);
  if (options.recalc_rate > 1)
    throw Error(ErrorKind::usage,
                fmt::format("--recalc-rate {} is no share: use 0 to 1 (0.16 is 16 %)", options.recalc_rate));
  cut_fields(slide.width(), slide.height(), model.field(), options.roi);
}

double NbiaSummary::share(NbiaLabel label) const {
  const std::int64_t tissue = fields.at(NbiaLabel::stroma_rich) + fields.at(NbiaLabel::stroma_poor);
  return tissue == 0 ? 0 : static_cast<double>(fields.at(label)) / static_cast<double>(tissue);
}

double NbiaSummary::recalculation_rate(std::size_t level) const {
  if (level + 1 >= computed.size() || computed[level] == 0) return 0;
  return static_cast<double>(computed[level + 1]) / static_cast<double>(computed[level]);
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
    for (std::size_t level = 0; level < model.levels.size(); ++level)
      summary.computed[level] += model.levels[level].side <= field.level;
  }
  return summary;
}

}  // namespace starpath
