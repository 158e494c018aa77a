// study.sqlite: what is kept of slides, and what is refused.
#include "io/study/study_store.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "tests/io/put_cohort.hpp"

namespace starpath::io {
namespace {

class StudyStoreTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string error_of(const std::string& version, const std::string& parameters) const {
    try {
      StudyStore::resume(file_, version, parameters);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::mismatch);
      return error.what();
    }
    return "";
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("starpath_study_store_" + std::to_string(getpid()));
  const std::string file_ = (folder_ / "study.sqlite").string();
};

StudySlide slide(const std::string& path, const std::string& folder) {
  return {.path = path,
          .folder = folder,
          .patient = "P1",
          .group = "A",
          .mpp = 0.25,
          .roi = "0,0,10,10",
          .labels = {{"age", "61"}}};
}

TEST_F(StudyStoreTest, KeepsWhatCameOfASlide) {
  StudyStore store = StudyStore::create(file_, "1", "{}");
  ASSERT_EQ(store.take({slide("a.svs", "a"), {.path = "b.svs", .folder = "b"}}), (std::vector<std::int64_t>{1, 2}));
  SlideSummary summary;
  summary.state = SlideState::done;
  summary.nuclei = 5;
  summary.nuclei_per_mm2 = 2.5;
  summary.mpp_source = "file";
  summary.warnings = {"pale", "small"};
  summary.features = {{"nucleus_area", 5, 1, 2, 3, std::nan("")}};
  store.change_rows({{2}});
  store.change_rows({{2, summary}});
  const std::vector<StudyRow> rows = StudyStore::open(file_).rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].slide.labels, (std::vector<std::pair<std::string, std::string>>{{"age", "61"}}));
  EXPECT_EQ(rows[0].slide.mpp, 0.25);
  EXPECT_EQ(rows[0].summary.state, SlideState::waiting);
  EXPECT_EQ(rows[0].summary.nuclei, std::nullopt);
  EXPECT_EQ(rows[1].slide.patient, "");  // nothing of the row that was bound before it
  EXPECT_EQ(rows[1].slide.mpp, 0);
  EXPECT_EQ(rows[1].summary.nuclei, 5);
  EXPECT_EQ(rows[1].summary.tiles, std::nullopt);
  EXPECT_EQ(rows[1].summary.nuclei_per_mm2, 2.5);
  EXPECT_EQ(rows[1].summary.warnings, summary.warnings);
  ASSERT_EQ(rows[1].summary.features.size(), 1u);
  EXPECT_EQ(rows[1].summary.features[0].median, 3);
  EXPECT_TRUE(std::isnan(rows[1].summary.features[0].q3));
}

TEST_F(StudyStoreTest, AFolderThatIsKnownKeepsItsNumberAndState) {
  StudyStore store = StudyStore::create(file_, "1", "{}");
  store.take({slide("a.svs", "a"), slide("b.svs", "b")});
  SlideSummary summary;
  summary.state = SlideState::done;
  store.change_rows({{2, summary}});
  EXPECT_EQ(store.take({{.path = "moved/b.svs", .folder = "b", .labels = {{"sex", "f"}}}, slide("c.svs", "c")}),
            (std::vector<std::int64_t>{2, 3}));
  const std::vector<StudyRow> rows = store.rows();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].slide.path, "moved/b.svs");
  EXPECT_EQ(rows[1].slide.labels, (std::vector<std::pair<std::string, std::string>>{{"sex", "f"}}));
  EXPECT_EQ(rows[1].summary.state, SlideState::done);
}

TEST_F(StudyStoreTest, OtherWorkCannotBeResumed) {
  StudyStore::create(file_, "1", R"({"tile":512})");
  EXPECT_EQ(error_of("1", R"({"tile":512})"), "");
  EXPECT_NE(error_of("2", R"({"tile":512})").find("made by starpath 1, this is 2"), std::string::npos);
  EXPECT_NE(error_of("1", R"({"tile":256})").find("tile was 512 and is 256"), std::string::npos);
}

