// The bounded reconstruction of operation 4: geodesic steps of all pixels at once, by blocks of one vector.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "codelets/cpu/blocks.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::cpu {
namespace {

using Block = Vector<std::uint8_t>;

/// The bounded reconstruction. A step reads one of two images and writes the other, and visits the blocks next to what
/// the step before changed: in any other block both images agree. Steps follow each other down the image a row apart,
/// so that the rows in between stay in the cache.
class BoundedReconstruction {
 public:
  BoundedReconstruction(Scratch& scratch, GrayView marker, GrayView mask)
      : width_(mask.width),
        height_(mask.height),
        mask_(scratch, width_, height_),
        images_{{scratch, width_, height_}, {scratch, width_, height_}},
        marks_{{scratch, blocks(), height_}, {scratch, blocks(), height_}} {
    for (int y = 0; y < height_; ++y) {
      std::copy_n(mask.row(y), width_, mask_.row(y));
      std::transform(marker.row(y), marker.row(y) + width_, mask.row(y), images_[0].row(y),
                     [](std::uint8_t a, std::uint8_t b) { return std::min(a, b); });
      marks_[0].set_row(y);
    }
  }

  /// Once only.
  void run(int steps) {
    bool visited = true;
    for (int first = 0; first < steps && visited; first += steps_at_once) {
      const int count = std::min(steps_at_once, steps - first);
      visited = false;
      for (int wave = 0; wave < height_ + count - 1; ++wave)
        for (int i = std::max(0, wave - height_ + 1); i < std::min(count, wave + 1); ++i)
          visited |= visit_row((first + i) % 2, wave - i);
    }
    result_ = steps % 2;
  }

  const std::uint8_t* row(int y) const { return images_[result_].row(y); }

 private:
  static constexpr int steps_at_once = 64;
  static constexpr int pixels = lanes<std::uint8_t>;  // of a block

  int blocks() const { return (width_ + pixels - 1) / pixels; }

  /// Row y of a step that reads images_[from].
  bool visit_row(int from, int y) {
    bool visited = false;
    for (int k = 0; k < marks_[from].words(); ++k) {
      std::uint64_t bits = std::exchange(marks_[from].word(y, k), 0);
      if (bits == 0) continue;
      visited = true;
      std::uint64_t changed = 0, first = 0, last = 0;
      for (; bits != 0; bits &= bits - 1) {
        const int bit = std::countr_zero(bits);
        const std::uint64_t lanes_changed = raise(from, y, k * word_bits + bit);
        changed |= std::uint64_t{lanes_changed != 0} << bit;
        first |= (lanes_changed & 1) << bit;
        last |= (lanes_changed >> (pixels - 1)) << bit;
      }
      marks_[1 - from].spread(y, k, changed, first, last);
    }
    return visited;
  }

  /// Bit i of the result: pixel i of the block changed.
  std::uint64_t raise(int from, int y, int block) {
    const int x = block * pixels;
    const std::uint8_t* const rows[3] = {images_[from].row(y - 1) + x, images_[from].row(y) + x,
                                         images_[from].row(y + 1) + x};
    const auto highest = [&](int offset) {
      return max_of(max_of(load(rows[0] + offset), load(rows[2] + offset)), load(rows[1] + offset));
    };
    const Block now = min_of(max_of(max_of(highest(-1), highest(1)), highest(0)), load(mask_.row(y) + x));
    std::memcpy(images_[1 - from].row(y) + x, &now, sizeof now);
    return differing_bytes(now, load(rows[1]));
  }

  int width_, height_, result_ = 0;
  Framed<std::uint8_t> mask_, images_[2];
  Marks marks_[2];
};

}  // namespace

void reconstruct8_bounded(const Context& context, GrayView marker, GrayView mask, int steps, View<std::uint8_t> out) {
  const Scratch::Mark mark(context.scratch);
  BoundedReconstruction reconstruction(context.scratch, marker, mask);
  reconstruction.run(steps);
  for (int y = 0; y < mask.height; ++y) std::copy_n(reconstruction.row(y), mask.width, out.row(y));
}

void recon_to_nuclei(const Context& context, GrayView inverted, GrayView opened, View<std::uint8_t> difference) {
  const Scratch::Mark mark(context.scratch);
  BoundedReconstruction reconstruction(context.scratch, opened, inverted);
  reconstruction.run(reconstruction_reach);
  for (int y = 0; y < inverted.height; ++y)
    std::transform(inverted.row(y), inverted.row(y) + inverted.width, reconstruction.row(y), difference.row(y),
                   [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a - b); });
}

}  // namespace starpath::cpu
