// Machines as hwloc writes them.
#include "sched_policies/topology/choose_cores.hpp"
#include "sched_policies/topology/machine_layout.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string file = fuzz::file_of(fuzz::text_of(data, size), "machine.xml");
  fuzz::expect_errors_only([&] { read_machine_layout(file); });
  return 0;
}
