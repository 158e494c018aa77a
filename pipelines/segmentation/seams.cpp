// Resolution of nuclei that two tiles both see.
#include "pipelines/segmentation/seams.hpp"

#include "pipelines/segmentation/box_index.hpp"

namespace starpath {
std::vector<bool> resolve_seams(std::span<const SeamNucleus> nuclei, const Overlap& overlap) {
  std::vector<bool> counts(nuclei.size(), false);
  BoxIndex taken;  // what counts, and what its owner left out as glass
  const auto clashes = [&](std::size_t id) {
    return taken.any(nuclei[id].box, [&](std::size_t other) {
      return nuclei[other].tile != nuclei[id].tile && !intersection(nuclei[other].box, nuclei[id].box).empty() &&
             overlap(other, id);
    });
  };
  const auto decide = [&](io::NucleusRole role) {
    for (std::size_t id = 0; id < nuclei.size(); ++id) {
      if (nuclei[id].role != role || clashes(id)) continue;
      counts[id] = true;
      taken.insert(id, nuclei[id].box);
    }
  };
  decide(io::NucleusRole::owned);
  for (std::size_t id = 0; id < nuclei.size(); ++id)
    if (nuclei[id].role == io::NucleusRole::background) taken.insert(id, nuclei[id].box);
  decide(io::NucleusRole::candidate);
  return counts;
}

}  // namespace starpath
