// The bounded reconstruction of operation 4: geodesic steps of all pixels at once, by blocks of a few vectors.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "codelets/cpu/blocks.hpp"
#include "codelets/kernels/reconstruct.hpp"

namespace starpath::cpu {
namespace {

using Line = Vector<std::uint8_t>;

Line highest_of_three(const std::uint8_t* p) { return max_of(max_of(load(p - 1), load(p + 1)), load(p)); }

/// The bounded reconstruction. A step reads one of two images and writes the other. It visits the blocks next to the
/// blocks that the step before changed: in any other block both images agree. Steps follow each other down the image a
/// row of blocks apart, so that the rows in between stay in the cache.
class BoundedReconstruction {
 public:
  BoundedReconstruction(Scratch& scratch, GrayView marker, GrayView mask)
      : columns_((mask.width + kBlockWidth - 1) / kBlockWidth),
        rows_((mask.height + kBlockHeight - 1) / kBlockHeight),
        mask_(scratch, mask.width, rows_ * kBlockHeight),
        images_{{scratch, mask.width, rows_ * kBlockHeight}, {scratch, mask.width, rows_ * kBlockHeight}},
        marks_{{scratch, columns_, rows_}, {scratch, columns_, rows_}} {
    for (int y = 0; y < mask.height; ++y) {
      std::copy_n(mask.row(y), mask.width, mask_.row(y));
      std::transform(marker.row(y), marker.row(y) + mask.width, mask.row(y), images_[0].row(y),
                     [](std::uint8_t a, std::uint8_t b) { return std::min(a, b); });
    }
    for (int y = mask.height; y < rows_ * kBlockHeight; ++y)
      for (const Framed<std::uint8_t>* image : {&mask_, &images_[0]})
        std::fill_n(image->row(y), mask.width, std::uint8_t{0});
    for (int row = 0; row < rows_; ++row) marks_[0].set_row(row);
  }

  /// Once only.
  void run(int steps) {
    bool visited = true;
    for (int first = 0; first < steps && visited; first += kStepsAtOnce) {
      const int count = std::min(kStepsAtOnce, steps - first);
      visited = false;
      for (int wave = 0; wave < rows_ + count - 1; ++wave)
        for (int i = std::max(0, wave - rows_ + 1); i < std::min(count, wave + 1); ++i)
          visited |= visit_row((first + i) % 2, wave - i);
    }
    result_ = steps % 2;
  }

  const std::uint8_t* row(int y) const { return images_[result_].row(y); }

 private:
  // Four lines share the maxima of the lines around them, and the cost of finding the block. Higher blocks hold more
  // that does not change; more steps at once outgrow the second-level cache.
  static constexpr int kBlockWidth = kLanes<std::uint8_t>, kBlockHeight = 4;
  static constexpr int kStepsAtOnce = 32;

  /// A row of blocks of a step that reads images_[from].
  bool visit_row(int from, int row) {
    bool visited = false;
    for (int k = 0; k < marks_[from].words(); ++k) {
      std::uint64_t bits = std::exchange(marks_[from].word(row, k), 0);
      if (bits == 0) continue;
      visited = true;
      ChangedBlocks changed;
      for (; bits != 0; bits &= bits - 1) {
        const int bit = std::countr_zero(bits);
        raise(from, row, k * kWordBits + bit, bit, changed);
      }
      marks_[1 - from].spread(row, k, changed);
    }
    return visited;
  }

  /// One step of a block; sets its bit of `changed`.
  void raise(int from, int row, int column, int bit, ChangedBlocks& changed) {
    const std::ptrdiff_t x = std::ptrdiff_t{column} * kBlockWidth, stride = mask_.stride();
    const int y = row * kBlockHeight;
    const std::uint8_t *p = images_[from].row(y) + x, *limit = mask_.row(y) + x;
    std::uint8_t* to = images_[1 - from].row(y) + x;
    Line above = highest_of_three(p - stride), here = highest_of_three(p);
    std::uint64_t any = 0, top = 0, differing = 0;
    for (int line = 0; line < kBlockHeight; ++line, p += stride, limit += stride, to += stride) {
      const Line below = highest_of_three(p + stride);
      const Line now = min_of(max_of(max_of(above, below), here), load(limit));
      std::memcpy(to, &now, sizeof now);
      differing = differing_bytes(now, load(p));
      if (line == 0) top = differing;
      any |= differing;
      above = here;
      here = below;
    }
    changed.any |= std::uint64_t{any != 0} << bit;
    changed.top |= std::uint64_t{top != 0} << bit;
    changed.bottom |= std::uint64_t{differing != 0} << bit;
    changed.left |= (any & 1) << bit;
    changed.right |= (any >> (kBlockWidth - 1)) << bit;
  }

  int columns_, rows_, result_ = 0;
  Framed<std::uint8_t> mask_, images_[2];
  Marks marks_[2];
};

}  // namespace

void reconstruct8_bounded(const KernelContext& context, GrayView marker, GrayView mask, int steps,
                          View<std::uint8_t> out) {
  const Scratch::Mark mark(context.scratch);
  BoundedReconstruction reconstruction(context.scratch, marker, mask);
  reconstruction.run(steps);
  for (int y = 0; y < mask.height; ++y) std::copy_n(reconstruction.row(y), mask.width, out.row(y));
}

void recon_to_nuclei(const KernelContext& context, GrayView inverted, GrayView opened, int steps,
                     View<std::uint8_t> difference) {
  const Scratch::Mark mark(context.scratch);
  BoundedReconstruction reconstruction(context.scratch, opened, inverted);
  reconstruction.run(steps);
  for (int y = 0; y < inverted.height; ++y)
    std::transform(inverted.row(y), inverted.row(y) + inverted.width, reconstruction.row(y), difference.row(y),
                   [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a - b); });
}

}  // namespace starpath::cpu
