// Clusters of a study's slides and of its patients: tables of study.sqlite that are there once `starpath cluster --of`
// has written them, until a slide or its patient changes.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/sqlite.hpp"
#include "io/study/study_transaction.hpp"

namespace starpath::io {

/// What one vector stands for.
enum class MemberKind { slides, patients };
/// "slides", "patients".
const char* name_of(MemberKind kind);

struct MemberCluster {
  std::string name;
  std::int64_t members = 0;
  std::vector<std::pair<std::string, double>> centre;  // value, and its mean over the cluster's members
};

struct MemberClusters {
  std::string about;  // JSON: how
  std::vector<MemberCluster> clusters;
  std::vector<std::pair<std::string, std::int64_t>> members;  // a slide's folder or a patient, and its cluster from 1
};

/// Makes the tables, unless they are there.
void make_member_cluster_tables(Database& database);
/// Replaces what was there of this kind. Without clusters nothing is left of it.
void put_member_clusters(StudyTransaction& change, MemberKind kind, const MemberClusters& clusters);
/// Takes all of them away, as what they were made of has changed.
void remove_member_clusters(StudyTransaction& change);

}  // namespace starpath::io
