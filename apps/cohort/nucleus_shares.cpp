// Counts by column, divided by their sums.
#include "apps/cohort/nucleus_shares.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace starpath::apps {
namespace {

/// Adds the parts from `first` to `last`, as shares of their sum.
void append_shares(const std::vector<std::int64_t>& nuclei, std::size_t first, std::size_t last,
                   std::vector<double>& shares) {
  const auto begin = nuclei.begin() + static_cast<std::ptrdiff_t>(first);
  const std::int64_t all = std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(last - first), std::int64_t{0});
  for (std::size_t i = first; i < last; ++i)
    shares.push_back(all > 0 ? static_cast<double>(nuclei[i]) / static_cast<double>(all) : std::nan(""));
}

}  // namespace

NucleusShares::NucleusShares(const io::StudyClusters& clusters, const io::StudyClasses& classes)
    : clusters_(clusters.clusters.size()) {
  for (std::size_t c = 1; c <= clusters_; ++c) columns_.push_back(fmt::format("cluster_{}_share", c));
  for (const io::StudyClass& each : classes.classes) columns_.push_back(fmt::format("class_{}_share", each.name));
  if (!classes.classes.empty()) columns_.emplace_back("out_of_range_share");
  const auto counts = [&](std::int64_t slide, std::int64_t region) -> std::vector<std::int64_t>& {
    std::vector<std::int64_t>& found = nuclei_[{slide, region}];
    found.resize(columns_.size());
    return found;
  };
  for (const io::ClusterCount& each : clusters.counts)
    counts(each.slide, each.region).at(static_cast<std::size_t>(each.cluster - 1)) += each.nuclei;
  for (const io::ClassCount& each : classes.counts) {
    std::vector<std::int64_t>& own = counts(each.slide, each.region);
    own.at(clusters_ + static_cast<std::size_t>(each.number - 1)) += each.nuclei - each.out_of_range;
    own.back() += each.out_of_range;
  }
}

std::vector<std::string> NucleusShares::cluster_columns() const {
  return {columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(clusters_)};
}

std::vector<double> NucleusShares::shares(const std::vector<std::int64_t>& nuclei) const {
  std::vector<double> shares;
  append_shares(nuclei, 0, clusters_, shares);
  append_shares(nuclei, clusters_, columns_.size(), shares);
  return shares;
}

std::vector<double> NucleusShares::of(std::int64_t slide, std::int64_t region) const {
  const auto found = nuclei_.find({slide, region});
  return shares(found == nuclei_.end() ? std::vector<std::int64_t>(columns_.size()) : found->second);
}

std::vector<double> NucleusShares::of(const io::StudyPatient& patient) const {
  std::vector<std::int64_t> nuclei(columns_.size());
  for (std::size_t c = 0; c < patient.cluster_nuclei.size(); ++c) nuclei.at(c) = patient.cluster_nuclei[c];
  for (std::size_t c = 0; c < patient.class_nuclei.size(); ++c) {
    nuclei.at(clusters_ + c) = patient.class_nuclei[c].nuclei - patient.class_nuclei[c].out_of_range;
    nuclei.back() += patient.class_nuclei[c].out_of_range;
  }
  return shares(nuclei);
}

}  // namespace starpath::apps
