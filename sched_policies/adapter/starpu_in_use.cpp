// What can be known of a StarPU while it runs: its version, a function that only a simulated one has, and the size that
// its library states for a variable.
#include "sched_policies/adapter/starpu_in_use.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>

namespace starpath {
namespace {

/// Bytes of StarPU's codelet of empty tasks, by the symbol table of the library (or program) that has it; 0 if unknown.
std::size_t codelet_size_in_use() {
  Dl_info found{};
  void* symbol = nullptr;
  if (::dladdr1(&starpu_codelet_nop, &found, &symbol, RTLD_DL_SYMENT) == 0 || symbol == nullptr) return 0;
  if (found.dli_sname == nullptr || std::strcmp(found.dli_sname, "starpu_codelet_nop") != 0) return 0;
  return static_cast<const ElfW(Sym)*>(symbol)->st_size;
}

std::string misfit_of(const StarpuKind& built) {
  // The other way round the plug-in cannot be loaded. Elsewhere than in a simulated StarPU the function is a macro.
  if (!built.simulates && ::dlsym(RTLD_DEFAULT, "starpu_pthread_exit") != nullptr)
    return "built for a StarPU that runs tasks, and this one simulates them";
  int major = 0, minor = 0, release = 0;
  starpu_get_version(&major, &minor, &release);
  if (major != built.major || minor != built.minor)
    return fmt::format("built for StarPU {}.{}, and this is StarPU {}.{}", built.major, built.minor, major, minor);
  const std::size_t size = codelet_size_in_use();
  if (size != 0 && size != built.codelet_size)
    return fmt::format("built for a StarPU of at most {} workers, and this one was configured with other limits",
                       built.workers);
  return "";
}

}  // namespace

std::string misfit(const StarpuKind& built) {
  const std::string line = misfit_of(built);
  return line.empty() ? misfit_of(kStarpuOfHeaders) : line;
}

}  // namespace starpath
