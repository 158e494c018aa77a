// Parameters of the segmentation: --set NAME=VALUE and TOML files.
#include "pipelines/segmentation/parameters.hpp"

#include "pipelines/segmentation/asked_parameters.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string text = fuzz::text_of(data, size);
  const auto read = [](const AskedParameters& arguments) {
    fuzz::expect_errors_only([&] { pixel_parameters(parameters_of(arguments), {}, 0.5); });
  };
  AskedParameters arguments;
  arguments.file = fuzz::file_of(text, "parameters.toml");
  read(arguments);
  arguments.file.clear();
  arguments.said = {text.substr(0, text.find('\n'))};
  read(arguments);
  return 0;
}