/// A study as the layout before regions and clusters had it.
void make_layout_1(const std::string& file) {
  StudyStore store = StudyStore::create(file, "1", "{}");
  SlideSummary summary;
  summary.state = SlideState::done;
  summary.nuclei = 5;
  summary.file_state = "as it was";
  store.take({slide("a.svs", "a")});
  store.change_rows({{1, summary}});
  Database database(file, Database::Open::existing);
  for (const char* table : {"regions", "region_features", "clusters", "cluster_centres", "slide_clusters", "checksums"})
    database.execute("DROP TABLE " + std::string(table));
  database.execute("ALTER TABLE slides DROP COLUMN exclude_said; PRAGMA user_version = 1");
}

TEST_F(StudyStoreTest, StudiesOfTheLayoutBeforeAreReadAndGoOn) {
  make_layout_1(file_);
  std::vector<StudyRow> rows = StudyStore::open(file_).rows();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].summary.file_state, "as it was");
  EXPECT_EQ(Database(file_, Database::Open::existing).integer("PRAGMA user_version"), 1);  // only read

  StudyStore store = StudyStore::resume(file_, "1", "{}");
  SlideSummary summary = rows[0].summary;
  summary.regions = {{"R", "Tumor", 3, 0.5, {{"nucleus_area", 3, 1, 2, 3, 4}}}, {"S", "", 2}};
  store.change_rows({{1, summary}});
  store.take({{.path = "a.svs", .folder = "a", .exclude = "pen.geojson"}});
  rows = StudyStore::open(file_).rows();
  EXPECT_EQ(rows[0].summary.nuclei, 5);
  EXPECT_EQ(rows[0].slide.exclude, "pen.geojson");
  ASSERT_EQ(rows[0].summary.regions.size(), 2u);
  EXPECT_EQ(rows[0].summary.regions[0].class_name, "Tumor");
  EXPECT_EQ(rows[0].summary.regions[0].area_mm2, 0.5);
  EXPECT_EQ(rows[0].summary.regions[0].features[0].median, 3);
  EXPECT_TRUE(rows[0].summary.regions[1].features.empty());
}

/// Of two slides, with their patients in a tree.
void put_small_cohort(const std::string& file) {
  starpath::test::put_cohort(file, R"({"k":1})", R"(
INSERT INTO patients VALUES (1, 'P1', 'A', 1, 5, 2.5, 2.0, 1, 1), (2, 'b', NULL, 1, 0, NULL, NULL, NULL, NULL);
INSERT INTO patient_slides VALUES (1, 1), (2, 2);
INSERT INTO patient_features VALUES (1, 'nucleus_area', 5, 1.0, 2.0, 3.0, NULL);
INSERT INTO patient_clusters VALUES (1, 1, 4), (1, 2, 1);
INSERT INTO patient_classes VALUES (1, 1, 3, 1), (1, 2, 2, 0);
INSERT INTO patient_tree VALUES (1, 1, 2, 0.5);)");
}

TEST_F(StudyStoreTest, ReadsTheCohort) {
  StudyStore store = StudyStore::create(file_, "1", "{}");
  store.take({slide("a.svs", "a"), {.path = "b.svs", .folder = "b"}});
  EXPECT_FALSE(store.cohort());
  put_small_cohort(file_);
  const std::optional<Cohort> cohort = StudyStore::open(file_).cohort();
  ASSERT_TRUE(cohort);
  EXPECT_EQ(cohort->about, R"({"k":1})");
  ASSERT_EQ(cohort->patients.size(), 2u);
  const StudyPatient &first = cohort->patients[0], &second = cohort->patients[1];
  EXPECT_EQ(first.name, "P1");
  EXPECT_EQ(first.group, "A");
  EXPECT_EQ(first.slides, 1);
  EXPECT_EQ(first.nuclei, 5);
  EXPECT_EQ(first.nuclei_per_mm2, 2);
  EXPECT_EQ(first.branch, 1);
  EXPECT_EQ(first.place, 1);
  EXPECT_EQ(second.group, "");
  EXPECT_EQ(second.branch, 0);
  EXPECT_TRUE(std::isnan(second.nuclei_per_mm2));
  EXPECT_TRUE(cohort->has_tree);
}

