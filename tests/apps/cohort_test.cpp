// `starpath cohort`: patients summed up, branches, the test beside groups, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "base/sqlite.hpp"
#include "io/results/nucleus_record.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_store.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/made_up_study.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::expect_says;
using test::MadeUpSlide;
using test::read_file;
using test::shell;
using test::TemporaryFolder;

/// Two kinds of patients, `each` of both, of two groups that agree but for the first `crossed`.
std::vector<MadeUpSlide> two_kinds(int each, int crossed) {
  std::vector<MadeUpSlide> slides;
  for (int i = 0; i < 2 * each; ++i) {
    const bool large = i % 2 == 1;
    slides.push_back({"P" + std::to_string(i), (large != (i < 2 * crossed)) ? "treated" : "control",
                      (large ? 80.0 : 40.0) + i * 0.1, large ? 0.8 : 0.4});
  }
  return slides;
}

nlohmann::json cohort_summary(const test::Outcome& run) {
  std::string line, last;
  for (std::istringstream lines(run.output); std::getline(lines, line);)
    if (line.starts_with("{\"")) last = line;
  return nlohmann::json::parse(last);
}

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  std::string line;
  for (std::istringstream text(read_file(file)); std::getline(text, line);) lines.push_back(line);
  return lines;
}

class CohortTest : public testing::Test {
 protected:
  std::string study(const std::vector<MadeUpSlide>& slides) const {
    test::make_study(folder_ / "study", slides);
    return folder_ / "study";
  }
  const TemporaryFolder folder_;
};

TEST_F(CohortTest, FindsBranchesAndTestsThemBesideGroups) {
  const std::string out = study(two_kinds(6, 0));
  const auto run = shell("starpath cohort " + out + " --json");
  ASSERT_EQ(run.code, 0) << run.output;
  const nlohmann::json summary = cohort_summary(run);
  EXPECT_EQ(summary["patients"], 12);
  EXPECT_EQ(summary["k"], 2);
  EXPECT_EQ(summary["group_table"]["groups"], nlohmann::json::parse(R"(["control", "treated"])"));
  EXPECT_EQ(summary["group_table"]["patients"], nlohmann::json::parse("[[6, 0], [0, 6]]"));
  const nlohmann::json& test = summary["group_table"]["test"];
  EXPECT_EQ(test["arrangements"], 924);
  EXPECT_TRUE(test["every"]);
  EXPECT_DOUBLE_EQ(test["p"], 2.0 / 924);
  const Database database(out + "/study.sqlite", Database::Open::existing);
  EXPECT_EQ(database.integer("SELECT count(*) FROM patients WHERE (branch = 1) = (\"group\" = 'control')"), 12);
  EXPECT_EQ(database.integer("SELECT count(DISTINCT place) FROM patients"), 12);
  EXPECT_EQ(database.integer("SELECT count(*) FROM patient_tree"), 11);
  const std::string map = read_file(out + "/heatmap.svg");
  EXPECT_NE(map.find("<svg "), std::string::npos) << map;
  EXPECT_NE(map.find("<title>P3, nucleus_area_median: 80.3"), std::string::npos) << map;
}

/// Twelve patients of three kinds; the area of the fourth is not known, and the eighth has no group.
std::vector<MadeUpSlide> three_kinds() {
  return {{"P0", "A", 44.5, 0.59, 338, 1.0}, {"P1", "A", 66.5, 0.75, 422, 1.1},  {"P2", "B", 93.6, 0.31, 375, 1.3},
          {"P3", "A", 40.3, 0.6, 331, 0},    {"P4", "B", 69.9, 0.72, 107, 1.3},  {"P5", "B", 90.3, 0.39, 407, 0.5},
          {"P6", "A", 43.5, 0.58, 365, 0.7}, {"P7", "", 65.0, 0.71, 435, 0.8},   {"P8", "A", 95.7, 0.33, 217, 1.0},
          {"P9", "A", 44.5, 0.51, 155, 1.3}, {"P10", "B", 72.7, 0.78, 100, 0.7}, {"P11", "A", 93.8, 0.4, 303, 0.9}};
}

using Merges = std::vector<std::tuple<int, int, double>>;

