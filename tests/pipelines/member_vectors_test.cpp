// Slides and patients as vectors, and their clusters.
#include "pipelines/study_clusters/member_vectors.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "pipelines/run/starpu_session.hpp"
#include "pipelines/study_clusters/cluster_members.hpp"

namespace starpath {
namespace {

using Lines = std::vector<std::string>;

io::StudyRow row(const std::string& folder, const std::string& patient, std::int64_t nuclei, double mm2, double area) {
  io::StudyRow row;
  row.slide.folder = folder;
  row.slide.patient = patient;
  row.summary.state = io::SlideState::done;
  row.summary.nuclei = nuclei;
  if (mm2 > 0) row.summary.analysed_mm2 = mm2;
  row.summary.features = {{"nucleus_area", nuclei, area, 0, 0, 0}, {"nucleus_extent", 0, 0, 0, 0, 0}};
  return row;
}

std::vector<io::StudyRow> three_patients() {
  std::vector<io::StudyRow> rows = {row("a", "P1", 10, 2, 30), row("b", "", 6, 3, 50), row("c", "P1", 30, 6, 34),
                                    row("d", "P2", 0, 1, 0), row("e", "P2", 5, 0, 40)};
  rows.push_back(row("f", "P1", 1000, 1, 1));
  rows.back().summary.state = io::SlideState::incomplete;
  return rows;
}

TEST(MemberVectors, OfSlidesAreDensityAndMeans) {
  Lines left_out;
  const auto found = member_vectors(three_patients(), io::MemberKind::slides, {"nucleus_area"}, left_out);
  EXPECT_EQ(found.columns, (Lines{"nuclei_per_mm2", "nucleus_area_mean"}));
  ASSERT_EQ(found.members.size(), 4u);
  EXPECT_EQ(found.members[2].name, "c");
  EXPECT_EQ(found.members[2].nuclei, 30);
  EXPECT_EQ(found.members[2].values, (std::vector<double>{5, 34}));
  EXPECT_TRUE(std::isnan(found.members[3].values[0])) << "its area is not known";
  EXPECT_EQ(left_out, (Lines{"d has no nuclei, and is left out"}));
}

TEST(MemberVectors, OfPatientsAreOverAllTheirNuclei) {
  Lines left_out;
  const auto found =
      member_vectors(three_patients(), io::MemberKind::patients, {"nucleus_area", "nucleus_extent"}, left_out);
  ASSERT_EQ(found.members.size(), 3u);
  EXPECT_EQ(found.members[0].name, "P1");
  EXPECT_EQ(found.members[0].slides, 2);
  EXPECT_EQ(found.members[0].nuclei, 40);
  EXPECT_EQ(found.members[0].values[0], 5);
  EXPECT_DOUBLE_EQ(found.members[0].values[1], 33) << "weighed by nuclei";
  EXPECT_TRUE(std::isnan(found.members[0].values[2])) << "no nucleus has a number";
  EXPECT_EQ(found.members[1].name, "b") << "a slide without a patient is one of its own";
  EXPECT_EQ(found.members[2].slides, 1) << "a slide without nuclei is left out";
}

TEST(MemberClusters, PartMembersByTheirValues) {
  MemberVectors vectors{{"nuclei_per_mm2", "nucleus_area_mean", "nucleus_extent_mean"}, {}};
  for (int i = 0; i < 9; ++i)
    vectors.members.push_back({"m" + std::to_string(i), 1, 100, {i < 3 ? 100.0 + i : 900.0 + i, 30 + 0.1 * i, 0.5}});
  const std::atomic<bool> stop{false};
  const ClusterProgress progress{[](const std::string&) {}, [](double) {}};
  for (const int cpus : {1, 2}) {
    const StarpuSession session({.policy = "eager", .cpus = cpus, .gpus = 0});
    const auto found = cluster_members({.features = {}, .centres = {.k = 2}}, vectors, progress, stop);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->clusters.clusters.size(), 2u);
    EXPECT_EQ(found->clusters.clusters[0].members, 6);
    EXPECT_NEAR(found->clusters.clusters[0].centre[0].second, 905.5, 2);
    EXPECT_EQ(found->clusters.clusters[0].centre.size(), 2u);
    for (int i = 0; i < 9; ++i)
      EXPECT_EQ(found->clusters.members[static_cast<std::size_t>(i)],
                std::pair("m" + std::to_string(i), std::int64_t{i < 3 ? 2 : 1}));
    EXPECT_EQ(found->warnings, (Lines{"left out, as all slides have the same: nucleus_extent_mean"}));
  }
  const StarpuSession session({.policy = "eager", .cpus = 1, .gpus = 0});
  EXPECT_FALSE(cluster_members({}, vectors, progress, std::atomic<bool>{true}));
}

}  // namespace
}  // namespace starpath
