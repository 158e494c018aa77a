// A module whose declaration throws.
#include <stdexcept>

#include "starpath/workflow.hpp"

namespace {

starpath::declare::Pipeline declare_nothing() { throw std::runtime_error("no licence:\nbuy one"); }

}  // namespace

STARPATH_PIPELINE(declare_nothing)
