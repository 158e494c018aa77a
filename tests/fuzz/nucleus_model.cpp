// Models of the classifier of nuclei.
#include "pipelines/classification/nucleus_model.hpp"

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  fuzz::expect_errors_only([&] {
    const NucleusModel model = parse_nucleus_model(fuzz::text_of(data, size), "model.json");
    // What was read is written as what reads the same.
    const std::string text = model_text(model);
    if (model_text(parse_nucleus_model(text, "model.json")) != text) std::abort();
    // And it votes without a step beside its samples.
    Scratch scratch;
    const std::vector<std::int16_t> rows = model.sample_rows();
    const int width = model.row_numbers();
    std::vector<ClassVote> votes(1);
    cpu::nearest_classes(KernelContext{scratch}, {rows.data(), width, 1, width},
                         {rows.data(), width, static_cast<int>(model.samples()), width}, model.labels, votes, model.k);
    if (votes[0].label >= model.classes.size()) std::abort();
  });
  return 0;
}
