// `starpath classify`: from annotations to a model to classes in results and exports, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "base/sqlite.hpp"
#include "io/results/result_store.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/kills.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::expect_one_line;
using test::expect_says;
using test::read_file;
using test::shell;
using test::TemporaryFolder;

constexpr const char* kSlides[] = {"synthetic_700x600_seed_1", "synthetic_600x700_seed_2", "synthetic_512x512_seed_3"};

std::string results_of(const std::string& study, const char* slide) { return study + "/" + slide + "/results.sqlite"; }

/// What a person would see: small and large nuclei.
std::string class_of(const io::NucleusRecord& nucleus) { return nucleus.area > 170 ? "Large" : "Small"; }

json point_at(double x, double y, const std::string& name) {
  return {{"type", "Feature"},
          {"geometry", {{"type", "Point"}, {"coordinates", {x, y}}}},
          {"properties",
           {{"objectType", "annotation"},
            {"classification", {{"name", name}, {"color", name == "Large" ? json{200, 0, 0} : json{0, 0, 200}}}}}}};
}

void write_json(const std::string& file, const json& features) {
  std::ofstream(file) << json{{"type", "FeatureCollection"}, {"features", features}};
}

/// A point on every nucleus that is wanted.
json points_on(const std::string& results, const std::function<bool(std::int64_t)>& wanted) {
  const io::ResultStore store = io::ResultStore::open(results);
  const double scale = store.info().scale;
  json features = json::array();
  store.for_each_nucleus(false, [&](std::int64_t id, const io::NucleusRecord& n) {
    if (wanted(id)) features.push_back(point_at(n.centroid_x * scale, n.centroid_y * scale, class_of(n)));
  });
  return features;
}

/// A study that tests copy, annotations of its first two slides, and a model of them.
const TemporaryFolder& made() {
  static const TemporaryFolder folder;
  static const bool done = [] {
    std::ofstream(folder / "half.geojson")
        << R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,700],[0,700],[0,0]]]},"properties":{"name":"left"}})";
    std::ofstream(folder / "list.csv") << "path,mpp,roi\n\"synthetic:700x600,seed=1\",0.5,\n"
                                          "\"synthetic:600x700,seed=2\",0.5,\n"
                                          "\"synthetic:512x512,seed=3\",0.5,half.geojson\n";
    EXPECT_EQ(
        shell("starpath segment --quiet --export none --slides " + folder / "list.csv" + " --out " + folder / "study")
            .code,
        0);
    fs::create_directory(folder / "drawn");
    for (int i = 0; i < 2; ++i)
      write_json(folder / "drawn" + "/" + kSlides[i] + ".geojson",
                 points_on(results_of(folder / "study", kSlides[i]), [](std::int64_t id) { return id % 3 != 0; }));
    const auto run = shell("starpath classify train " + folder / "study" + " --annotations " + folder / "drawn" +
                           " --features nucleus_area,nucleus_perimeter,nucleus_extent --out " +
                           folder / "model.json --json 2>/dev/null");
    EXPECT_EQ(run.code, 0) << run.output;
    std::ofstream(folder / "train.json") << run.output;
    return true;
  }();
  EXPECT_TRUE(done);
  return folder;
}

class Classify : public testing::Test {
 protected:
  std::string study(const std::string& name) const {
    fs::copy(made() / "study", folder_ / name, fs::copy_options::recursive);
    return folder_ / name;
  }
  static std::string model() { return made() / "model.json"; }
  const TemporaryFolder folder_;
};

/// Number, confidence and range of every nucleus of a study.
std::vector<std::tuple<std::int32_t, double, bool>> classes_of(const std::string& study) {
  std::vector<std::tuple<std::int32_t, double, bool>> classes;
  for (const char* slide : kSlides)
    io::ResultStore::open(results_of(study, slide))
        .for_each_nucleus(false, [&](std::int64_t, const io::NucleusRecord& n) {
          classes.emplace_back(n.classified.number, n.classified.confidence, n.classified.out_of_range);
        });
  return classes;
}

