// Which facts of a tile the time of each codelet depends on.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "codelets/starpu/tile_facts.hpp"

namespace starpath::codelets {

/// A codelet that is no row declares nothing: the estimator compares the sizes of its buffers.
struct DeclaredFacts {
  std::string_view codelet;
  std::array<Fact, 4> facts;
  std::size_t count;

  template <class... Facts>
  constexpr DeclaredFacts(std::string_view name, Facts... declared)
      : codelet(name), facts{declared...}, count(sizeof...(declared)) {}

  constexpr std::span<const Fact> all() const { return std::span(facts).first(count); }
};

inline constexpr auto kDeclaredFacts = [] {
  using enum Fact;
  return std::array{
      DeclaredFacts{"read", pixels},
      DeclaredFacts{"background", pixels},
      DeclaredFacts{"count_background", pixels},
      DeclaredFacts{"rbc", pixels, tissue_pixels},
      DeclaredFacts{"morph_open", pixels},
      DeclaredFacts{"recon_to_nuclei", pixels, tissue_pixels, dark_pixels, dark_runs},
      DeclaredFacts{"fill_holes", pixels, tissue_pixels, dark_pixels, dark_runs},
      DeclaredFacts{"area_threshold", pixels, dark_pixels, dark_runs},
      DeclaredFacts{"select", pixels, dark_pixels, dark_runs},
      DeclaredFacts{"pre_watershed", pixels, dark_pixels, dark_runs},
      DeclaredFacts{"detect", pixels},
      DeclaredFacts{"infer", pixels},
      DeclaredFacts{"infer_labels", pixels},
      DeclaredFacts{"read_scores", pixels},
      DeclaredFacts{"marked_relief", pixels, dark_pixels, dark_runs},
      DeclaredFacts{"watershed", pixels, dark_pixels, dark_runs},
      DeclaredFacts{"bwlabel", pixels, dark_pixels, dark_runs},
      DeclaredFacts{"read_labels", pixels},
      DeclaredFacts{"object_boxes", pixels, objects},
      DeclaredFacts{"ownership", objects},
      DeclaredFacts{"normalise", pixels},
      DeclaredFacts{"colour_deconvolution", pixels, nuclei, patch_pixels},
      DeclaredFacts{"nucleus_regions", nuclei, patch_pixels},
      DeclaredFacts{"shape_features", nuclei, patch_pixels},
      DeclaredFacts{"intensity_features", nuclei, patch_pixels},
      DeclaredFacts{"gradient_features", nuclei, patch_pixels},
      DeclaredFacts{"edge_features", nuclei, patch_pixels},
      DeclaredFacts{"texture_features", nuclei, patch_pixels},
      DeclaredFacts{"collect", objects, nuclei, patch_pixels},
      DeclaredFacts{"whole_tile", pixels},
      DeclaredFacts{"survey_read", pixels},
      DeclaredFacts{"survey", pixels, tissue_pixels},
      DeclaredFacts{"nbia_read", pixels},
      DeclaredFacts{"area_average", level_pixels},
      DeclaredFacts{"nbia_statistics", level_pixels, tissue_pixels},
      DeclaredFacts{"nbia_classify", level_pixels, tissue_pixels},
  };
}();

/// The row of the codelet of this name; kDeclaredFacts.size() without one.
constexpr std::size_t row_of(std::string_view codelet) {
  std::size_t row = 0;
  while (row < kDeclaredFacts.size() && kDeclaredFacts[row].codelet != codelet) ++row;
  return row;
}

}  // namespace starpath::codelets
