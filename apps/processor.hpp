// Whether this processor can run what the program was compiled for.
#pragma once

namespace starpath::apps {

/// Whether the processor has all instructions that the CPU kernels were compiled for; if not, says so on stderr, in one
/// line. Uses no template, because the linker might take a copy that was compiled for the kernels.
bool processor_is_new_enough();

}  // namespace starpath::apps