void expect_tree(const std::string& study, const Merges& merges) {
  const Database database(study + "/study.sqlite", Database::Open::existing);
  ASSERT_EQ(database.integer("SELECT count(*) FROM patient_tree"), std::ssize(merges));
  Statement tree = database.prepare("SELECT first, second, height FROM patient_tree ORDER BY merge");
  for (std::size_t i = 0; tree.step(); ++i) {
    EXPECT_EQ(tree.integer(0), std::get<0>(merges[i])) << i;
    EXPECT_EQ(tree.integer(1), std::get<1>(merges[i])) << i;
    EXPECT_NEAR(tree.real(2), std::get<2>(merges[i]), 1e-12) << i;
  }
}

/// As 0.2.0 computed them, in C++.
TEST_F(CohortTest, NumbersAreThoseOfBefore) {
  const std::string out = study(three_kinds());
  nlohmann::json found = cohort_summary(shell("starpath cohort --json " + out));
  EXPECT_EQ(found["k"], 5);
  const std::vector<double> silhouettes = {0.4756238581772531, 0.4179814599509681, 0.44881041552090944,
                                           0.5134321937111063, 0.5084321864556589, 0.5026098566836777,
                                           0.4240778798780376};
  ASSERT_EQ(found["silhouettes"].size(), silhouettes.size());
  for (std::size_t i = 0; i < silhouettes.size(); ++i)
    EXPECT_NEAR(found["silhouettes"][i]["silhouette"], silhouettes[i], 1e-12);
  ASSERT_EQ(found["values"].size(), 3u);
  EXPECT_EQ(found["values"][0]["value"], "nuclei_per_mm2");
  EXPECT_NEAR(found["values"][0]["mean"], 344.3035222353404, 1e-9);
  EXPECT_NEAR(found["values"][0]["deviation"], 207.28040008900172, 1e-9);
  EXPECT_EQ(found["group_table"]["patients"], nlohmann::json::parse("[[4, 1, 0, 2, 0], [0, 0, 2, 1, 1]]"));
  const nlohmann::json test = found["group_table"]["test"];
  EXPECT_NEAR(test["chi_square"], 8.119047619047617, 1e-12);
  EXPECT_EQ(test["arrangements"], 330);
  EXPECT_EQ(test["p"], 0.05454545454545454);
  EXPECT_EQ(test["least_p"], 0.012121212121212121);
  expect_tree(out, {{1, 2, 0.215377585813475},
                    {9, 10, 0.3805898822705477},
                    {7, 8, 0.4941690300944897},
                    {14, 11, 0.7441132175803675},
                    {5, 6, 0.8150948939603424},
                    {13, 3, 1.0119594267910867},
                    {18, 4, 1.7780952128098857},
                    {17, 15, 2.432056046310611},
                    {16, 12, 3.177614364609576},
                    {19, 20, 3.2744364993898967},
                    {22, 21, 6.1177388078934225}});
  found = cohort_summary(shell("starpath cohort --json --linkage average --k 4 " + out));
  EXPECT_EQ(found["group_table"]["test"]["p"], 0.14545454545454545);
  expect_tree(out, {{1, 2, 0.215377585813475},
                    {9, 10, 0.3805898822705477},
                    {7, 8, 0.4941690300944897},
                    {14, 11, 0.6691712994073012},
                    {5, 6, 0.8150948939603424},
                    {13, 3, 0.8829569819681549},
                    {18, 4, 1.4656140552052659},
                    {17, 15, 1.7367482782010282},
                    {19, 20, 1.9755199383576896},
                    {16, 12, 2.605095360104494},
                    {21, 22, 3.0906668350413056}});
}

