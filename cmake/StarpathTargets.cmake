# Helpers that give every library, test program and benchmark the same shape.
# Sources are globbed: a new file in a folder needs no line in a build file.

# starpath_library(NAME DIR... [EXCLUDE regex])  a static library of every .cpp file directly in the DIRs
function(starpath_library name)
  set(sources)
  foreach(dir IN LISTS ARGN)
    file(GLOB found CONFIGURE_DEPENDS ${dir}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC starpath_flags)
endfunction()

# starpath_compile_fast(NAME)  for code that is compiled more often than it runs: tests and the command line
function(starpath_compile_fast name)
  if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
  endif()
endfunction()

# starpath_tests(NAME [PROCESSORS n] LIBRARY...)  one GoogleTest program of every *_test.cpp in this folder; its tests have
# its name as label, and each counts as n processors where CTest runs several at once
function(starpath_tests name)
  cmake_parse_arguments(tests "" "PROCESSORS" "" ${ARGN})
  if(NOT tests_PROCESSORS)
    set(tests_PROCESSORS 1)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS *_test.cpp)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE starpath_flags ${tests_UNPARSED_ARGUMENTS} GTest::gtest GTest::gtest_main)
  starpath_compile_fast(${name})
  set(environment)
  if(STARPATH_SANITIZE)
    set(environment ENVIRONMENT ${STARPATH_SANITIZER_ENVIRONMENT})
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT 300 LABELS ${name} PROCESSORS ${tests_PROCESSORS} ${environment})
endfunction()

# starpath_benchmark(NAME LIBRARY...)  one Google Benchmark program of every .cpp in this folder
function(starpath_benchmark name)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE starpath_flags ${ARGN} benchmark::benchmark benchmark::benchmark_main)
endfunction()
