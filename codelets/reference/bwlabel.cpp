// Oracle of operation 10.
#include "codelets/kernels/bwlabel.hpp"

#include <vector>

#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/fill_holes.hpp"

namespace starpath::reference {

void bwlabel(const KernelContext& context, MaskView nuclei, int min_area, int max_area, View<std::int32_t> labels,
             std::int32_t* count) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(nuclei.pixels()));
  const View<std::uint8_t> kept{pixels.data(), nuclei.width, nuclei.height, nuclei.width};
  area_filter(context, nuclei, Connectivity::four, min_area, max_area, kept);
  fill_holes4(context, kept, kept);
  label_components(context, kept, Connectivity::eight, labels, count);
}

}  // namespace starpath::reference