TEST_F(Classify, TrainingSaysHowGoodItIsOnSlidesHeldOut) {
  const auto said = json::parse(read_file(made() / "train.json"));
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

TEST_F(Classify, TrainingHoldsOutPatientsAndCopiesOfASlideTogether) {
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
  const auto say = [&](const std::string& where, const std::string& patient) {
    Database(out + "/study.sqlite", Database::Open::existing)
        .execute("UPDATE slides SET patient = '" + patient + "' WHERE " + where);
  };
  say("slide < 3", "P1");
  json said = train(out);
  EXPECT_EQ(said["held_out"], "patient");
  EXPECT_EQ(said["folds"], 2);
  say("slide = 3", "P1");
  EXPECT_EQ(train(out)["held_out"], "nucleus");

  const std::string first = out + "/" + kSlides[0];
  fs::copy(first, folder_ / "copy");
  annotate(folder_ / "copy");
  said = train(first + " " + folder_ / "copy");
  EXPECT_EQ(said["held_out"], "nucleus");
  EXPECT_EQ(said["slides"].size(), 2u);
  EXPECT_NE(said["warnings"].dump().find("copy/results.sqlite are the same slide"), std::string::npos) << said;
}

TEST_F(Classify, RunGivesEachNucleusAClassAndCountsThem) {
  const std::string out = study("a");
  const auto run = shell("starpath classify run " + out + " --model " + model() + " --json");
  ASSERT_EQ(run.code, 0) << run.output;
  const std::string body = run.output.substr(0, run.output.size() - 1);
  const auto summary = json::parse(body.substr(body.rfind('\n') + 1));
  ASSERT_EQ(summary["classes"].size(), 2u) << run.output;

  std::map<std::int32_t, std::int64_t> count;
  for (const auto& [number, confidence, outside] : classes_of(out)) {
    ++count[number];
    EXPECT_GT(confidence, 0.49);
    EXPECT_LE(confidence, 1);
  }
  ASSERT_EQ(count.size(), 2u);
  const Database database(out + "/study.sqlite", Database::Open::existing);
  for (const int c : {1, 2}) {
    const std::string where = " WHERE class = " + std::to_string(c);
    EXPECT_EQ(database.integer("SELECT nuclei FROM classes" + where), count[c]);
    EXPECT_EQ(database.integer("SELECT sum(nuclei) FROM slide_classes" + where + " AND region = 0"), count[c]);
  }
  EXPECT_EQ(database.integer("SELECT sum(nuclei) FROM slide_classes WHERE slide = 3 AND region = 1"),
            database.integer("SELECT nuclei FROM regions WHERE slide = 3"));

  // A slide that the model has not seen: most are what a person would say.
  std::int64_t right = 0, all = 0;
  io::ResultStore::open(results_of(out, kSlides[2])).for_each_nucleus(false, [&](auto, const io::NucleusRecord& n) {
    ++all;
    right += class_of(n) == (n.classified.number == 1 ? "Large" : "Small");
  });
  EXPECT_GT(static_cast<double>(right), 0.75 * static_cast<double>(all));
  for (const char* slide : kSlides) EXPECT_EQ(shell("starpath verify " + results_of(out, slide)).code, 0);
}

TEST_F(Classify, ExportsCarryClassesBesideClusters) {
  const std::string out = study("a"), folder = out + "/" + kSlides[2];
  ASSERT_EQ(shell("starpath cluster " + out + " --k 3 --quiet --export none --no-contact-sheet").code, 0);
  ASSERT_EQ(shell("starpath classify run " + out + " --quiet --model " + model()).code, 0);
  Database(results_of(out, kSlides[2]), Database::Open::existing)
      .execute("UPDATE nucleus_classes SET out_of_range = (id = 1)");
  ASSERT_EQ(shell("starpath export " + folder + " --format geojson,csv,parquet").code, 0);
  const auto exported = json::parse(read_file(folder + "/nuclei.geojson"));
  for (std::size_t i = 0; i < exported["features"].size(); ++i) {
    const json& properties = exported["features"][i]["properties"];
    const std::string name = properties["classification"]["name"];
    EXPECT_EQ(name == "Out of range", i == 0);
    EXPECT_EQ(properties["metadata"].contains("nearest_class"), i == 0);
    if (name == "Large") {
      EXPECT_EQ(properties["classification"]["color"], (json{200, 0, 0}));
    }
    EXPECT_TRUE(properties["metadata"]["cluster"].get<std::string>().starts_with("cluster "));
    EXPECT_EQ(properties["metadata"]["region"], "left");
    EXPECT_EQ(properties["metadata"]["id"], std::to_string(i + 1));
    EXPECT_GT(properties["measurements"]["Class confidence"], 0.4);
  }
  const std::string csv = read_file(folder + "/nuclei.csv");
  EXPECT_NE(csv.find(",region,region_class,cluster,class,class_confidence,out_of_range,nearest_class,"),
            std::string::npos);
  EXPECT_NE(csv.find(",Small,"), std::string::npos);
  std::istringstream lines(csv);
  std::string header, first, second;
  std::getline(std::getline(std::getline(lines, header), first), second);
  EXPECT_NE(first.find(",Out of range,"), std::string::npos) << first;
  EXPECT_TRUE(first.find(",1,Large,") != std::string::npos || first.find(",1,Small,") != std::string::npos) << first;
  EXPECT_EQ(second.find("Out of range"), std::string::npos) << second;
  EXPECT_NE(read_file(folder + "/nuclei.parquet").find("Out of range"), std::string::npos);
  EXPECT_NE(read_file(folder + "/nuclei.parquet").find("class_confidence"), std::string::npos);
}

TEST_F(Classify, NucleiOutOfRangeAreOfNoClass) {
  const std::string out = study("a"), narrow = folder_ / "narrow.json";
  json kept = json::parse(read_file(model()));
  kept["range"] = 5000;  // in squares of 1/256 of a deviation
  std::ofstream(narrow) << kept;
  const auto run = shell("starpath classify run " + out + " --export none --model " + narrow);
  const Database database(out + "/study.sqlite", Database::Open::existing);
  const std::int64_t outside = database.integer("SELECT sum(out_of_range) FROM classes");
  ASSERT_GT(outside, 0);
  expect_says(run, 0, {"Out of range", " out of range ("});
  for (int slide = 1; slide <= 3; ++slide) {
    const auto sum = [&](const std::string& what) {
      return database.integer("SELECT sum(" + what +
                              ") FROM slide_classes WHERE region = 0 AND slide = " + std::to_string(slide));
    };
    std::string line = std::string(kSlides[slide - 1]) + ": ";
    line += std::to_string(sum("(nuclei - out_of_range) * (class = 1)")) + " Large (";
    EXPECT_NE(run.output.find(line), std::string::npos) << line << run.output;
    if (const std::int64_t here = sum("out_of_range"); here > 0) {
      EXPECT_NE(run.output.find(", " + std::to_string(here) + " out of range ("), std::string::npos) << run.output;
    }
  }
  json features = points_on(results_of(out, kSlides[0]), [](std::int64_t) { return true; });
  for (json& feature : features) feature["properties"]["classification"]["name"] = "Out of range";
  write_json(folder_ / "drawn.geojson", features);
  expect_one_line(shell("starpath classify train " + out + "/" + kSlides[0] + " --annotations " +
                        folder_ / "drawn.geojson" + " --out " + folder_ / "m.json"),
                  3, {"'Out of range'", "another name"});
}

TEST_F(Classify, IsTheSameWhateverComputesIt) {
  const std::string first = study("first"), other = study("other");
  ASSERT_EQ(shell("starpath classify run " + first + " --quiet --cpus 1 --policy eager --model " + model()).code, 0);
  ASSERT_EQ(shell("starpath classify run " + other + " --quiet --cpus 2 --policy pats --model " + model()).code, 0);
  EXPECT_EQ(classes_of(first), classes_of(other));
  ASSERT_EQ(shell("starpath classify run " + other + " --quiet --model " + model()).code, 0) << "in place of before";
  EXPECT_EQ(classes_of(first), classes_of(other));
  for (const char* slide : kSlides)
    EXPECT_TRUE(read_file(first + "/" + slide + "/nuclei.geojson") ==
                read_file(other + "/" + slide + "/nuclei.geojson"));
}

// Whenever it is killed, each slide has all of its classes or none, and another run ends as if nothing had been.
TEST_F(Classify, SurvivesKillsAndAResumedRun) {
  const std::string out = study("a"), whole = study("whole");
  const auto run = [](const std::string& folder) {
    return "classify run " + folder + " --quiet --export none --model " + model();
  };
  const double seconds = test::seconds_of(run(whole));
  int killed = 0;
  for (const double moment : {0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
    const auto ended =
        shell("timeout -s KILL " + std::to_string(moment * seconds) + " " STARPATH_PROGRAM " " + run(out));
    killed += ended.code == 137;
    for (const char* slide : kSlides) {
      EXPECT_EQ(shell("starpath verify " + results_of(out, slide)).code, 0) << moment;
      const io::ResultStore store = io::ResultStore::open(results_of(out, slide));
      std::int64_t classified = 0;
      store.for_each_nucleus(false, [&](auto, const io::NucleusRecord& n) { classified += n.classified.number > 0; });
      EXPECT_TRUE(classified == 0 || classified == store.nucleus_count()) << moment;
    }
  }
  EXPECT_GT(killed, 0);
  ASSERT_EQ(shell("starpath " + run(out)).code, 0);
  EXPECT_EQ(classes_of(out), classes_of(whole));
  // A finished study that is resumed keeps its classes.
  ASSERT_EQ(
      shell("starpath segment --quiet --resume --export csv --slides " + made() / "list.csv" + " --out " + out).code,
      0);
  EXPECT_EQ(classes_of(out), classes_of(whole));
}

TEST_F(Classify, OneSlideAloneAndAreas) {
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

TEST_F(Classify, EvaluateSaysWhatTheModelHasSeen) {
  const std::string out = study("a"), start = "starpath classify evaluate " + out + " --model " + model();
  fs::create_directory(folder_ / "checked");
  const std::string file = folder_ / "checked" + "/" + kSlides[2] + ".geojson";
  json features = points_on(results_of(out, kSlides[2]), [](std::int64_t id) { return id > 1; });
  write_json(file, features);
  const auto fresh = shell(start + " --annotations " + folder_ / "checked");
  expect_says(fresh, 0, {"truth \\ said", "Large", "Small", "out of range: ", "2 of 3 slides have no annotations"});
  EXPECT_EQ(fresh.output.find("was trained on"), std::string::npos) << fresh.output;
  expect_says(shell(start + " --annotations " + made() / "drawn"), 0,
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

TEST_F(Classify, BadInputIsOneLineAndChangesNothing) {
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
  expect_one_line(shell(train + folder_ / "none.geojson"), 3, {"none.geojson"});
  fs::create_directory(folder_ / "empty");
  expect_one_line(shell(train + folder_ / "empty"), 3, {"no annotations of a slide"});
  expect_one_line(shell("starpath classify train " + out + " --annotations " + file), 3,
                  {"x.geojson: has the name of no slide", kSlides[0]});
  expect_one_line(shell("starpath classify train " + folder_ / "none --annotations " + file), 3, {"none"});
  EXPECT_FALSE(fs::exists(folder_ / "m.json"));

  const std::string run = "starpath classify run " + out + " --quiet --model ";
  const auto changed = [&](const std::function<void(json&)>& change) {
    json model = json::parse(read_file(Classify::model()));
    change(model);
    std::ofstream(folder_ / "changed.json") << model;
    return shell(run + folder_ / "changed.json");
  };
  expect_one_line(shell(run + folder_ / "none.json"), 3, {"none.json: cannot be read (No such file or directory)"});
  expect_one_line(changed([](json& m) { m["version"] = 9; }), 3, {"changed.json: has version 9"});
  expect_one_line(changed([](json& m) { m["features"][0]["deviation"] = 0; }), 3, {"not above 0"});
  expect_one_line(changed([](json& m) { m["features"][0]["name"] = "nucleus_mood"; }), 5,
                  {"has no feature 'nucleus_mood'"});
  expect_one_line(changed([](json& m) { m["mpp"] = 0.25; }), 5, {"features do not compare"});
  const Database database(results_of(out, kSlides[0]), Database::Open::existing);
  EXPECT_EQ(database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'classes'"), 0);
}

TEST_F(Classify, TakesResultsThatAreInWalMode) {
  const std::string out = study("a");
  for (const char* each : kSlides)
    Database(results_of(out, each), Database::Open::existing).execute("PRAGMA journal_mode = WAL");
  expect_says(shell("starpath classify run " + out + " --export none --model " + model()), 0, {"nuclei of 3 slides"});
}

TEST_F(Classify, WithoutNucleiThereIsNothingToClassify) {
  const std::string out = study("a");
  for (const char* each : kSlides)
    Database(results_of(out, each), Database::Open::existing)
        .execute("DELETE FROM accepted; DELETE FROM objects; DELETE FROM features");
  expect_one_line(shell("starpath classify run " + out + " --quiet --model " + model()), 3, {"holds no nuclei"});
}

}  // namespace
}  // namespace starpath
