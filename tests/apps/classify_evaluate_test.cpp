// `starpath classify evaluate`: a model against annotations that it has not seen.
#include <filesystem>

#include "tests/apps/classified_study.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::classify_material;
using test::expect_says;
using test::kSlides;
using test::points_on;
using test::results_of;
using test::shell;
using test::write_json;
using ClassifyEvaluate = test::ClassifiedStudy;

TEST_F(ClassifyEvaluate, EvaluateSaysWhatTheModelHasSeen) {
  const std::string out = study("a"), start = "starpath classify evaluate " + out + " --model " + model();
  fs::create_directory(folder_ / "checked");
  const std::string file = folder_ / "checked" + "/" + kSlides[2] + ".geojson";
  json features = points_on(results_of(out, kSlides[2]), [](std::int64_t id) { return id > 1; });
  write_json(file, features);
  const auto fresh = shell(start + " --annotations " + folder_ / "checked");
  expect_says(fresh, 0, {"truth \\ said", "Large", "Small", "out of range: ", "2 of 3 slides have no annotations"});
  EXPECT_EQ(fresh.output.find("was trained on"), std::string::npos) << fresh.output;
  expect_says(shell(start + " --annotations " + classify_material() / "drawn"), 0,
              {"the model was trained on synthetic:700x600,seed=1, synthetic:600x700,seed=2"});

  const auto said = shell(start + " --json --annotations " + folder_ / "checked 2>/dev/null");
  const auto line = json::parse(said.output);
  EXPECT_EQ(line["nuclei"], features.size());
  EXPECT_TRUE(line["trained_on"].empty());
  EXPECT_GT(line["accuracy"], 0.75);
  for (json& feature : features) feature["properties"]["classification"]["name"] = "Unheard of";
  write_json(file, features);
  expect_says(shell(start + " --annotations " + file), 3, {"no nucleus is annotated with a class of the model"});
}

}  // namespace
}  // namespace starpath
