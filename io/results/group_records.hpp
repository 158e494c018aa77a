// Regions, clusters and classes of accepted nuclei as results.sqlite holds them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace starpath::io
