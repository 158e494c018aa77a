// Regions, clusters and classes of the accepted nuclei: tables of results.sqlite that are there only when a run was
// asked for regions, or its nuclei were clustered or classified.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sqlite.hpp"
#include "io/results/checksums.hpp"
#include "io/results/result_tables.hpp"

namespace starpath::io {

/// A region of a run, by its number from 1.
struct RegionRecord {
  std::string name, class_name;  // an empty class: none
  double pixels = 0;             // area that is its own, square level-0 pixels
  std::int64_t nuclei = 0;       // accepted
};

/// A cluster of the study that the results are part of, by its number from 1.
struct ClusterRecord {
  std::string name;
  std::uint32_t colour = 0;  // 0xRRGGBB
  std::int64_t nuclei = 0;   // of these results
};

/// A class of the model that classified the nuclei, by its number from 1.
struct ClassRecord {
  std::string name;
  std::uint32_t colour = 0;  // 0xRRGGBB
  std::int64_t nuclei = 0;   // of these results, also those out of range
  std::string model;         // its digest, the same for all classes
};

/// What a model says of a nucleus.
struct ClassOfNucleus {
  std::int32_t number = 0;    // of the class, from 1; 0: the nuclei were not classified
  double confidence = 0;      // share of its neighbours' weight, 0 to 1
  double distance = 0;        // from its neighbours, deviations
  bool out_of_range = false;  // that is more than the model knows
};

/// The regions of a run, and of each accepted nucleus, in the order of their ids, the number of its region from 1.
struct NucleusRegions {
  std::vector<RegionRecord> regions;  // `nuclei` is counted
  std::vector<std::int32_t> of_nuclei;
};

inline constexpr TableColumns kGroupColumns[] = {
    {"regions", "region,name,class,pixels,nuclei"}, {"nucleus_regions", "id,region"},
    {"clusters", "cluster,name,colour,nuclei"},     {"nucleus_clusters", "id,cluster"},
    {"classes", "class,name,colour,nuclei,model"},  {"nucleus_classes", "id,class,confidence,distance,out_of_range"}};

bool has_regions(const Database& database);
bool has_clusters(const Database& database);
bool has_classes(const Database& database);

// These replace what was there, and its checksum. They run in a transaction of the caller.
void put_regions(Database& database, Checksums& checksums, const NucleusRegions& regions);
void put_clusters(Database& database, Checksums& checksums, const std::vector<ClusterRecord>& clusters,
                  std::span<const std::uint8_t> of_nuclei);
void remove_clusters(Database& database, Checksums& checksums);
/// `nuclei` of the records is counted.
void put_classes(Database& database, Checksums& checksums, std::vector<ClassRecord> classes,
                 std::span<const ClassOfNucleus> of_nuclei);
void remove_classes(Database& database, Checksums& checksums);

/// By number; empty without the table. Throws Error{mismatch} for a damaged one.
std::vector<RegionRecord> read_regions_of(const Database& database);
std::vector<ClusterRecord> read_clusters_of(const Database& database);
std::vector<ClassRecord> read_classes_of(const Database& database);

}  // namespace starpath::io
