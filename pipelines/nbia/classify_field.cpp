// One field from pixels to a decision.
#include "pipelines/nbia/classify_field.hpp"

#include "codelets/kernels/area_average.hpp"
#include "codelets/kernels/nbia_statistics.hpp"

namespace starpath {

NbiaCounts count_level(Scratch& scratch, RgbView field, int side) {
  const Scratch::Mark mark(scratch);
  NbiaCounts counts;
  if (side == field.width) {
    cpu::nbia_statistics({scratch}, field, &counts);
    return counts;
  }
  const View<Rgb> reduced{scratch.take<Rgb>(static_cast<std::size_t>(side) * static_cast<std::size_t>(side)).data(),
                          side, side, side};
  cpu::area_average({scratch}, field, reduced);
  cpu::nbia_statistics({scratch}, reduced, &counts);
  return counts;
}

NbiaDecision classify_field(Scratch& scratch, RgbView field, const NbiaModel& model, std::int64_t index, double rate) {
  for (std::size_t level = 0;; ++level) {
    const NbiaLevel& known = model.levels[level];
    const Scratch::Mark mark(scratch);
    NbiaVote vote{};
    cpu::nbia_classify({scratch}, count_level(scratch, field, known.side), known.samples(), &vote);
    if (const auto decision = decide(vote, model, index, level, rate)) return *decision;
  }
}

}  // namespace starpath
