// Objects that are dark without being nuclei: collagen beside gaps, keratin, ink.
#pragma once
#include <cstdint>
#include <vector>

#include "io/results/nucleus_store.hpp"

namespace starpath {

/// Takes out of `accepted` (row ids) the objects that hold no more haematoxylin than eosin, by their mean values: a
/// nucleus is what haematoxylin stains. Where that would be more than half of them the stains are misjudged, not the
/// objects, and all stay. Returns how many went.
std::int64_t leave_out_eosin(const io::NucleusStore& nuclei, std::vector<std::int64_t>& accepted);

}  // namespace starpath
