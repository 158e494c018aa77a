// Runs operations 2 to 10 on the benchmark tile.
#include "bench/kernels/stages.hpp"

#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/rbc.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"
#include "codelets/kernels/select.hpp"
#include "codelets/kernels/watershed.hpp"

namespace starpath::bench {

const KernelContext& context() {
  static Scratch scratch;
  static const KernelContext made{scratch};
  return made;
}

const Stages& stages() {
  static const Stages made = [] {
    Stages s;
    cpu::morph_open(context(), tile().view(), kPaperPixels.opening_reach, s.inverted.view(), s.opened.view());
    cpu::recon_to_nuclei(context(), s.inverted.view(), s.opened.view(), kPaperPixels.reconstruction_steps,
                         s.difference.view());
    return s;
  }();
  return made;
}

const ObjectStages& object_stages() {
  static const ObjectStages made = [] {
    ObjectStages s;
    const auto difference = stages().difference.view();
    cpu::rbc(context(), tile().view(), kPaperPixels.red_high, kPaperPixels.red_low, 0, s.rbc.view());
    cpu::fill_holes(context(), difference, kPaperPixels.seed_level, s.filled.view());
    cpu::area_threshold(context(), s.filled.view(), kPaperPixels.seed_min_area, kPaperPixels.seed_max_area,
                        s.seeds.view());
    cpu::select(context(), difference, s.seeds.view(), s.rbc.view(), kPaperPixels.nucleus_level,
                kPaperPixels.local_reach, kPaperPixels.local_weight, kPaperPixels.hole_max_area, s.selected.view());
    cpu::pre_watershed(context(), s.selected.view(), kPaperPixels.clump_min_area, kPaperPixels.grow_steps,
                       kPaperPixels.smooth_steps, kPaperPixels.split_depth, s.objects.view(), s.depth.view());
    cpu::watershed(context(), s.objects.view(), s.depth.view(), s.nuclei.view());
    cpu::bwlabel(context(), s.nuclei.view(), kPaperPixels.nucleus_min_area, kPaperPixels.nucleus_max_area,
                 s.labels.view(), &s.count);
    return s;
  }();
  return made;
}

}  // namespace starpath::bench
