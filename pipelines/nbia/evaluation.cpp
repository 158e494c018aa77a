// Each field is classified, and compared with its label.
#include "pipelines/nbia/evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "pipelines/nbia/classify_field.hpp"

namespace starpath {

void NbiaEvaluation::add(NbiaLabel truth, const NbiaDecision& decision) {
  ++fields[truth][decision.label];
  ++decided[decision.level];
  ++total;
  right += truth == decision.label;
  low_confidence += decision.low_confidence;
  out_of_range += decision.out_of_range;
}

std::pair<std::int64_t, std::int64_t> NbiaEvaluation::tissue() const {
  std::int64_t others = total, right_background = 0;
  if (const auto background = fields.find(NbiaLabel::background); background != fields.end())
    for (const auto& [said, count] : background->second) {
      others -= count;
      if (said == NbiaLabel::background) right_background = count;
    }
  return {others, right - right_background};
}

NbiaEvaluation evaluate_nbia(const NbiaModel& model, const FieldSources& from) {
  NbiaEvaluation found;
  Scratch scratch;
  found.lines = visit_fields(from, model.field(), model.mpp, [&](const LabelledField& field) {
    found.add(field.label, classify_field(scratch, field.pixels, model, found.total));
    found.trained_on += std::ranges::binary_search(model.trained_on, field_digest(field.pixels));
  });
  if (found.total == 0)
    throw Error(ErrorKind::input, fmt::format("{}: holds no labelled field of {} px", from.sources[0], model.field()));
  return found;
}

}  // namespace starpath
