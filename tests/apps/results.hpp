// Reads the accepted nuclei of a results file for comparison.
#pragma once
#include <map>
#include <string>
#include <utility>

#include "io/results/nucleus_record.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_store.hpp"

namespace starpath::test {

/// Outlines by first pixel: which pixels belong to which nucleus, whatever its number.
inline std::map<std::pair<std::int64_t, std::int64_t>, io::Contour> outlines(const std::string& folder) {
  std::map<std::pair<std::int64_t, std::int64_t>, io::Contour> found;
  const io::ResultStore store = io::ResultStore::open(folder + "/results.sqlite");
  io::NucleusStore(store).for_each_nucleus(false, [&](std::int64_t, const io::NucleusRecord& nucleus) {
    found[{nucleus.first_y, nucleus.first_x}] = nucleus.contour;
  });
  return found;
}

}  // namespace starpath::test
