// Which workers of StarPU run a loop, and the schedule that divides it among them.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "loops/schedule.hpp"
#include "loops/starpu/parallel_for.hpp"

namespace starpath {

/// StarPU's scheduling context that the calling thread submits to.
unsigned loop_context();

/// The workers of loop_context() that a loop may use. Throws Error{usage} when StarPU does not run, Error{runtime} when
/// there are none.
std::vector<unsigned> loop_workers(const starpu_codelet& codelet, const LoopOptions& options);

/// The schedule that `options` name, for these workers. Throws Error{usage}.
std::unique_ptr<loops::Schedule> loop_schedule(std::size_t iterations, const std::vector<unsigned>& workers,
                                               const LoopOptions& options);

}  // namespace starpath
