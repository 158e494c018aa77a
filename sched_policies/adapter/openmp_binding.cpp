// What libgomp says of its places (OpenMP 4.5, 3.2.23 to 3.2.25), compared with where the thread may run.
#include "sched_policies/adapter/openmp_binding.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace starpath {
namespace {

template <class Function>
Function* function_of(void* library, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(library, name));
}

/// The numbers of the CPUs of each place.
std::vector<std::vector<int>> places_of_libgomp() {
  std::vector<std::vector<int>> places;
  void* const library = ::dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return places;
  const auto count = function_of<int()>(library, "omp_get_num_places");
  const auto size = function_of<int(int)>(library, "omp_get_place_num_procs");
  const auto ids = function_of<void(int, int*)>(library, "omp_get_place_proc_ids");
  for (int place = 0; count != nullptr && size != nullptr && ids != nullptr && place < count(); ++place) {
    places.emplace_back(static_cast<std::size_t>(std::max(size(place), 0)));
    ids(place, places.back().data());
  }
  ::dlclose(library);
  return places;
}

bool is_set(const char* name) { return std::getenv(name) != nullptr; }

}  // namespace

std::string openmp_binding() {
  if (!is_set("OMP_PROC_BIND") && !is_set("OMP_PLACES") && !is_set("GOMP_CPU_AFFINITY")) return "";
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const std::vector<std::vector<int>> places = places_of_libgomp();
  if (places.empty() || ::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return "";
  cpu_set_t first, all;
  CPU_ZERO(&first);
  CPU_ZERO(&all);
  for (const int cpu : places.front()) CPU_SET(static_cast<std::size_t>(cpu), &first);
  for (const auto& place : places)
    for (const int cpu : place) CPU_SET(static_cast<std::size_t>(cpu), &all);
  if (!CPU_EQUAL(&allowed, &first) || CPU_EQUAL(&first, &all)) return "";
  return fmt::format(
      "OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY is set, and libgomp, which StarPU loads, has bound this program "
      "to "
      "{} of {} CPUs before main: StarPU starts CPU workers there alone; unset these variables, or call "
      "sched_setaffinity before starpu_init (docs/use-in-your-application.md)",
      CPU_COUNT(&first), CPU_COUNT(&all));
}

}  // namespace starpath
