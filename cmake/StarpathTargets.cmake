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

# starpath_unity(NAME [EXCEPT FOLDER|FILE...])  with STARPATH_UNITY, files of one folder are compiled together, at most 12
# at a time: they parse what they include once, and every core still has something to do. Files with options of their own
# stay alone, and so do the folders and files named after EXCEPT.
function(starpath_unity name)
  if(NOT STARPATH_UNITY)
    return()
  endif()
  get_target_property(sources ${name} SOURCES)
  cmake_parse_arguments(unity "" "" "EXCEPT" ${ARGN})
  set(folders)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(GET path FILENAME file)
    if(file IN_LIST unity_EXCEPT)
      continue()
    endif()
    list(APPEND folders ${folder})
    list(APPEND "in ${folder}" ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  set(stems)
  foreach(folder IN LISTS folders)
    cmake_path(GET folder FILENAME stem)
    list(LENGTH "in ${folder}" files)
    if(stem IN_LIST unity_EXCEPT OR files EQUAL 1)
      continue()
    endif()
    if(stem IN_LIST stems) # of another folder
      string(APPEND stem _again)
    endif()
    list(APPEND stems ${stem})
    math(EXPR groups "(${files} + 11) / 12")
    set(number 0)
    foreach(source IN LISTS "in ${folder}")
      math(EXPR group "${number} * ${groups} / ${files}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${stem}_${group})
      math(EXPR number "${number} + 1")
    endforeach()
  endforeach()
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Meant for headers; a source that another one includes looks like one.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# starpath_compile_fast(NAME)  for code in which no time is spent: tests, the command line, the bookkeeping of runs
function(starpath_compile_fast name)
  if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1>)
  endif()
endfunction()

# What tests of several processes read is made once, here (tests/support/shared_folder.hpp).
set(STARPATH_SHARED_FOLDER ${PROJECT_BINARY_DIR}/tests/shared)

# starpath_tests(NAME [SHARED_FOLDERS] LIBRARY...)  one GoogleTest program of every *_test.cpp in this folder; its tests have
# its name as label
function(starpath_tests name)
  cmake_parse_arguments(tests "SHARED_FOLDERS" "" "" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *_test.cpp)
  add_executable(${name} ${sources})
  starpath_unity(${name})
  target_link_libraries(${name} PRIVATE starpath_flags ${tests_UNPARSED_ARGUMENTS} GTest::gtest GTest::gtest_main)
  starpath_compile_fast(${name})
  set(environment)
  if(STARPATH_SANITIZE)
    set(environment ENVIRONMENT ${STARPATH_SANITIZER_ENVIRONMENT})
  endif()
  if(tests_SHARED_FOLDERS)
    list(APPEND environment FIXTURES_REQUIRED shared_folders
                            ENVIRONMENT_MODIFICATION STARPATH_SHARED_FOLDER=set:${STARPATH_SHARED_FOLDER})
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT 300 LABELS ${name} ${environment})
endfunction()

# starpath_benchmark(NAME LIBRARY...)  one Google Benchmark program of every .cpp in this folder
function(starpath_benchmark name)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE starpath_flags ${ARGN} benchmark::benchmark benchmark::benchmark_main)
endfunction()
