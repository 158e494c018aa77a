// `starpath cluster`: labels in results and exports, the same whatever computes them, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/sqlite.hpp"
#include "io/results/nucleus_record.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_store.hpp"
#include "io/slides/slide.hpp"
#include "tests/apps/command.hpp"
#include "tests/support/shared_folder.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::expect_says;
using test::read_file;
using test::SharedFolder;
using test::shell;
using test::TemporaryFolder;

constexpr const char* kClustered[] = {"synthetic_600x500_seed_1", "synthetic_300x700_seed_2",
                                      "synthetic_512x512_seed_3"};

/// A study that tests copy.
const SharedFolder& clustered() {
  static const SharedFolder made("clustered_study", [](const SharedFolder& folder) {
    std::ofstream(folder / "half.geojson")
        << R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,500],[0,500],[0,0]]]},"properties":{"name":"left"}})";
    std::ofstream(folder / "list.csv")
        << "path,patient,group,mpp,roi\n\"synthetic:600x500,seed=1\",P1,A,0.5,half.geojson\n"
           "\"synthetic:300x700,seed=2\",P1,A,0.5,\n\"synthetic:512x512,seed=3\",P2,B,0.5,\n";
    EXPECT_EQ(
        shell("starpath segment --quiet --export none --slides " + folder / "list.csv" + " --out " + folder / "study")
            .code,
        0);
  });
  return made;
}

class Cluster : public testing::Test {
 protected:
  std::string study(const std::string& name) const {
    fs::copy(clustered() / "study", folder_ / name, fs::copy_options::recursive);
    return folder_ / name;
  }
  const TemporaryFolder folder_;
};

std::vector<std::int32_t> labels_of(const std::string& study) {
  std::vector<std::int32_t> labels;
  for (const char* slide : kClustered)
    io::NucleusStore(io::ResultStore::open(study + "/" + slide + "/results.sqlite"))
        .for_each_nucleus(false, [&](std::int64_t, const io::NucleusRecord& n) { labels.push_back(n.cluster); });
  return labels;
}

TEST_F(Cluster, GivesEachNucleusOneAndCountsThem) {
  const std::string out = study("a");
  const auto run = shell("starpath cluster " + out + " --k 4 --json");
  ASSERT_EQ(run.code, 0) << run.output;
  const std::string body = run.output.substr(0, run.output.size() - 1);
  const auto summary = nlohmann::json::parse(body.substr(body.rfind('\n') + 1));
  ASSERT_EQ(summary["clusters"].size(), 4u) << run.output;
  EXPECT_TRUE(summary["settled"]);

  std::map<std::int32_t, std::int64_t> count;
  const auto labels = labels_of(out);
  for (const std::int32_t label : labels) ++count[label];
  ASSERT_EQ(count.size(), 4u);
  const Database database(out + "/study.sqlite", Database::Open::existing);
  std::int64_t before = INT64_MAX;
  for (int c = 1; c <= 4; ++c) {
    const std::string where = " WHERE cluster = " + std::to_string(c);
    EXPECT_EQ(database.integer("SELECT nuclei FROM clusters" + where), count[c]);
    EXPECT_EQ(database.integer("SELECT sum(nuclei) FROM slide_clusters" + where + " AND region = 0"), count[c]);
    EXPECT_LE(count[c], before) << "the largest is the first";
    before = count[c];
  }
  EXPECT_EQ(database.integer("SELECT sum(nuclei) FROM slide_clusters WHERE slide = 1 AND region = 1"),
            database.integer("SELECT nuclei FROM regions WHERE slide = 1"));

  const auto geojson = nlohmann::json::parse(read_file(out + "/" + kClustered[2] + "/nuclei.geojson"));
  std::int64_t first = 0;
  for (const auto& each : geojson["features"]) first += each["properties"]["classification"]["name"] == "cluster 1";
  EXPECT_EQ(first,
            database.integer("SELECT nuclei FROM slide_clusters WHERE slide = 3 AND region = 0 AND cluster = 1"));
  ASSERT_EQ(shell("starpath export " + out + "/" + kClustered[2] + " --format csv").code, 0);
  EXPECT_NE(read_file(out + "/" + kClustered[2] + "/nuclei.csv").find(",cluster,"), std::string::npos);
}

TEST_F(Cluster, IsTheSameWhateverComputesIt) {
  const std::string first = study("first"), other = study("other");
  ASSERT_EQ(shell("starpath cluster " + first + " --k 6 --quiet --cpus 1 --policy eager").code, 0);
  ASSERT_EQ(shell("starpath cluster " + other + " --k 3 --quiet --seed 5").code, 0);
  EXPECT_NE(labels_of(first), labels_of(other));
  ASSERT_EQ(shell("starpath cluster " + other + " --k 6 --quiet").code, 0);  // in place of what was there
  EXPECT_EQ(labels_of(first), labels_of(other));
  for (const char* slide : kClustered)
    EXPECT_TRUE(read_file(first + "/" + slide + "/nuclei.geojson") ==
                read_file(other + "/" + slide + "/nuclei.geojson"));
}