TEST_F(StudyStoreTest, TheCohortGoesWhenWhatItWasMadeOfChanges) {
  StudyStore store = StudyStore::create(file_, "1", "{}");
  const StudySlide first = slide("a.svs", "a");
  const auto put = [&] {
    put_small_cohort(file_);
    ASSERT_TRUE(store.cohort());
  };
  store.take({first});
  put();
  store.take({first});
  EXPECT_TRUE(store.cohort()) << "nothing has changed";
  StudySlide moved = first;
  moved.patient = "P2";
  store.take({moved});
  EXPECT_FALSE(store.cohort());
  put();
  store.take({{.path = "b.svs", .folder = "b"}});
  EXPECT_FALSE(store.cohort());
  put();
  store.change_rows({{1, SlideSummary{}}});
  EXPECT_FALSE(store.cohort());
  put();
  StudySlide labelled = first;
  labelled.labels = {{"stage", "II"}};
  store.take({labelled});
  EXPECT_FALSE(store.cohort()) << "it may be grouped by any column";
  put();
  store.put_clusters({"{}", {{"cluster 1", 0x1f77b4, 5, {{"nucleus_area", 3}}}}, {{1, 0, 1, 5}}});
  EXPECT_FALSE(store.cohort());
  const StudyClusters clusters = store.clusters();
  ASSERT_EQ(clusters.clusters.size(), 1u);
  EXPECT_EQ(clusters.clusters[0].colour, 0x1f77b4u);
  EXPECT_EQ(clusters.clusters[0].centre[0].second, 3);
  ASSERT_EQ(clusters.counts.size(), 1u);
  EXPECT_EQ(clusters.counts[0].nuclei, 5);
}

TEST_F(StudyStoreTest, NucleiOfAClusterThatIsNotThereAreDamage) {
  StudyStore store = StudyStore::create(file_, "1", "{}");
  store.take({slide("a.svs", "a")});
  for (const std::int64_t cluster : {0, 2}) {
    store.put_clusters({"{}", {{"cluster 1", 0x1f77b4, 5, {}}}, {{1, 0, cluster, 5}}});
    EXPECT_THROW((void)store.clusters(), Error) << cluster;
  }
}

TEST_F(StudyStoreTest, ASlideThatIsDoneAgainTakesItsNucleiOutOfTheClasses) {
  StudyStore store = StudyStore::create(file_, "1", "{}");
  store.take({slide("a.svs", "a"), slide("b.svs", "b")});
  EXPECT_TRUE(store.classes().classes.empty());
  store.put_classes({"{}", {{"Tumor", 0xff0000, 12, 3}}, {{1, 0, 1, 5, 1}, {1, 2, 1, 4, 1}, {2, 0, 1, 7, 2}}});
  const StudyClasses read = StudyStore::open(file_).classes();
  EXPECT_EQ(read.about, "{}");
  ASSERT_EQ(read.classes.size(), 1u);
  EXPECT_EQ(read.classes[0].name, "Tumor");
  EXPECT_EQ(read.classes[0].colour, 0xff0000u);
  EXPECT_EQ(read.classes[0].out_of_range, 3);
  ASSERT_EQ(read.counts.size(), 3u);
  EXPECT_EQ(read.counts[1].region, 2);
  EXPECT_EQ(read.counts[1].nuclei, 4);
  EXPECT_EQ(read.counts[2].out_of_range, 2);
  store.change_rows({{1, SlideSummary{}}});
  const Database database(file_, Database::Open::existing);
  EXPECT_EQ(database.integer("SELECT nuclei FROM classes"), 7);
  EXPECT_EQ(database.integer("SELECT out_of_range FROM classes"), 2);
  EXPECT_EQ(database.integer("SELECT count(*) FROM slide_classes"), 1);
}

TEST_F(StudyStoreTest, OtherDatabasesAreRefused) {
  Database(file_, Database::Open::create).execute("CREATE TABLE slides (x)");
  EXPECT_NE(error_of("1", "{}").find("is no study"), std::string::npos);
  std::filesystem::remove(file_);
  StudyStore::create(file_, "1", "{}");
  Database(file_, Database::Open::existing).execute("PRAGMA user_version = 9");
  EXPECT_NE(error_of("1", "{}").find("study of layout 9"), std::string::npos);
}