TEST_F(CohortTest, TablesAreThoseOfBefore) {
  const std::string out = study(three_kinds());
  ASSERT_EQ(shell("starpath cohort --quiet --linkage average --k 4 " + out).code, 0);
  const auto lines = lines_of(out + "/patients.csv"), slides = lines_of(out + "/slides.csv");
  ASSERT_EQ(lines.size(), 13u);
  EXPECT_EQ(lines[1], "P0,A,1,1,1,338,1,338,44.5,44.5,44.5,44.5,0.59,0.59,0.59,0.59\r");
  EXPECT_EQ(lines[2], "P1,A,2,5,1,422,1.1,383.6363636363636,66.5,66.5,66.5,66.5,0.75,0.75,0.75,0.75\r");
  EXPECT_EQ(lines[4], "P3,A,1,2,1,331,,,40.3,40.3,40.3,40.3,0.6,0.6,0.6,0.6\r");
  EXPECT_EQ(lines[6], "P5,B,4,12,1,407,0.5,814,90.3,90.3,90.3,90.3,0.39,0.39,0.39,0.39\r");
  EXPECT_EQ(lines[8], "P7,,2,6,1,435,0.8,543.75,65,65,65,65,0.71,0.71,0.71,0.71\r");
  ASSERT_EQ(slides.size(), 13u);
  EXPECT_EQ(slides[8], "8,s8,s8.svs,P7,,435,0.8,,,65,65,65,65,0.71,0.71,0.71,0.71\r");
}

TEST_F(CohortTest, SaysWhatThereIsInWords) {
  const std::string out = study(two_kinds(4, 1));
  const auto run = shell("starpath cohort " + out);
  expect_says(
      run, 0,
      {"k  2: silhouette", "branch 1", "no sign that branches and groups go together (p = 0.486", "all 70 arrangements",
       "warning: the smallest group has 4", "8 patients, 8 slides, 800 nuclei, 2 branches"});
}

TEST_F(CohortTest, TellsNoPOfFew) {
  const std::string out = study(two_kinds(3, 0));
  const auto run = shell("starpath cohort " + out + " --json");
  const nlohmann::json table = cohort_summary(run)["group_table"];
  EXPECT_FALSE(table.contains("test")) << table;
  EXPECT_NE(table["verdict"].get<std::string>().find("not tested: with groups of 3, 3"), std::string::npos) << table;
  EXPECT_NE(table["verdict"].get<std::string>().find("below 0.1"), std::string::npos) << table;
}

TEST_F(CohortTest, DrawsArrangementsWhenThereAreMany) {
  const std::string out = study(two_kinds(12, 2));
  const std::string start = "starpath cohort " + out + " --json --permutations 999 --seed ";
  const nlohmann::json first = cohort_summary(shell(start + "5"))["group_table"];
  EXPECT_EQ(first["test"]["arrangements"], 999);
  EXPECT_FALSE(first["test"]["every"]);
  EXPECT_NE(first["verdict"].get<std::string>().find("999 drawn arrangements, seed 5"), std::string::npos) << first;
  EXPECT_EQ(first, cohort_summary(shell(start + "5"))["group_table"]);
}

TEST_F(CohortTest, IsTheSameEachTime) {
  const std::string out = study(two_kinds(5, 1));
  ASSERT_EQ(shell("starpath cohort " + out + " --quiet --k 4 --linkage average").code, 0);
  const std::string patients = read_file(out + "/patients.csv"), map = read_file(out + "/heatmap.svg");
  ASSERT_EQ(shell("starpath cohort " + out + " --quiet --k 2").code, 0);
  EXPECT_NE(read_file(out + "/patients.csv"), patients);
  ASSERT_EQ(shell("starpath cohort " + out + " --quiet --k 4 --linkage average").code, 0);
  EXPECT_EQ(read_file(out + "/patients.csv"), patients);
  EXPECT_EQ(read_file(out + "/heatmap.svg"), map);
}

TEST_F(CohortTest, TakesAnotherColumnAsGroup) {
  auto slides = two_kinds(4, 0);
  for (std::size_t i = 0; i < slides.size(); ++i) slides[i].labels = {{"stage", i < 4 ? "I" : "II"}};
  const std::string out = study(slides);
  expect_says(shell("starpath cohort " + out + " --group stage"), 0, {"\nI ", "\nII "});
  expect_one_line(shell("starpath cohort " + out + " --group grade"), 2, {"--group grade", "group, stage"});
}