TEST_F(Cluster, LooksAtASampleInEachRoundWhenTold) {
  const std::string first = study("first"), other = study("other");
  expect_says(shell("starpath cluster " + first + " --k 6 --batch 50 --rounds 8 --cpus 1 --export none"), 0,
              {" rounds of 50 nuclei\n"});
  const auto labels = labels_of(first);
  ASSERT_EQ(shell("starpath cluster " + other + " --k 6 --batch 50 --rounds 8 --cpus 2 --quiet").code, 0);
  EXPECT_EQ(labels_of(other), labels);
  const Database database(other + "/study.sqlite", Database::Open::existing);
  EXPECT_EQ(database.integer("SELECT json_extract(value, '$.batch') FROM study WHERE key = 'clusters'"), 50);
  EXPECT_EQ(database.integer("SELECT sum(nuclei) FROM clusters"), std::ssize(labels));

  ASSERT_EQ(shell("starpath cluster " + first + " --k 6 --quiet").code, 0);
  EXPECT_NE(labels_of(first), labels) << "few rounds over few nuclei end elsewhere";
  ASSERT_EQ(shell("starpath cluster " + other + " --k 6 --quiet --batch 1000000").code, 0);
  EXPECT_EQ(labels_of(other), labels_of(first)) << "a batch of all is a round over all";
}

TEST_F(Cluster, ASlideThatCannotBeWrittenChangesNone) {
  const std::string out = study("a"), last = out + "/" + kClustered[2] + "/results.sqlite";
  ASSERT_EQ(shell("starpath cluster " + out + " --k 3 --quiet --export none").code, 0);
  const auto labels = labels_of(out);
  // Who may write everything is kept out by a lock.
  Database holder(last, Database::Open::existing);
  holder.execute("BEGIN IMMEDIATE");
  expect_one_line(shell("starpath cluster " + out + " --k 5 --quiet --export none"), 4, {kClustered[2]});
  holder.execute("ROLLBACK");
  EXPECT_EQ(labels_of(out), labels);
  EXPECT_EQ(shell("starpath report " + out + " --quiet").code, 0);
}

TEST_F(Cluster, ThatEndsHalfWayIsNoticed) {
  const std::string out = study("a"), last = out + "/" + kClustered[2] + "/results.sqlite";
  ASSERT_EQ(shell("starpath cluster " + out + " --k 3 --quiet --export none").code, 0);
  // Damage that only a look before writing finds.
  Database(last, Database::Open::existing).execute("UPDATE tiles SET objects = objects + 1");
  expect_one_line(shell("starpath cluster " + out + " --k 5 --quiet --export none"), 5, {kClustered[2], "is damaged"});
  for (const char* command : {"report", "cohort"})
    expect_one_line(shell(std::string("starpath ") + command + " " + out + " --quiet"), 5,
                    {"study.sqlite", "other clusters", "run it again"});
  Database(last, Database::Open::existing).execute("UPDATE tiles SET objects = objects - 1");
  ASSERT_EQ(shell("starpath cluster " + out + " --k 5 --quiet --export none").code, 0);
  EXPECT_EQ(shell("starpath report " + out + " --quiet").code, 0);
}

TEST_F(Cluster, StaysWhenAFinishedStudyIsResumed) {
  const std::string out = study("a");
  ASSERT_EQ(shell("starpath cluster " + out + " --k 3 --quiet").code, 0);
  const auto labels = labels_of(out);
  ASSERT_EQ(
      shell("starpath segment --quiet --resume --export csv --slides " + clustered() / "list.csv" + " --out " + out)
          .code,
      0);
  EXPECT_EQ(labels_of(out), labels);
  EXPECT_EQ(shell("starpath verify " + out + "/" + kClustered[0] + "/results.sqlite").code, 0);
}

TEST_F(Cluster, ChoosesTheirNumberFromASample) {
  const std::string out = study("a");
  const auto run = shell("starpath cluster " + out + " --k auto --export none --features nucleus_area,nucleus_extent");
  expect_says(run, 0, {"k  2: silhouette", "k 12: silhouette", " nuclei of "});
  EXPECT_EQ(fs::exists(out + "/" + kClustered[0] + "/nuclei.geojson"), false);
}

