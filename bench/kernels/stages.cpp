// Runs operations 3 and 4 on the benchmark tile.
#include "bench/kernels/stages.hpp"

#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/reconstruct.hpp"

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

}  // namespace starpath::bench
