// Where a synthetic slide has tissue, how cellular it is, and which nuclei and red blood cells lie there.
#pragma once
#include <cstdint>
#include <vector>

#include "io/synthetic/spec.hpp"

namespace starpath::io {

/// The slowly varying properties of tissue at a place.
struct TissueProperties {
  std::int32_t depth;        // > 0 in tissue, < 0 on glass; about +-20000
  std::int32_t cellularity;  // 0 (stroma) to 65535 (packed cells)
  std::int32_t orientation;  // 0 to 65535: which way fibres run
  std::int32_t blood;        // > 0 in a vessel
  std::int32_t stain = 0;    // see StromaField
};

/// A blob with an irregular outline: nucleus or red blood cell. All places in slide pixels.
struct Cell {
  float x, y;                  // centre
  float cosine, sine;          // of the long axis
  float inverse_a, inverse_b;  // of the half axes
  float three, four;           // strength of the outline's three- and fourfold bumps
  float reach_x, reach_y;      // half the size of the bounding box, blurred edge included
  std::uint8_t r, g, b;
  std::uint8_t rim;       // how much darker the outline is
  std::uint8_t grain;     // strength of the texture
  std::uint32_t texture;  // where in the grain texture it starts
  std::int32_t id;        // 1 …; unique over the slide

  /// Level function: < 1 inside. Plain arithmetic only, so that it is the same everywhere.
  float level(float dx, float dy) const {
    const float u = (dx * cosine + dy * sine) * inverse_a, v = (dy * cosine - dx * sine) * inverse_b;
    const float uu = u * u, vv = v * v, q = uu + vv;
    if (q > 1.6f) return 2.0f;  // the bumps are only meant for the neighbourhood of the outline
    return q + three * u * (uu - 3 * vv) + four * (uu * uu - 6 * uu * vv + vv * vv);
  }
};

/// A pure function of its specification; construction takes well under a millisecond. Thread-safe.
class TissueMap {
 public:
  /// Throws Error{usage} when nuclei of so large a slide could not be numbered in 31 bits.
  explicit TissueMap(const SyntheticSpec& spec);
  TissueProperties at(std::int64_t x, std::int64_t y) const;
  SyntheticPattern pattern() const { return spec_.pattern; }

  /// Cells that touch the region, in the order in which they are drawn (later ones on top).
  std::vector<Cell> nuclei(std::int64_t x, std::int64_t y, int width, int height) const;
  std::vector<Cell> red_cells(std::int64_t x, std::int64_t y, int width, int height) const;

 private:
  template <class Make>
  std::vector<Cell> collect(std::int64_t x, std::int64_t y, int width, int height, std::int64_t cell, int slots,
                            const Make& make) const;
  bool make_nucleus(std::int64_t i, std::int64_t j, int slot, Cell& out) const;
  bool make_red_cell(std::int64_t i, std::int64_t j, Cell& out) const;
  TissueProperties stroma_at(std::int64_t design_x, std::int64_t design_y) const;
  std::int32_t raw_depth(std::int64_t x, std::int64_t y) const;

  SyntheticSpec spec_;
  float zoom_;                            // slide pixels per design pixel (0.5 um)
  std::int64_t to_design_;                // design pixels per slide pixel, 8 fraction bits
  std::int64_t nucleus_cell_, red_cell_;  // sides of the squares that hold up to nucleus_slots nuclei, or one red cell
  int tissue_shift_;
  std::int32_t threshold_ = 0;
  float density_;
};

}  // namespace starpath::io
