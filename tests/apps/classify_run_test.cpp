// `starpath classify run`: classes in results and exports, and what is refused.
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <tuple>

#include "base/sqlite.hpp"
#include "io/results/group_store.hpp"
#include "io/results/nucleus_store.hpp"
#include "tests/apps/classified_study.hpp"
#include "tests/apps/kills.hpp"

namespace starpath {
namespace {

using nlohmann::json;
using test::class_of;
using test::classify_material;
using test::expect_one_line;
using test::expect_says;
using test::kSlides;
using test::read_file;
using test::results_of;
using test::shell;
using ClassifyRun = test::ClassifiedStudy;

/// Number, confidence and range of every nucleus of a study.
std::vector<std::tuple<std::int32_t, double, bool>> classes_of(const std::string& study) {
  std::vector<std::tuple<std::int32_t, double, bool>> classes;
  for (const char* slide : kSlides)
    io::NucleusStore(io::ResultStore::open(results_of(study, slide)))
        .for_each_nucleus(false, [&](std::int64_t, const io::NucleusRecord& n) {
          classes.emplace_back(n.classified.number, n.classified.confidence, n.classified.out_of_range);
        });
  return classes;
}

TEST_F(ClassifyRun, RunGivesEachNucleusAClassAndCountsThem) {
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
  io::NucleusStore(io::ResultStore::open(results_of(out, kSlides[2])))
      .for_each_nucleus(false, [&](auto, const io::NucleusRecord& n) {
        ++all;
        right += class_of(n) == (n.classified.number == 1 ? "Large" : "Small");
      });
  EXPECT_GT(static_cast<double>(right), 0.75 * static_cast<double>(all));
  for (const char* slide : kSlides) EXPECT_EQ(shell("starpath verify " + results_of(out, slide)).code, 0);
}

TEST_F(ClassifyRun, ExportsCarryClassesBesideClusters) {
  const std::string out = study("a"), folder = out + "/" + kSlides[2];
  ASSERT_EQ(shell("starpath cluster " + out + " --k 3 --quiet --export none --no-contact-sheet").code, 0);
  ASSERT_EQ(shell("starpath classify run " + out + " --quiet --model " + model()).code, 0);
  {  // the first nucleus alone is out of range
    const std::string results = results_of(out, kSlides[2]);
    const io::RunKey key = io::ResultStore::open(results).key();
    io::ResultStore store = io::ResultStore::resume(results, key);
    std::vector<io::ClassOfNucleus> said;
    io::NucleusStore(store).for_each_nucleus(false, [&](std::int64_t, const io::NucleusRecord& nucleus) {
      said.push_back(nucleus.classified);
      said.back().out_of_range = said.size() == 1;
    });
    io::GroupStore(store).put_classes(io::GroupStore(store).classes(), said);
  }
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

TEST_F(ClassifyRun, NucleiOutOfRangeAreOfNoClass) {
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
}

TEST_F(ClassifyRun, IsTheSameWhateverComputesIt) {
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
TEST_F(ClassifyRun, SurvivesKillsAndAResumedRun) {
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
      io::NucleusStore(store).for_each_nucleus(
          false, [&](auto, const io::NucleusRecord& n) { classified += n.classified.number > 0; });
      EXPECT_TRUE(classified == 0 || classified == io::NucleusStore(store).nucleus_count()) << moment;
    }
  }
  EXPECT_GT(killed, 0);
  ASSERT_EQ(shell("starpath " + run(out)).code, 0);
  EXPECT_EQ(classes_of(out), classes_of(whole));
  // A finished study that is resumed keeps its classes.
  ASSERT_EQ(shell("starpath segment --quiet --resume --export csv --slides " + classify_material() / "list.csv" +
                  " --out " + out)
                .code,
            0);
  EXPECT_EQ(classes_of(out), classes_of(whole));
}

TEST_F(ClassifyRun, ABadModelIsOneLineAndChangesNothing) {
  const std::string out = study("a");
  const std::string run = "starpath classify run " + out + " --quiet --model ";
  const auto changed = [&](const std::function<void(json&)>& change) {
    json model = json::parse(read_file(ClassifiedStudy::model()));
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

TEST_F(ClassifyRun, TakesResultsThatAreInWalMode) {
  const std::string out = study("a");
  for (const char* each : kSlides)
    Database(results_of(out, each), Database::Open::existing).execute("PRAGMA journal_mode = WAL");
  expect_says(shell("starpath classify run " + out + " --export none --model " + model()), 0, {"nuclei of 3 slides"});
}

TEST_F(ClassifyRun, WithoutNucleiThereIsNothingToClassify) {
  const std::string out = study("a");
  for (const char* each : kSlides)
    Database(results_of(out, each), Database::Open::existing)
        .execute("DELETE FROM accepted; DELETE FROM objects; DELETE FROM features");
  expect_one_line(shell("starpath classify run " + out + " --quiet --model " + model()), 3, {"holds no nuclei"});
}

}  // namespace
}  // namespace starpath
