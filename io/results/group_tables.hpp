// The tables of regions, clusters and classes of accepted nuclei. They are there only when a run was asked for regions,
// or its nuclei were clustered or classified.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/sqlite.hpp"
#include "io/results/checksums.hpp"
#include "io/results/group_records.hpp"
#include "io/results/result_tables.hpp"

namespace starpath::io {

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