TEST_F(CohortTest, SlidesWithoutAPatientAreTheirOwn) {
  const std::string out = study({{"", "A"}, {"s1", "A", 60}, {"P3", "B", 70, 0.7}, {"", "", 80, 0.2}});
  ASSERT_EQ(shell("starpath cohort " + out + " --quiet").code, 0);
  const auto lines = lines_of(out + "/patients.csv");
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_TRUE(
      lines[0].starts_with("patient,group,branch,place,slides,nuclei,analysed_mm2,nuclei_per_mm2,"
                           "nucleus_area_mean,nucleus_area_q1,nucleus_area_median,nucleus_area_q3,"))
      << lines[0];
  EXPECT_TRUE(lines[1].starts_with("s1 (slide),A,")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("s1,A,")) << lines[2];
  EXPECT_TRUE(lines[4].starts_with("s4,,")) << lines[4];
  EXPECT_EQ(lines_of(out + "/slides.csv").size(), 5u);
  EXPECT_FALSE(fs::exists(out + "/regions.csv"));
}

TEST_F(CohortTest, OddPatientsAreOneLineEach) {
  auto slides = two_kinds(4, 0);
  slides.push_back({"empty", "control", 0, 0, 0});
  slides.push_back({"lost", "control", 50, 0.5, 100, 1, io::SlideState::failed});
  slides.push_back({"unmeasured", "control", 60, NAN, 100, 0});
  const std::string out = study(slides);
  const auto run = shell("starpath cohort " + out);
  expect_says(run, 0,
              {"warning: empty has no nuclei, and is left out of the tree", "warning: s10 is failed, and left out",
               "warning: patient lost has no slide that is done, and is left out",
               "warning: left out, as patients do not differ in it: nuclei_per_mm2",
               "warning: 1 of 9 patients lack nucleus_eccentricity_median: the mean takes its place"});
  EXPECT_EQ(lines_of(out + "/patients.csv").size(), 11u);
  EXPECT_NE(read_file(out + "/patients.csv").find("empty,control,,,1,0,1,0,,,,,"), std::string::npos)
      << read_file(out + "/patients.csv");
}

TEST_F(CohortTest, WithoutDifferencesOrPatientsThereAreTablesOnly) {
  const std::string same = study({{"P1"}, {"P2"}, {"P3"}});
  expect_says(shell("starpath cohort " + same), 0, {"no branches: patients differ in no value", "patients.csv"});
  EXPECT_FALSE(fs::exists(same + "/heatmap.svg"));
  test::make_study(folder_ / "one", {{"P1"}});
  expect_says(shell("starpath cohort " + folder_ / "one"), 0, {"no branches: 1 patient with nuclei", "not tested"});
  test::make_study(folder_ / "none", {{"P1", "", 0, 0, 0}, {"P2", "", 0, 0, 0}});
  expect_says(shell("starpath cohort " + folder_ / "none"), 0, {"no branches: 0 patients with nuclei"});
}

TEST_F(CohortTest, BadInputIsOneLineAndNothingIsWritten) {
  const std::string out = study(two_kinds(2, 0)), start = "starpath cohort " + out + " ";
  expect_one_line(shell(start + "--k 5"), 2, {"--k 5 is more than the 4 patients"});
  expect_one_line(shell(start + "--k 1"), 2, {"--k 1 makes no sense"});
  expect_one_line(shell(start + "--features nucleus_mood"), 2, {"nucleus_mood"});
  expect_one_line(shell(start + "--values nucleus_area"), 2, {"--values nucleus_area:"});
  expect_one_line(shell("starpath cohort " + folder_ / "nowhere"), 3, {"holds no study.sqlite"});
  EXPECT_FALSE(fs::exists(out + "/patients.csv"));
  test::make_study(folder_ / "failed", {{"P1", "", 1, 1, 1, 1, io::SlideState::failed}});
  expect_one_line(shell("starpath cohort " + folder_ / "failed"), 3, {"none of its slides is done"});
}

