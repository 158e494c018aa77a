// Surveys, which results keep as JSON.
#include "pipelines/survey/survey.hpp"

#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  fuzz::expect_errors_only([&] {
    const Survey survey = survey_from_json(fuzz::text_of(data, size));
    describe(survey);
    if (to_json(survey_from_json(to_json(survey))) != to_json(survey)) std::abort();
  });
  return 0;
}
