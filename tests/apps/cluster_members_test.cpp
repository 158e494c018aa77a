// `starpath cluster --of slides|patients`: tables, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/sqlite.hpp"
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

/// Four slides and their patients.
std::string list(const std::array<const char*, 4>& patients) {
  std::string text = "path,patient,mpp\n";
  int seed = 0;
  for (const char* patient : patients)
    text += "\"synthetic:320x320,seed=" + std::to_string(++seed) + "\"," + patient + ",0.5\n";
  return text;
}

/// Four slides of three patients, and an empty one. Tests copy it.
const SharedFolder& made_study() {
  static const SharedFolder made("study_of_members", [](const SharedFolder& folder) {
    std::ofstream(folder / "list.csv") << list({"P1", "P1", "P2", "P3"}) << "\"synthetic:256x256,density=0\",P4,0.5\n";
    const auto run =
        shell("starpath segment --quiet --export none --slides " + folder / "list.csv" + " --out " + folder / "study");
    EXPECT_EQ(run.code, 0) << run.output;
  });
  return made;
}

class ClusterMembers : public testing::Test {
 protected:
  std::string study(const std::string& name) const {
    fs::copy(made_study() / "study", folder_ / name, fs::copy_options::recursive);
    return folder_ / name;
  }
  const TemporaryFolder folder_;
};

std::int64_t number(const std::string& study, const std::string& sql) {
  return Database(study + "/study.sqlite", Database::Open::existing).integer(sql);
}

TEST_F(ClusterMembers, WritesATableAndTheStudy) {
  const std::string out = study("a"), table = out + "/clusters_of_slides.csv";
  expect_says(shell("starpath cluster " + out + " --of slides --k 2"), 0,
              {table + "\n", "4 slides in 2 clusters", "warning: ", "has no nuclei, and is left out"});
  const std::string text = read_file(table);
  EXPECT_TRUE(text.starts_with("folder,cluster,slides,nuclei,nuclei_per_mm2,nucleus_area_mean,")) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 5);
  EXPECT_EQ(number(out, "SELECT sum(members) FROM member_clusters WHERE kind = 'slides'"), 4);
  EXPECT_EQ(number(out, "SELECT count(*) FROM cluster_members JOIN slides ON folder = name WHERE cluster IN (1, 2)"),
            4);
  EXPECT_EQ(number(out, "SELECT count(*) FROM member_cluster_centres WHERE value = 'nucleus_area_mean'"), 2);
  EXPECT_EQ(number(out, "SELECT count(*) FROM clusters"), 0) << "nuclei have none";
  EXPECT_EQ(shell("starpath verify " + out).code, 0);
}

TEST_F(ClusterMembers, OfPatientsStandBesideThoseOfSlides) {
  const std::string out = study("a");
  ASSERT_EQ(shell("starpath cluster " + out + " --of slides --quiet").code, 0);
  const auto run = shell("starpath cluster " + out + " --of patients --k 2 --json --features nucleus_area");
  ASSERT_EQ(run.code, 0) << run.output;
  const std::string body = run.output.substr(0, run.output.size() - 1);
  const auto summary = nlohmann::json::parse(body.substr(body.rfind('\n') + 1));
  EXPECT_EQ(summary["of"], "patients");
  EXPECT_EQ(summary["clusters"][0]["patients"], 2);
  EXPECT_TRUE(read_file(out + "/clusters_of_patients.csv")
                  .starts_with("patient,cluster,slides,nuclei,nuclei_per_mm2,nucleus_area_mean\r\nP1,"));
  EXPECT_EQ(number(out, "SELECT count(DISTINCT kind) FROM member_clusters"), 2);
  EXPECT_EQ(number(out, "SELECT count(*) FROM study WHERE key IN ('clusters_of_slides', 'clusters_of_patients')"), 2);
}

TEST_F(ClusterMembers, AreTheSameWhateverComputesThem) {
  const std::string first = study("first"), other = study("other"), call = " --of slides --k 3 --quiet";
  ASSERT_EQ(shell("starpath cluster " + first + call + " --cpus 1 --policy eager").code, 0);
  ASSERT_EQ(shell("starpath cluster " + other + call + " --cpus 2 --policy pats").code, 0);
  EXPECT_EQ(read_file(first + "/clusters_of_slides.csv"), read_file(other + "/clusters_of_slides.csv"));
}

TEST_F(ClusterMembers, GoWhenAPatientChanges) {
  const std::string out = study("a"), again = folder_ / "again.csv";
  ASSERT_EQ(shell("starpath cluster " + out + " --of patients --quiet").code, 0);
  std::ofstream(again) << list({"P1", "P1", "P2", "P2"});
  ASSERT_EQ(shell("starpath segment --quiet --export none --resume --slides " + again + " --out " + out).code, 0);
  EXPECT_EQ(number(out, "SELECT count(*) FROM cluster_members"), 0);
  EXPECT_EQ(number(out, "SELECT count(*) FROM study WHERE key = 'clusters_of_patients'"), 0);
  EXPECT_EQ(shell("starpath verify " + out).code, 0);
}

TEST_F(ClusterMembers, BadInputIsOneLine) {
  const std::string out = study("a"), start = "starpath cluster " + out + " ";
  expect_one_line(shell(start + "--of slides --k 5"), 2, {"--k 5 is more than the 4 slides"});
  expect_one_line(shell(start + "--of tiles"), 2, {"--of", "tiles"});
  expect_one_line(shell(start + "--of slides --batch 10"), 2, {"--batch", "--of slides"});
  expect_one_line(shell(start + "--of slides --export csv"), 2, {"--export", "--of slides"});
  expect_one_line(shell(start + "--of patients --features nucleus_mood"), 2, {"nucleus_mood"});
  std::ofstream(out + "/clusters_of_slides.csv") << "mine\n";
  expect_one_line(shell(start + "--of slides"), 4,
                  {"clusters_of_slides.csv", "is no file that `starpath cluster` wrote"});
  EXPECT_EQ(read_file(out + "/clusters_of_slides.csv"), "mine\n");
  EXPECT_EQ(number(out, "SELECT count(*) FROM sqlite_schema WHERE name = 'member_clusters'"), 0);
}

TEST_F(ClusterMembers, AListWithoutPatientsIsRefused) {
  const std::string out = folder_ / "plain";
  ASSERT_EQ(shell("starpath segment --quiet --export none --out " + out +
                  " synthetic:300x300,seed=1 synthetic:256x256,density=0")
                .code,
            0);
  expect_one_line(shell("starpath cluster " + out + " --of patients"), 3,
                  {"no slide has a patient", "--slides LIST --resume"});
  expect_one_line(shell("starpath cluster " + out + " --of slides"), 3, {"1 slide done and with nuclei", "two slides"});
}

}  // namespace
}  // namespace starpath
