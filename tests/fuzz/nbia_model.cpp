// Models of NBIA.
#include "pipelines/nbia/model.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  fuzz::expect_errors_only([&] {
    const NbiaModel model = parse_model(fuzz::text_of(data, size), "model.json");
    // What was read is written as what reads the same.
    const std::string text = model_text(model);
    if (model_text(parse_model(text, "model.json")) != text) std::abort();
    model_digest(model);
  });
  return 0;
}
