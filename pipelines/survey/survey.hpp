// The survey of a slide before it is segmented: levels, stains, glass, and how sure they are.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/stain_vectors.hpp"
#include "pipelines/survey/stain_look.hpp"

namespace starpath {

/// Levels of the difference image (operation 4). Pixels above `seed` (G1) make a nucleus, which reaches as far as
/// pixels above `nucleus` (G2). Pixels with at most the density `haematoxylin` of that stain are no nucleus; 0: no
/// limit.
struct Levels {
  int seed = 80, nucleus = 45;
  int haematoxylin = 0;
  friend bool operator==(const Levels&, const Levels&) = default;
};

using Place = std::array<std::int64_t, 2>;  // x, y

/// The result of a survey. Integers and text only: the same bytes for any device, order, window, tile size and rank.
struct Survey {
  std::int64_t fields = 0;         // that were looked at
  std::int64_t fields_of = 0;      // that the region of interest has
  std::int64_t fields_spoilt = 0;  // of those looked at, left out for ink or dark
  std::int64_t fields_nuclei = 0;  // with nuclei at these levels
  std::int64_t tissue = 0;         // pixels that decide
  std::vector<Place> places;       // of the fields that were looked at: their upper left corners, working pixels

  Levels levels;
  bool levels_found = false;  // else the defaults
  int otsu = 0;               // of the tissue's differences; 0 without tissue
  int separation = 0;         // of its two classes: variance between them, percent of the whole

  Rgb white = kDefaultWhite;
  bool white_found = false;

  StainVectors stains = kDefaultStains;
  bool stains_found = false;
  /// Fields whose own stains are the slide's, and fields that have stains of their own.
  std::int64_t stains_agree = 0, stains_of = 0;
  /// How strong the stains are (StainLook): 0 where they are unsure.
  int haematoxylin_strength = 0, eosin_strength = 0;

  std::vector<std::string> warnings;  // one sentence each

  /// Histograms for people: of tissue by difference and by haematoxylin, and of glass by gray value.
  std::array<std::int64_t, 256> difference{}, haematoxylin{}, glass{};

  /// A pixel is glass when all its channels are above this.
  int background_level() const;
  /// How sure the stains are, percent: fields that agree, out of one more than there are. So one field alone gives 50.
  int stain_confidence() const;
  friend bool operator==(const Survey&, const Survey&) = default;
};

/// How the slide looks; nothing where its stains or their strengths are unsure.
std::optional<StainLook> look_of(const Survey& survey);

/// Canonical JSON: one line, the same for equal surveys.
std::string to_json(const Survey& survey);
/// Throws Error{mismatch} for any text that to_json did not make.
Survey survey_from_json(const std::string& text);

/// One or two lines for people, without the warnings.
std::vector<std::string> describe(const Survey& survey);

}  // namespace starpath
