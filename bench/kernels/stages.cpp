// Runs operations 2 to 10 on the benchmark tile.
#include "bench/kernels/stages.hpp"

#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/rbc.hpp"
#include "codelets/kernels/reconstruct.hpp"
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
    cpu::morph_open(context(), tile().view(), s.inverted.view(), s.opened.view());
    cpu::recon_to_nuclei(context(), s.inverted.view(), s.opened.view(), s.difference.view());
    return s;
  }();
  return made;
}

const ObjectStages& object_stages() {
  static const ObjectStages made = [] {
    ObjectStages s;
    const auto difference = stages().difference.view();
    cpu::rbc(context(), tile().view(), s.rbc.view());
    cpu::fill_holes(context(), difference, s.filled.view());
    cpu::area_threshold(context(), s.filled.view(), s.seeds.view());
    cpu::select(context(), difference, s.seeds.view(), s.rbc.view(), s.selected.view());
    cpu::pre_watershed(context(), s.selected.view(), s.objects.view(), s.depth.view());
    cpu::watershed(context(), s.objects.view(), s.depth.view(), s.nuclei.view());
    cpu::bwlabel(context(), s.nuclei.view(), s.labels.view(), &s.count);
    return s;
  }();
  return made;
}

}  // namespace starpath::bench
