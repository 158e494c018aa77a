// Operation 3: the inverted red channel and its opening, which removes objects smaller than a large nucleus.
#pragma once
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// The greatest reach that the kernels take.
inline constexpr int kMaxOpeningReach = 80;

/// The structuring element: |dx| <= reach, |dy| <= reach, |dx| + |dy| <= corner. It is the sum of the square of
/// |dx|, |dy| <= square and the diamond |dx| + |dy| <= diamond, in the proportion 5 : 4.
struct Octagon {
  int square, diamond;

  STARPATH_HD constexpr int reach() const { return square + diamond; }
  STARPATH_HD constexpr int corner() const { return 2 * square + diamond; }
};

/// The octagon of this reach: 9 has the corner 14.
STARPATH_HD constexpr Octagon octagon_of(int reach) {
  const int square = (5 * reach + 4) / 9;
  return {square, reach - square};
}

STARPATH_DECLARE_KERNEL(
    /// inverted = 255 - R; opened = dilation(erosion(inverted)) by octagon_of(reach), 1 <= reach <= kMaxOpeningReach.
    /// Pixels outside the image are neutral: they neither erode nor dilate.
    void morph_open(const KernelContext& context, RgbView rgb, int reach, View<std::uint8_t> inverted,
                    View<std::uint8_t> opened))

}  // namespace starpath
