// Operation 10: the final labels.
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/fill_holes.hpp"

namespace starpath::cuda {

void bwlabel(const KernelContext& context, MaskView nuclei, int min_area, int max_area, View<std::int32_t> labels,
             std::int32_t* count) {
  const Scratch::Mark mark(context.scratch);
  const View<std::uint8_t> kept = take_image<std::uint8_t>(context, nuclei);
  area_filter(context, nuclei, Connectivity::four, min_area, max_area, kept);
  fill_holes4(context, kept, kept);
  label_components(context, kept, Connectivity::eight, labels, count);
}

}  // namespace starpath::cuda
