// What a build without SMPI links instead.
#include "lab/experiments/smpi_run.hpp"

#include "base/error.hpp"

namespace starpath::lab {

NodesResult run_in_smpi(const NodesRequest&, const NodesModel&, const std::string&, unsigned) {
  throw Error(ErrorKind::usage,
              "this build has no SMPI: build the preset smpi (scripts/build.sh --preset smpi), or leave out "
              "--engine smpi");
}

}  // namespace starpath::lab
