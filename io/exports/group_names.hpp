// Names of the regions, clusters and classes of results, for exports.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/results/field_labels.hpp"
#include "io/results/group_store.hpp"
#include "io/results/nucleus_record.hpp"

namespace starpath::io {

/// Tables have columns for regions, clusters and classes only when the results hold regions, clusters or classes.
class GroupNames {
 public:
  explicit GroupNames(const GroupStore& groups)
      : regions_(groups.regions()), clusters_(groups.clusters()), classes_(groups.classes()) {}

  bool has_regions() const { return !regions_.empty(); }
  bool has_clusters() const { return !clusters_.empty(); }
  bool has_classes() const { return !classes_.empty(); }
  /// The region of a nucleus; null when it lies in none. The same for its cluster and its class.
  const RegionRecord* region_of(const NucleusRecord& nucleus) const { return in(regions_, nucleus.region); }
  const ClusterRecord* cluster_of(const NucleusRecord& nucleus) const { return in(clusters_, nucleus.cluster); }
  const ClassRecord* class_of(const NucleusRecord& nucleus) const { return in(classes_, nucleus.classified.number); }
  /// The name of its class. A nucleus that is out of the model's range has kOutOfRange.title, one without a class "".
  std::string class_name_of(const NucleusRecord& nucleus) const {
    const ClassRecord* const known = class_of(nucleus);
    if (known == nullptr) return {};
    return nucleus.classified.out_of_range ? std::string(kOutOfRange.title) : known->name;
  }

 private:
  template <class Group>
  static const Group* in(const std::vector<Group>& groups, std::int32_t number) {
    const auto place = static_cast<std::size_t>(number) - 1;  // 0 becomes the largest number
    return place < groups.size() ? &groups[place] : nullptr;
  }

  std::vector<RegionRecord> regions_;
  std::vector<ClusterRecord> clusters_;
  std::vector<ClassRecord> classes_;
};

}  // namespace starpath::io
