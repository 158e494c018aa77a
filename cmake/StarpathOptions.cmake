# Options of the build and the compiler flags they stand for.
option(STARPATH_TESTS "Build the test suite" ON)
option(STARPATH_BENCH "Build the benchmarks" ON)
option(STARPATH_COMMAND_ONLY "Neither tests nor benchmarks, and CUDA kernels only where there is a GPU" OFF)
if(STARPATH_COMMAND_ONLY)
  set(STARPATH_TESTS OFF)
  set(STARPATH_BENCH OFF)
endif()
option(STARPATH_UNITY "Compile the files of a folder together: faster if you build once; clang-tidy needs it off" OFF)
option(STARPATH_CONFORMANCE "Test with StarPU's own programs too, which takes minutes (docs/conformance.md)" OFF)
option(STARPATH_FUZZ "Build the fuzz targets, which need clang (preset fuzz)" OFF)
option(STARPATH_WERROR "Make warnings errors: for CI and developers, not for compilers that nobody has tried" OFF)
set(STARPATH_FLAVOUR "native" CACHE STRING "StarPU flavour this build uses: native, opencl, tsan, simgrid or smpi")
set_property(CACHE STARPATH_FLAVOUR PROPERTY STRINGS native opencl tsan simgrid smpi)
# In the flavours that do not simulate, tasks compute. In opencl, OpenCL devices take the place of GPUs: for tests.
set(STARPATH_COMPUTES OFF)
if(STARPATH_FLAVOUR MATCHES "^(native|opencl|tsan)$")
  set(STARPATH_COMPUTES ON)
endif()
set(STARPATH_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize takes them: address,undefined or thread")
set(STARPATH_MARCH "native" CACHE STRING "Value of -march for the command's CPU kernels; empty for the compiler's default (packages)")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

# Line numbers in back traces, no more: writing debug information took a fifth of the compiler's time. CMAKE_BUILD_TYPE=Debug
# has all of it.
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
endforeach()

find_program(STARPATH_CCACHE ccache)
mark_as_advanced(STARPATH_CCACHE)
foreach(language C CXX CUDA)
  if(STARPATH_CCACHE AND NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${STARPATH_CCACHE})
  endif()
endforeach()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(starpath_flags INTERFACE)
target_include_directories(starpath_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(starpath_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion>
  $<$<AND:$<BOOL:${STARPATH_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>
  # A fused multiply-add rounds once where two operations round twice: results
  # would then depend on the machine the binary was built for.
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

# Instrumented code hides from GCC 12 that the standard library does initialise its members, and that the sources and
# destinations of its copies are apart (GCC's bug 105651).
set(STARPATH_INSTRUMENTED_WARNINGS "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized;-Wno-restrict>")
if(STARPATH_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${STARPATH_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:C,CXX>:-fno-omit-frame-pointer>)
  target_compile_options(starpath_flags INTERFACE "${STARPATH_INSTRUMENTED_WARNINGS}")
  add_link_options(-fsanitize=${STARPATH_SANITIZE})
endif()
if(STARPATH_FUZZ) # coverage for libFuzzer; an undefined operation ends the program, which is what makes it a finding
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=fuzzer-no-link>
                      $<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize-recover=all>)
endif()
