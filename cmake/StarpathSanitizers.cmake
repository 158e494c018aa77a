# Tests that are built and run once more under a sanitizer in every build, so that CI runs them: those of small, pure
# code. The presets asan and tsan build everything so.
include(CheckCXXSourceCompiles)

# For every test under a sanitizer. hwloc's PCI plug-in leaks under every StarPU policy and is unloaded before a
# suppression could tell it by name; its OpenCL plug-in loads a library whose threads the leak sanitizer dies of.
set(STARPATH_SANITIZER_ENVIRONMENT HWLOC_COMPONENTS=-pci,-opencl)

# starpath_sanitized_tests(NAME SANITIZERS SOURCES source... [LIBRARIES library...])  one test, NAME, of every *_test.cpp
# in this folder with the SOURCES, all built with -fsanitize=SANITIZERS; left out, with a message, where the compiler
# lacks the runtime.
function(starpath_sanitized_tests name sanitizers)
  cmake_parse_arguments(PARSE_ARGV 2 with "" "" "SOURCES;LIBRARIES")
  if(STARPATH_SANITIZE) # one sanitizer does not go with another, and the same twice shows nothing
    return()
  endif()
  set(flags -fsanitize=${sanitizers} -fno-sanitize-recover=all)
  string(MAKE_C_IDENTIFIER "STARPATH_HAS_SANITIZER_${sanitizers}" works)
  string(JOIN " " CMAKE_REQUIRED_FLAGS ${flags})
  check_cxx_source_compiles("int main() {}" ${works})
  if(NOT ${works})
    message(WARNING "starpath: ${name} is left out: this compiler cannot link with -fsanitize=${sanitizers}. "
                    "Install its sanitizer runtimes (Debian: libgcc-12-dev; Fedora: libasan, libubsan, libtsan)")
    return()
  endif()
  file(GLOB tests CONFIGURE_DEPENDS *_test.cpp)
  add_executable(${name} ${tests} ${with_SOURCES})
  starpath_unity(${name})
  target_compile_options(${name} PRIVATE ${flags} -O1 -g1 -fno-omit-frame-pointer "${STARPATH_INSTRUMENTED_WARNINGS}")
  target_link_options(${name} PRIVATE ${flags})
  target_link_libraries(${name} PRIVATE starpath_flags ${with_LIBRARIES} GTest::gtest GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  # The thread sanitizer of GCC 12 refuses kernels that place programs at very random addresses.
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 RESOURCE_LOCK sanitizer
                                          SKIP_REGULAR_EXPRESSION "ThreadSanitizer: unexpected memory mapping")
endfunction()
