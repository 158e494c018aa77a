// Machines of the lab.
#include "lab/machine.hpp"
#include "lab/model_file.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  fuzz::expect_errors_only([&] { lab::read_machine(lab::ModelFile("m.toml", fuzz::text_of(data, size))); });
  return 0;
}