TEST_F(StudyStoreTest, TablesWithOtherColumnsAreDamage) {
  for (const char* change : {"ALTER TABLE features RENAME COLUMN q1 TO q9", "DROP TABLE labels",
                             "CREATE TABLE runs (run INTEGER PRIMARY KEY, other TEXT)",
                             "CREATE TABLE patient_slides (slide INTEGER PRIMARY KEY, other INTEGER)"}) {
    SCOPED_TRACE(change);
    std::filesystem::remove(file_);
    StudyStore::create(file_, "1", "{}");
    EXPECT_EQ(error_of("1", "{}"), "");
    Database(file_, Database::Open::existing).execute(change);
    EXPECT_NE(error_of("1", "{}").find("or one with other columns"), std::string::npos);
  }
}

/// A study with something in every table.
void make_full_study(const std::string& file) {
  StudyStore store = StudyStore::create(file, "1", "{}");
  store.take({slide("a.svs", "a"), slide("b.svs", "b")});
  SlideSummary summary;
  summary.state = SlideState::done;
  summary.nuclei = 12;
  summary.warnings = {"pale"};
  summary.features = {{"nucleus_area", 12, 31.5, 2, 3, 4}, {"nucleus_extent", 12, 0.5, 0.25, 0.5, 0.75}};
  summary.regions = {{"R", "Tumor", 3, 0.5, {{"nucleus_area", 3, 1, 2, 3, 4}}}};
  store.change_rows({{1, summary}, {2}});
  store.change_rows({{2, summary}});
  store.put_clusters({"{}", {{"cluster 1", 0x1f77b4, 12, {{"nucleus_area", 31.5}}}}, {{1, 0, 1, 12}}});
  store.put_classes({"{}", {{"Tumor", 0xff0000, 12, 3}}, {{1, 0, 1, 12, 3}}});
  store.put_member_clusters(MemberKind::slides, {"{}", {{"cluster 1", 1, {{"nuclei_per_mm2", 31.5}}}}, {{"a", 1}}});
  store.add_run(R"({"seconds":2})");
  put_small_cohort(file);
}

TEST_F(StudyStoreTest, EveryValueIsGuarded) {
  const std::pair<const char*, const char*> changes[] = {
      {"UPDATE slides SET nuclei = 13 WHERE slide = 1", "slide 1"},
      {"UPDATE slides SET file_state = 'x' WHERE slide = 2", "slide 2"},
      {"DELETE FROM slides WHERE slide = 2", "slide 2"},
      {"UPDATE labels SET value = '62' WHERE slide = 2", "slide 2"},
      {"DELETE FROM warnings WHERE slide = 1", "slide 1"},
      {"UPDATE features SET median = 3.5 WHERE slide = 1 AND feature = 'nucleus_area'", "slide 1"},
      {"UPDATE features SET slide = 7 WHERE slide = 2 AND feature = 'nucleus_area'", "slide 2"},
      {"UPDATE regions SET area_mm2 = 0.75 WHERE slide = 1", "slide 1"},
      {"UPDATE region_features SET q1 = 1.5 WHERE slide = 1", "slide 1"},
      {"UPDATE study SET value = '2' WHERE key = 'starpath_version'", "table study"},
      {"UPDATE clusters SET nuclei = 11", "clusters"},
      {"UPDATE cluster_centres SET mean = 31", "clusters"},
      {"DELETE FROM slide_clusters", "clusters"},
      {"UPDATE slide_classes SET nuclei = 11", "classes"},
      {"DROP TABLE classes; DROP TABLE slide_classes", "classes"},
      {"UPDATE patient_features SET mean = 2", "cohort"},
      {"DELETE FROM patient_tree", "cohort"},
      {"DELETE FROM runs", "table runs"},
      {"UPDATE member_clusters SET members = 2", "slides and patients"},
      {"UPDATE member_cluster_centres SET mean = 31", "slides and patients"},
      {"UPDATE cluster_members SET cluster = 2", "slides and patients"},
      {"DELETE FROM checksums WHERE unit = 2", "slide 2 has no checksum"},
      {"DELETE FROM checksums WHERE unit = -4", "cohort has no checksum"},
      {"DELETE FROM checksums", "slide 1 has no checksum"},
      {"DROP TABLE checksums", "no checksums"},
      {"PRAGMA user_version = 2; UPDATE slides SET nuclei = 13 WHERE slide = 1", "slide 1"},
      {"CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM slides; END", "trigger 't'"}};
  for (const auto& [sql, place] : changes) {
    SCOPED_TRACE(sql);
    std::filesystem::remove(file_);
    make_full_study(file_);
    EXPECT_EQ(error_of("1", "{}"), "");
    Database(file_, Database::Open::existing).execute(sql);
    for (const auto& open : {&StudyStore::open, &StudyStore::change}) {
      std::string told;
      try {
        open(file_);
      } catch (const Error& error) {
        told = error.what();
      }
      EXPECT_TRUE(told.starts_with(file_ + ": is damaged") && told.find(place) != std::string::npos) << told;
    }
    EXPECT_NE(error_of("1", "{}"), "");
  }
}

