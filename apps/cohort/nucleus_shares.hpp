// Shares of clusters and classes among nuclei, as columns of tables. Pure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/study/study_store.hpp"

namespace starpath::apps {

/// The columns cluster_1_share and so on after `starpath cluster`, and class_NAME_share and out_of_range_share after
/// `starpath classify run`. The former add up to one, and so do the latter: as in exports, a nucleus out of range is of
/// no class.
class NucleusShares {
 public:
  NucleusShares(const io::StudyClusters& clusters, const io::StudyClasses& classes);

  const std::vector<std::string>& columns() const { return columns_; }
  /// Those of clusters, which come first.
  std::vector<std::string> cluster_columns() const;
  /// Of the nuclei of a slide (region 0) or of one of its regions, by column; NaN where it is not known.
  std::vector<double> of(std::int64_t slide, std::int64_t region) const;
  std::vector<double> of(const io::StudyPatient& patient) const;

 private:
  std::vector<double> shares(const std::vector<std::int64_t>& nuclei) const;

  std::size_t clusters_;
  std::vector<std::string> columns_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>> nuclei_;  // of slide and region, by column
};

}  // namespace starpath::apps