TEST_F(Cluster, WarnsWhereThereAreNone) {
  const std::string out = study("a"), warning = "below 0.25 clusters cut up what is continuous";
  expect_says(shell("starpath cluster " + out + " --k 8 --export none"), 0,
              {"warning: the mean silhouette is ", warning});
  EXPECT_NE(
      shell("starpath cluster " + out + " --k 8 --export none --json --quiet").output.find("\"warnings\":[\"the mean"),
      std::string::npos);
  const auto clear = shell("starpath cluster " + out + " --k 2 --export none --features nucleus_area");
  EXPECT_EQ(clear.code, 0) << clear.output;
  EXPECT_EQ(clear.output.find("warning"), std::string::npos) << clear.output;
}

// Of a picture with as many rows as clusters, each behind a bar in the cluster's colour.
TEST_F(Cluster, ShowsTypicalNuclei) {
  const std::string out = study("a");
  expect_says(shell("starpath cluster " + out + " --k 3 --export none"), 0, {"clusters.png"});
  const auto sheet = io::open_slide(out + "/clusters.png");
  EXPECT_EQ(sheet->info().height(), 4 + 3 * 100);
  std::vector<Rgb> pixels(static_cast<std::size_t>(sheet->info().width() * sheet->info().height()));
  const int width = static_cast<int>(sheet->info().width());
  sheet->read(0, 0, 0, {pixels.data(), width, static_cast<int>(sheet->info().height()), width});
  const auto at = [&](int x, int y) { return pixels[static_cast<std::size_t>(y * width + x)]; };
  EXPECT_EQ(at(0, 10), (Rgb{0x1f, 0x77, 0xb4}));
  EXPECT_EQ(at(0, 110), (Rgb{0xff, 0x7f, 0x0e}));
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 12; ++column) {
      int outline = 0;
      for (int y = 0; y < 96; ++y)
        for (int x = 0; x < 96; ++x) outline += at(20 + 100 * column + x, 4 + 100 * row + y) == Rgb{0, 255, 64};
      EXPECT_GT(outline, 40) << row << " " << column;
    }
  ASSERT_EQ(shell("starpath cluster " + study("b") + " --k 3 --quiet --export none --no-contact-sheet").code, 0);
  EXPECT_FALSE(fs::exists(folder_ / "b/clusters.png"));
  ASSERT_EQ(shell("starpath cluster " + out + " --k 2 --quiet --export none --no-contact-sheet").code, 0);
  EXPECT_FALSE(fs::exists(out + "/clusters.png")) << "it shows clusters that are no more";
}

TEST_F(Cluster, BadInputIsOneLine) {
  const std::string out = study("a");
  const std::string start = "starpath cluster " + out + " ";
  expect_one_line(shell(start + "--k 1"), 2, {"--k 1"});
  expect_one_line(shell(start + "--k many"), 2, {"--k many"});
  expect_one_line(shell(start + "--features nucleus_mood"), 2, {"nucleus_mood"});
  expect_one_line(shell("starpath cluster " + folder_ / "none"), 3, {"holds no study.sqlite"});
  fs::remove(out + "/" + kClustered[1] + "/results.sqlite");
  expect_one_line(shell(start), 3, {kClustered[1], "is not there"});
}

TEST_F(Cluster, FewNucleiAndFeaturesWithoutVariety) {
  const std::string out = study("a");
  for (const char* slide : kClustered)
    Database(out + "/" + slide + "/results.sqlite", Database::Open::existing)
        .execute("UPDATE features SET nucleus_extent = 0.5");
  const std::string start = "starpath cluster " + out + " --export none ";
  expect_one_line(shell(start + "--quiet --features nucleus_extent"), 2, {"no feature varies", "nucleus_extent"});
  for (const char* slide : kClustered)
    Database(out + "/" + slide + "/results.sqlite", Database::Open::existing)
        .execute("DELETE FROM accepted WHERE id > 1");
  expect_one_line(shell(start + "--k 4"), 2, {"--k 4 is more than the 3 nuclei"});
  for (const char* slide : kClustered)
    Database(out + "/" + slide + "/results.sqlite", Database::Open::existing).execute("DELETE FROM accepted");
  expect_one_line(shell(start), 3, {"holds no nuclei"});
}

TEST_F(Cluster, TakesResultsThatAreInWalMode) {
  const std::string whole = study("whole"), out = study("out"), start = " --k 2 --export none --quiet";
  ASSERT_EQ(shell("starpath cluster " + whole + start).code, 0);
  for (const char* each : kClustered)
    Database(out + "/" + each + "/results.sqlite", Database::Open::existing).execute("PRAGMA journal_mode = WAL");
  Database(out + "/study.sqlite", Database::Open::existing).execute("PRAGMA journal_mode = WAL");
  const auto run = shell("starpath cluster " + out + start);
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_EQ(labels_of(out), labels_of(whole));
}

}  // namespace
}  // namespace starpath
