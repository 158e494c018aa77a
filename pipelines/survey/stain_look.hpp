// How a slide's stains look, and the map of colours that gives them the look of another slide. Pure.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/normalise.hpp"
#include "codelets/kernels/stain_vectors.hpp"

namespace starpath {

/// White where a slide shows no glass. glass_level() of it is 220.
inline constexpr Rgb kDefaultWhite{245, 245, 245};

/// The differences between slides of one tissue. Strengths are densities (deconvolution.hpp) in units of 1 / 16: of
/// haematoxylin in the pixels that the survey takes for nuclei, of eosin in the other tissue.
struct StainLook {
  StainVectors stains;
  int haematoxylin, eosin;
  Rgb white;
  friend bool operator==(const StainLook&, const StainLook&) = default;
};

/// The look of normalised slides: the default stains on the default glass, as strong as in a well stained section.
inline constexpr StainLook kReferenceLook{kDefaultStains, 1600, 640, kDefaultWhite};

/// The amounts of haematoxylin and eosin in a colour under this white, in units of 1 / 16; below 0 is possible.
struct StainAmounts {
  int haematoxylin, eosin;
};
StainAmounts stain_amounts_of(Rgb colour, Rgb white, const StainVectors& stains);

/// The map under which a slide that looks like `from` looks like `to`. The strengths of both are positive, and the
/// stains of neither parallel. A strength changes by four times at most. From integers by + - * / and square roots
/// alone: the same bits everywhere.
ColourMap colour_map(const StainLook& from, const StainLook& to);

}  // namespace starpath