/// A real study: a patient with two slides, one with regions.
TEST_F(CohortTest, SumsUpAllNucleiOfAPatient) {
  std::ofstream(folder_ / "half.geojson")
      << R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,500],[0,500],[0,0]]]},"properties":{"name":"left, \"upper\""}})";
  std::ofstream(folder_ / "list.csv")
      << "path,patient,group,mpp,roi\n\"synthetic:600x500,seed=1\",P1,A,0.5,half.geojson\n"
         "\"synthetic:300x700,seed=2\",P1,B,0.5,\n\"synthetic:400x400,seed=3\",P2,B,0.5,\n";
  const std::string out = folder_ / "real";
  ASSERT_EQ(shell("starpath segment --quiet --export none --slides " + folder_ / "list.csv" + " --out " + out).code, 0);
  ASSERT_EQ(shell("starpath cluster --quiet --export none --no-contact-sheet --k 3 " + out).code, 0);
  expect_says(shell("starpath cohort " + out), 0, {"patient P1 has slides of several groups, and so none"});

  std::vector<double> areas;
  std::int64_t first_cluster = 0;
  for (const char* slide : {"synthetic_600x500_seed_1", "synthetic_300x700_seed_2"})
    io::NucleusStore(io::ResultStore::open(out + "/" + slide + "/results.sqlite"))
        .for_each_nucleus_with({"nucleus_area"}, [&](std::int64_t, const io::NucleusRecord& nucleus) {
          areas.push_back(nucleus.features[0]);
          first_cluster += nucleus.cluster == 1;
        });
  std::ranges::sort(areas);
  ASSERT_GT(areas.size(), 20u);
  const auto cohort = io::StudyStore::open(out + "/study.sqlite").cohort();
  ASSERT_TRUE(cohort);
  ASSERT_EQ(cohort->patients.size(), 2u);
  const io::StudyPatient& patient = cohort->patients[0];
  EXPECT_EQ(patient.nuclei, std::ssize(areas));
  EXPECT_EQ(patient.slides, 2);
  EXPECT_EQ(patient.group, "");
  const Database database(out + "/study.sqlite", Database::Open::existing);
  EXPECT_EQ(database.integer("SELECT count(*) FROM patient_slides WHERE patient = 1 AND slide IN (1, 2)"), 2);
  EXPECT_EQ(database.integer("SELECT count(*) FROM patient_features WHERE patient = 1"), 20);
  EXPECT_EQ(database.integer("SELECT count(*) FROM patient_features WHERE feature = 'nucleus_area'"), 2);
  double sum = 0;
  for (const double each : areas) sum += each;
  Statement area =
      database.prepare("SELECT median, mean FROM patient_features WHERE patient = 1 AND feature = 'nucleus_area'");
  while (area.step()) {
    EXPECT_DOUBLE_EQ(area.real(0), (areas[(areas.size() - 1) / 2] + areas[areas.size() / 2]) / 2);
    EXPECT_NEAR(area.real(1), sum / static_cast<double>(areas.size()), 1e-9);
  }
  EXPECT_EQ(database.integer("SELECT nuclei FROM patient_clusters WHERE patient = 1 AND cluster = 1"), first_cluster);
  EXPECT_EQ(database.integer("SELECT sum(nuclei) FROM patient_clusters WHERE patient = 1"), patient.nuclei);

  const auto regions = lines_of(out + "/regions.csv");
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_TRUE(regions[1].starts_with("1,synthetic_600x500_seed_1,1,\"left, \"\"upper\"\"\",")) << regions[1];
  EXPECT_EQ(std::ranges::count(lines_of(out + "/slides.csv")[0], ','), 8 + 20 * 4 + 3);

  // A slide that is there no more, once its nuclei are needed again.
  fs::remove(out + "/synthetic_300x700_seed_2/results.sqlite");
  expect_one_line(shell("starpath cohort --quiet " + out), 3, {"synthetic_300x700_seed_2", "is not there"});
  EXPECT_TRUE(io::StudyStore::open(out + "/study.sqlite").cohort());
}

