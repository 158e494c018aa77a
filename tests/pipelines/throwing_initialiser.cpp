// A module that throws while it is loaded.
#include <stdexcept>

namespace {

int licence() { throw std::runtime_error("no licence"); }

}  // namespace

extern const int starpath_test_licence = licence();
