// Operation 10 on runs.
#include "codelets/kernels/bwlabel.hpp"

#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/fill_holes.hpp"

namespace starpath::cpu {

void bwlabel(const KernelContext& context, MaskView nuclei, int min_area, int max_area, View<std::int32_t> labels,
             std::int32_t* count) {
  const Scratch::Mark mark(context.scratch);
  const auto pixels = static_cast<std::size_t>(nuclei.pixels());
  const View<std::uint8_t> kept{context.scratch.take<std::uint8_t>(pixels).data(), nuclei.width, nuclei.height,
                                nuclei.width};
  area_filter(context, nuclei, Connectivity::four, min_area, max_area, kept);
  fill_holes4(context, kept, kept);
  label_components(context, kept, Connectivity::eight, labels, count);
}

}  // namespace starpath::cpu
