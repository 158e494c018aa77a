// What is said of accepted nuclei in results.sqlite: regions, clusters and classes.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/results/group_records.hpp"
#include "io/results/result_store.hpp"

namespace starpath::io {

/// Threads and errors: as ResultStore.
class GroupStore {
 public:
  explicit GroupStore(const ResultStore& results) : results_(results.opened()) {}

  /// The regions that the run was asked for; empty without.
  std::vector<RegionRecord> regions() const;
  /// The clusters that accepted nuclei were given; empty before.
  std::vector<ClusterRecord> clusters() const;
  /// Gives each accepted nucleus, in the order of ids, its cluster from 1, or none (0). One transaction.
  void put_clusters(const std::vector<ClusterRecord>& clusters, std::span<const std::uint8_t> of_nuclei);
  /// The classes that accepted nuclei were given; empty before.
  std::vector<ClassRecord> classes() const;
  /// Gives each accepted nucleus, in the order of ids, its class; the classes count theirs. One transaction.
  void put_classes(const std::vector<ClassRecord>& classes, std::span<const ClassOfNucleus> of_nuclei);

 private:
  std::shared_ptr<OpenResults> results_;
};

}  // namespace starpath::io