/// The last patient's nuclei were found again, and have no class yet.
TEST_F(CohortTest, SharesOfClassesLeaveOutWhatIsOutOfRange) {
  const std::string out = study(two_kinds(2, 0));
  io::StudyClasses classes{"{}", {{"Tumor, large", 1, 160, 20}, {"Other", 2, 140, 10}}, {}};
  classes.counts = {{1, 0, 1, 60, 20}, {1, 0, 2, 40, 0}, {2, 0, 1, 100, 0}, {3, 0, 2, 100, 10}};
  io::StudyStore::change(out + "/study.sqlite").put_classes(classes);
  expect_says(shell("starpath cohort " + out + " --values class_Other_share,out_of_range_share,nuclei_per_mm2"), 0,
              {"warning: P3 has nuclei without a class, and so no shares of classes: run `starpath classify run` again",
               "warning: 1 of 4 patients lack class_Other_share, out_of_range_share"});
  for (const char* table : {"/slides.csv", "/patients.csv"}) {
    const auto lines = lines_of(out + table);
    ASSERT_EQ(lines.size(), 5u) << table;
    const auto ends = [&](std::size_t line, const std::string& end) {
      EXPECT_TRUE(lines[line].ends_with(end + "\r")) << lines[line];
    };
    ends(0, ",\"class_Tumor, large_share\",class_Other_share,out_of_range_share");
    ends(1, ",0.4,0.4,0.2");
    ends(2, ",1,0,0");
    ends(3, ",0,0.9,0.1");
    ends(4, ",,,");
  }
  EXPECT_NE(read_file(out + "/heatmap.svg").find("<title>P2, class_Other_share: 0.9"), std::string::npos);
  const Database database(out + "/study.sqlite", Database::Open::existing);
  EXPECT_EQ(
      database.integer("SELECT nuclei * 1000 + out_of_range FROM patient_classes WHERE patient = 1 AND class = 1"),
      60'020);
  EXPECT_EQ(database.integer("SELECT count(*) FROM patient_classes"), 6);

  // Not compared by unless said; and classes of another model are none of this cohort's.
  const auto usual = shell("starpath cohort --json " + out);
  EXPECT_EQ(usual.output.find("class_Other_share"), std::string::npos) << usual.output;
  expect_one_line(shell("starpath cohort " + out + " --values class_Stroma_share"), 2,
                  {"class_Stroma_share", "class_Other_share"});
  io::StudyStore::change(out + "/study.sqlite").put_classes({"{}", {{"New", 1, 0, 0}}, {}});
  EXPECT_FALSE(io::StudyStore::open(out + "/study.sqlite").cohort());
}

TEST_F(CohortTest, TextOfTheListIsNoFormula) {
  auto slides = two_kinds(2, 0);
  slides[0].patient = "=HYPERLINK(1)";
  slides[0].group = "-3";
  slides[1].group = "@x";
  const std::string out = study(slides);
  ASSERT_EQ(shell("starpath cohort --quiet " + out).code, 0);
  const auto lines = lines_of(out + "/patients.csv");
  EXPECT_TRUE(lines[1].starts_with("'=HYPERLINK(1),-3,")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("P1,'@x,")) << lines[2];
  EXPECT_EQ(io::StudyStore::open(out + "/study.sqlite").cohort()->patients[0].name, "=HYPERLINK(1)");
}

TEST_F(CohortTest, TablesOfOthersStay) {
  const std::string out = study(two_kinds(2, 0));
  ASSERT_EQ(shell("starpath cohort --quiet " + out).code, 0);
  ASSERT_EQ(shell("starpath cohort --quiet " + out).code, 0) << "its own are replaced";
  for (const char* name : {"/slides.csv", "/regions.csv", "/patients.csv"}) {
    std::ofstream(out + name, std::ios::binary) << "path,patient\na.svs,P1\n";
    expect_one_line(shell("starpath cohort --quiet " + out), 4, {name, "move it away"});
    EXPECT_EQ(read_file(out + name), "path,patient\na.svs,P1\n");
    fs::remove(out + name);
  }
  EXPECT_TRUE(io::StudyStore::open(out + "/study.sqlite").cohort()) << "what was there lasts";
}

TEST_F(CohortTest, NamesThatAreNoUtf8AreReplacedInThePicture) {
  std::vector<MadeUpSlide> slides = two_kinds(2, 0);
  slides[0].patient = "M\xfcller ]]>";
  const std::string out = study(slides);
  ASSERT_EQ(shell("starpath cohort --quiet " + out).code, 0);
  const std::string map = read_file(out + "/heatmap.svg");
  EXPECT_NE(map.find("M\xef\xbf\xbdller ]]&gt;"), std::string::npos) << map;
}

}  // namespace
}  // namespace starpath
