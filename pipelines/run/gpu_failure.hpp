// How a run ends when a GPU fails while it works: StarPU calls abort() then.
#pragma once
namespace starpath {

/// From now on, an abort() in a thread for which `error` has words ends the program with the exit code of
/// ErrorKind::runtime. One line on stderr says the error, and which operations and tiles GPUs had been given. Any other
/// abort() goes on as before.
void explain_gpu_failures(const char* (*error)());

}  // namespace starpath