// A transaction gives checksums to what it changes alone. So the next opening finds damage elsewhere.
TEST_F(StudyStoreTest, ATransactionDoesNotHideWhatElseHasChanged) {
  const std::pair<const char*, const char*> changes[] = {{"UPDATE slides SET nuclei = 13 WHERE slide = 1", "slide 1"},
                                                         {"UPDATE clusters SET nuclei = 11", "clusters"},
                                                         {"UPDATE slide_classes SET nuclei = 11", "classes"},
                                                         {"UPDATE runs SET about = '{}'", "table runs"}};
  for (const auto& [sql, place] : changes) {
    SCOPED_TRACE(sql);
    std::filesystem::remove(file_);
    make_full_study(file_);
    StudyStore store = StudyStore::change(file_);
    Database(file_, Database::Open::existing).execute(sql);
    SlideSummary failed;
    failed.state = SlideState::failed;
    store.change_rows({{2}});
    store.change_rows({{2, failed}});
    EXPECT_NE(error_of("1", "{}").find(place), std::string::npos);
  }
}

// One bit anywhere: either nothing that is read differs, or the file is refused.
TEST_F(StudyStoreTest, NoFlippedBitIsTakenForAResult) {
  make_full_study(file_);
  std::ifstream in(file_, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  const auto contents = [&] {
    std::string all;
    StudyStore::open(file_);
    const Database database(file_, Database::Open::existing);
    for (Statement table =
             database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'checksums'");
         table.step();) {
      Statement row = database.prepare("SELECT * FROM " + table.text(0));
      while (row.step())
        for (int column = 0; column < row.columns(); ++column) all += row.text(column) + ' ';
    }
    return all;
  };
  const std::string expected = contents();
  std::mt19937 random(20);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
    std::ofstream(file_, std::ios::binary) << bytes;
    try {
      EXPECT_TRUE(contents() == expected) << round;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5);
}

TEST_F(StudyStoreTest, StudiesWithoutChecksumsStillOpenAndHaveThemAfterwards) {
  make_full_study(file_);
  Database(file_, Database::Open::existing).execute("DROP TABLE checksums; PRAGMA user_version = 2");
  EXPECT_EQ(StudyStore::open(file_).rows().size(), 2u);
  EXPECT_EQ(Database(file_, Database::Open::existing).integer("PRAGMA user_version"), 2) << "only read";
  EXPECT_EQ(error_of("1", "{}"), "");
  EXPECT_EQ(Database(file_, Database::Open::existing).integer("PRAGMA user_version"), 3);
  Database(file_, Database::Open::existing).execute("UPDATE slides SET nuclei = 13 WHERE slide = 1");
  EXPECT_NE(error_of("1", "{}").find("slide 1 is not what was written"), std::string::npos);
}

}  // namespace
}  // namespace starpath::io
