// The clusters of a study's nuclei in study.sqlite.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/sqlite.hpp"
#include "io/study/study_transaction.hpp"

namespace starpath::io {

struct StudyCluster {
  std::string name;
  std::uint32_t colour = 0;  // 0xRRGGBB
  std::int64_t nuclei = 0;
  std::vector<std::pair<std::string, double>> centre;  // feature, and its mean over the cluster's nuclei
};

/// How many nuclei of a slide, or of one of its regions, a cluster has.
struct ClusterCount {
  std::int64_t slide, region, cluster;  // numbers; region 0: all of the slide. Cluster from 1
  std::int64_t nuclei;
};

/// The nuclei of a study, clustered.
struct StudyClusters {
  std::string about;  // JSON: how
  std::vector<StudyCluster> clusters;
  std::vector<ClusterCount> counts;  // those with nuclei, by slide, region and cluster
};

/// Replaces what was there.
void put_study_clusters(StudyTransaction& change, const StudyClusters& clusters);
/// Takes a slide's counts away, as its nuclei are others now.
void forget_study_clusters(StudyTransaction& change, std::int64_t slide);
/// From now on, until put_study_clusters(), the clusters of some slides are others than those of the study.
void begin_study_clusters(StudyTransaction& change);
/// Error{mismatch} where nuclei are of a cluster that is not there, and after begin_study_clusters().
StudyClusters read_study_clusters(const Database& database);

}  // namespace starpath::io
