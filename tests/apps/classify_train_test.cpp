// `starpath classify train`: from annotations to a model, and what is refused.
#include <filesystem>
#include <fstream>

#include "io/study/study_store.hpp"
#include "tests/apps/classified_study.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::classify_material;
using test::expect_one_line;
using test::expect_says;
using test::kSlides;
using test::point_at;
using test::points_on;
using test::read_file;
using test::results_of;
using test::shell;
using test::write_json;
using ClassifyTrain = test::ClassifiedStudy;

TEST_F(ClassifyTrain, TrainingSaysHowGoodItIsOnSlidesHeldOut) {
  const auto said = json::parse(read_file(classify_material() / "train.json"));
  EXPECT_EQ(said["held_out"], "slide");
  EXPECT_EQ(said["folds"], 2);
  EXPECT_EQ(said["slides"].size(), 2u);
  EXPECT_EQ(said["features"].size(), 3u);
  EXPECT_EQ(said["features"][0], "nucleus_area_um2");
  EXPECT_GT(said["balanced_accuracy"], 0.8) << "area is among the features";
  EXPECT_GT(said["majority_accuracy"], 0.0);
  const auto kept = json::parse(read_file(model()));
  EXPECT_EQ(kept["classes"][0]["name"], "Large");
  EXPECT_EQ(kept["classes"][0]["colour"], 0xc80000) << "as in QuPath";
  EXPECT_EQ(kept["slides"][0]["name"], "synthetic:700x600,seed=1");
}

TEST_F(ClassifyTrain, TrainingHoldsOutPatientsAndCopiesOfASlideTogether) {
  const std::string out = study("a");
  fs::create_directory(folder_ / "drawn");
  const auto annotate = [&](const std::string& folder) {
    write_json(folder_ / "drawn" + "/" + fs::path(folder).filename().string() + ".geojson",
               points_on(folder + "/results.sqlite", [](std::int64_t) { return true; }));
  };
  for (const char* slide : kSlides) annotate(out + "/" + slide);
  const auto train = [&](const std::string& results) {
    const auto run = shell("starpath classify train " + results + " --annotations " + folder_ / "drawn" + " --out " +
                           folder_ / "m.json" + " --overwrite --json 2>/dev/null");
    EXPECT_EQ(run.code, 0) << run.output;
    return json::parse(run.output);
  };
  EXPECT_EQ(train(out)["held_out"], "slide");
  const auto say = [&](std::int64_t first, std::int64_t last, const std::string& patient) {
    io::StudyStore store = io::StudyStore::change(out + "/study.sqlite");
    std::vector<io::StudySlide> slides;
    for (const io::StudyRow& row : store.rows()) {
      if (row.number < first || row.number > last) continue;
      slides.push_back(row.slide);
      slides.back().patient = patient;
    }
    store.take(slides);
  };
  say(1, 2, "P1");
  json said = train(out);
  EXPECT_EQ(said["held_out"], "patient");
  EXPECT_EQ(said["folds"], 2);
  say(3, 3, "P1");
  EXPECT_EQ(train(out)["held_out"], "nucleus");

  const std::string first = out + "/" + kSlides[0];
  fs::copy(first, folder_ / "copy");
  annotate(folder_ / "copy");
  said = train(first + " " + folder_ / "copy");
  EXPECT_EQ(said["held_out"], "nucleus");
  EXPECT_EQ(said["slides"].size(), 2u);
  EXPECT_NE(said["warnings"].dump().find("copy/results.sqlite are the same slide"), std::string::npos) << said;
}

TEST_F(ClassifyTrain, OneSlideAloneAndAreas) {
  const std::string results = study("a") + "/" + kSlides[0];
  const json whole = {{{0, 0}, {350, 0}, {350, 600}, {0, 600}, {0, 0}}};
  const auto area = [](const json& rings, const char* name) {
    return json{{"type", "Feature"},
                {"geometry", {{"type", "Polygon"}, {"coordinates", rings}}},
                {"properties", {{"objectType", "annotation"}, {"classification", {{"name", name}}}}}};
  };
  json features = {area(whole, "Left"), area({{{360, 0}, {700, 0}, {700, 600}, {360, 600}, {360, 0}}}, "Right"),
                   area({{{0, 0}, {9, 0}, {9, 9}, {0, 0}}}, "Ignore*"), point_at(20'000, 5, "Left")};
  write_json(folder_ / "drawn.geojson", features);
  const std::string out = folder_ / "left.json";
  const auto run = shell("starpath classify train " + results + " --annotations " + folder_ / "drawn.geojson" +
                         " --features nucleus_extent,nucleus_gray_mean --out " + out);
  expect_says(run, 0,
              {"annotated by 1 points and 2 areas", "1 points have no nucleus within 3 um", "of class Ignore*: 1",
               "single nuclei held out", "balanced accuracy", "recall"});
  expect_says(shell("starpath classify run " + results + "/results.sqlite --export csv --model " + out), 0,
              {"nuclei.csv", " Left ", " nuclei of 1 slide"});
  expect_one_line(
      shell("starpath classify train " + results + " --annotations " + folder_ / "drawn.geojson --out " + out), 4,
      {"exists already", "--overwrite"});
}

TEST_F(ClassifyTrain, BadInputIsOneLineAndChangesNothing) {
  const std::string out = study("a"), slide = out + "/" + kSlides[2];
  const std::string train = "starpath classify train " + slide + " --out " + folder_ / "m.json --annotations ";
  const std::string file = folder_ / "x.geojson";
  const auto with = [&](const std::string& text) {
    std::ofstream(file) << text;
    return shell(train + file);
  };
  expect_one_line(with("no json"), 3, {"x.geojson: is no JSON"});
  expect_one_line(with("[]"), 3, {"no nucleus is annotated"});
  expect_one_line(
      with(
          R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[300,300],[300,0],[0,300],[0,0]]]},"properties":{"classification":{"name":"A"}}})"),
      3, {"x.geojson: feature 0 crosses itself"});
  expect_one_line(
      with(R"({"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[[1,NaN]]},"properties":{}})"), 3,
      {"x.geojson"});
  expect_one_line(
      with(
          R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[512,0],[512,512],[0,512],[0,0]]]},"properties":{"classification":{"name":"A"}}})"),
      3, {"all annotated nuclei are of class 'A'"});
  expect_one_line(shell(train + file + " --features nucleus_mood"), 2, {"nucleus_mood"});
  for (const std::string& results : {train, "starpath classify train " + out + " --annotations "})
    expect_one_line(shell(results + folder_ / "none.geojson"), 3, {"none.geojson: no such file or folder"});
  fs::create_directory(folder_ / "empty");
  expect_one_line(shell(train + folder_ / "empty"), 3, {"no annotations of a slide"});
  expect_one_line(shell("starpath classify train " + out + " --annotations " + file), 3,
                  {"x.geojson: has the name of no slide", kSlides[0]});
  expect_one_line(shell("starpath classify train " + folder_ / "none --annotations " + file), 3, {"none"});
  json features = points_on(results_of(out, kSlides[2]), [](std::int64_t) { return true; });
  for (json& feature : features) feature["properties"]["classification"]["name"] = "Out of range";
  write_json(file, features);
  expect_one_line(shell(train + file), 3, {"'Out of range'", "another name"});
  EXPECT_FALSE(fs::exists(folder_ / "m.json"));
}

}  // namespace
}  // namespace starpath
