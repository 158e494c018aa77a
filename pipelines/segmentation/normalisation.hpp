// What of a run sees the colours of a reference.
#pragma once

namespace starpath {

/// `first`: the segmentation and the features, as in hybrid-pipelines-2012 and edc-2014, section II. Whether a tile is
/// glass is always decided on the pixels as they were scanned.
enum class Normalised : unsigned char { nothing, features, first };

/// What the parameter `normalise` asks for.
constexpr Normalised normalised_by(double parameter) {
  return parameter < 0.5 ? Normalised::nothing : parameter < 1.5 ? Normalised::features : Normalised::first;
}

}  // namespace starpath
