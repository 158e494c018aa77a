// A library that throws while it is loaded: a module, or one that declares no pipeline.
#include <stdexcept>

namespace {

int licence() { throw std::runtime_error("no licence"); }

}  // namespace

extern const int starpath_test_licence = licence();

#ifdef STARPATH_TEST_DECLARES
extern "C" void starpath_declare_pipeline() {}
#endif
