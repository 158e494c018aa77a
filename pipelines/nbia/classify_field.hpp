// One field from pixels to a decision, with the CPU kernels: for training, evaluation and tests.
#pragma once
#include <cstdint>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"
#include "pipelines/nbia/decision.hpp"
#include "pipelines/nbia/model.hpp"

namespace starpath {

/// The counts of a square field reduced to side x side pixels.
NbiaCounts count_level(Scratch& scratch, RgbView field, int side);

/// The decision that the pipeline comes to for field `index`: level by level until one is enough.
NbiaDecision classify_field(Scratch& scratch, RgbView field, const NbiaModel& model, std::int64_t index,
                            double rate = kFreeRecalculation);

}  // namespace starpath
