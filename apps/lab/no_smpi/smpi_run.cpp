// What a build without SMPI links instead.
#include "apps/lab/nodes/smpi_run.hpp"

#include "base/error.hpp"

namespace starpath::apps {

lab::NodesResult run_in_smpi(const SmpiRun&, const lab::NodesModel&) {
  throw Error(ErrorKind::usage,
              "this build has no SMPI: build the preset smpi (scripts/build.sh --preset smpi), or leave out "
              "--engine smpi");
}

}  // namespace starpath::apps
