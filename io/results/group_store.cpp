// Regions, clusters and classes, a transaction each.
#include "io/results/group_store.hpp"

#include "io/results/group_tables.hpp"
#include "io/results/open_results.hpp"

namespace starpath::io {

std::vector<RegionRecord> GroupStore::regions() const { return read_regions_of(results_->database()); }

std::vector<ClusterRecord> GroupStore::clusters() const { return read_clusters_of(results_->database()); }

void GroupStore::put_clusters(const std::vector<ClusterRecord>& clusters, std::span<const std::uint8_t> of_nuclei) {
  results_->transact(
      [&](Checksums& checksums) { io::put_clusters(results_->database(), checksums, clusters, of_nuclei); });
}

std::vector<ClassRecord> GroupStore::classes() const { return read_classes_of(results_->database()); }

void GroupStore::put_classes(const std::vector<ClassRecord>& classes, std::span<const ClassOfNucleus> of_nuclei) {
  results_->transact(
      [&](Checksums& checksums) { io::put_classes(results_->database(), checksums, classes, of_nuclei); });
}

}  // namespace starpath::io
