# Who may include whom. Fails, with file and line, on an include that the table does not allow.
# Usage: cmake -DSOURCE=<root of the tree> -P check_layers.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH SOURCE NORMALIZE) # a pattern that is relative would be looked for beside this script

# One row a layer: path prefix | folders and headers of the project that it may include besides its own folder | headers
# from outside it may include besides the standard library (a regular expression). '*' allows everything. The longest
# prefix that fits a file decides; a C++ file that no row fits is an error. apps, tests and bench stand in no second
# column: nothing may include them.
set(posix "sys/.*|unistd\\.h|fcntl\\.h|dlfcn\\.h")
set(layers
  # shared by all who need it: the exception type, SQLite with owners, child processes
  "base||sqlite3\\.h|fmt/.*|nlohmann/.*|(dlfcn|limits|malloc|poll|sched|signal|spawn)\\.h|${posix}"
  # lines of comma-separated values, by a grammar for Boost.Spirit
  "base/csv|base|fmt/.*|boost/spirit/.*"
  # pure: the standard library, and a container
  "base/pure||"
  "estimator|base/pure|"
  "sched_policies/core||"
  "sched_policies/policies|sched_policies/core,sched_policies/planning|"
  "sched_policies/planning|sched_policies/core|boost/container/small_vector\\.hpp"
  "sched_policies/apex|sched_policies/core,sched_policies/planning|boost/intrusive/.*"
  "sched_policies/policies/policy_list.hpp|sched_policies/policies,sched_policies/apex,sched_policies/core/type_list.hpp|"
  "sched_policies/options|sched_policies/core,estimator/learner_names.hpp,base/pure|"
  "loops||"
  # stages of tiles, and whose turn they are
  "workflow|base/error.hpp|"
  # the estimator's samples in a file
  # learners by name, and from libraries of others
  "estimator/learners|estimator,base|dlfcn\\.h|fmt/.*|starpath/.*\\.h"
  "estimator/store|estimator,base|fmt/.*|${posix}"
  "estimator/queries|estimator,base|fmt/.*|nlohmann/json\\.hpp|unistd\\.h"
  "codelets/kernels||"
  # kernels by backend
  "codelets/reference|codelets/kernels|"
  "codelets/cpu|codelets/kernels|[a-z]+intrin\\.h"
  "codelets/opencv|codelets/kernels|opencv2/(core|imgproc).*"
  "codelets/cuda|codelets/kernels|cuda.*|cub/.*|thrust/.*"
  # kernels of benchmark loops, which no pipeline uses
  "codelets/benchmarks|codelets/kernels|"
  "codelets/benchmarks/cpu|codelets/benchmarks,codelets/kernels,codelets/cpu|"
  "codelets/benchmarks/cuda|codelets/benchmarks,codelets/kernels,codelets/cuda|"
  # what knows StarPU
  "sched_policies/starpu|sched_policies/core,sched_policies/options,estimator,base/pure|starpu.*\\.h"
  "sched_policies/estimates|sched_policies/core,sched_policies/options,sched_policies/starpu,estimator,base|starpu.*\\.h|fmt/.*"
  "sched_policies/observe|sched_policies/core,sched_policies/starpu,base|starpu.*\\.h|fmt/.*|nlohmann/.*|${posix}"
  "sched_policies/adapter|sched_policies,estimator,base|starpu.*\\.h|fmt/.*|(link|sched)\\.h|${posix}"
  # what knows hwloc
  "sched_policies/topology|sched_policies/options,base|hwloc.*\\.h|fmt/.*|${posix}"
  "sched_policies/plugin.cpp|sched_policies|starpu.*\\.h"
  "sched_policies/bridge|sched_policies,estimator,base|starpu.*\\.h|starpath/.*\\.h"
  "codelets/starpu|codelets/kernels|starpu.*\\.h"
  "codelets/starpu/with_opencl|codelets/starpu,codelets/kernels|starpu.*\\.h|(stdio|stdlib|string)\\.h" # a part in C
  "loops/starpu|loops,base|starpu.*\\.h"
  "loops/works|loops,codelets/benchmarks,codelets/kernels,codelets/starpu,base|starpu.*\\.h"
  # files in and out
  "io/slides|codelets/kernels/image.hpp,base|dcmtk/.*|openslide/openslide\\.h|tiffio\\.h|png\\.h|turbojpeg\\.h|expat\\.h|fmt/.*|${posix}"
  # the program that decodes slides without rights
  "io/reader|base|seccomp\\.h|link\\.h|${posix}"
  "io/reader/program|io/reader,io/slides,base|"
  "io/synthetic|io/slides,codelets/kernels/image.hpp,base|fmt/.*"
  "io/outlines|codelets/kernels/image.hpp|"
  "io/annotations|base|boost/(geometry|iterator)/.*|nlohmann/json\\.hpp|expat\\.h|zlib\\.h|fmt/.*"
  "io/masks|io/slides,io/annotations,io/outlines,codelets/kernels/image.hpp,base|fmt/.*"
  # maps that networks made of slides
  "io/maps|io/annotations,io/slides,base|tiffio\\.h|nlohmann/json\\.hpp|fmt/.*|${posix}"
  "io/maps/with_gdal|io/maps/zarr_reader.hpp|gdal.*\\.h|cpl_.*\\.h"
  "io/results|io/outlines,codelets/kernels/image.hpp,base|libdeflate\.h|zlib\.h|nlohmann/json\\.hpp|fmt/.*|${posix}"
  # how files say which program wrote them
  "io/outputs|base|tiffio\\.h|zlib\\.h|nlohmann/json\\.hpp"
  "io/parquet|base|zstd\\.h"
  "io/study|io/results,io/outlines,base|nlohmann/json\\.hpp|fmt/.*"
  "io/exports|io/outputs,io/parquet,io/results,io/outlines,io/slides,codelets/kernels/image.hpp,base|tiffio\\.h|png\\.h|turbojpeg\\.h|libdeflate\\.h|zlib\\.h|nlohmann/json\\.hpp|fmt/.*"
  "io/tissue|io/outputs,io/slides,io/outlines,io/exports/region_file.hpp,io/exports/png_writer.hpp,base/atomic_file.hpp|nlohmann/json\\.hpp"
  # what other programs include
  "include/starpath||(starpu|stdint)\\.h"
  # pipelines and jobs
  "pipelines/run/hwloc_environment.cpp|pipelines/run,base|hwloc\\.h|fmt/.*"
  "pipelines/run|workflow,codelets/kernels,codelets/starpu,io,base|starpu.*\\.h|fmt/.*|${posix}"
  "pipelines/survey|pipelines/run,codelets/kernels,codelets/starpu,io,base|starpu.*\\.h|fmt/.*|nlohmann/.*"
  "pipelines/networks|codelets/kernels,io/slides/fingerprint.hpp,base|fmt/.*|toml\\+\\+/toml\\.h"
  "pipelines/networks/with_opencv|pipelines/networks|fmt/.*|opencv2/.*"
  "pipelines/networks/with_onnxruntime|pipelines/networks|fmt/.*|onnxruntime_cxx_api\\.h"
  "pipelines/networks/no_engine|pipelines/networks,base|"
  "pipelines/segmentation|workflow,pipelines/networks,pipelines/survey,pipelines/run,codelets/kernels,codelets/starpu,io,base|starpu.*\\.h|fmt/.*|nlohmann/.*|toml\\+\\+/toml\\.h"
  "pipelines/preview|pipelines/segmentation,pipelines/survey,pipelines/run,codelets/kernels,io/slides,io/outlines,base|starpu.*\\.h|fmt/.*"
  "pipelines/nbia|workflow,pipelines/run,codelets/kernels,codelets/starpu,io,base|starpu.*\\.h|fmt/.*|nlohmann/.*"
  "pipelines/declared|workflow,pipelines/run,codelets/kernels,codelets/starpu,io,base|starpu.*\\.h|starpath/workflow\\.hpp|fmt/.*|nlohmann/.*|dlfcn\\.h"
  "pipelines/classification|pipelines/run,codelets/kernels,codelets/starpu,io,base|starpu.*\\.h|fmt/.*|nlohmann/.*"
  "pipelines/study|pipelines/run,io,base|fmt/.*|nlohmann/.*"
  "pipelines/clustering|pipelines/run,codelets/kernels,codelets/starpu,base|starpu.*\\.h|fmt/.*"
  "pipelines/study_clusters|pipelines/clustering,io/study,io/results,io/exports/measurements.hpp,base|fmt/.*|nlohmann/json\\.hpp"
  "mpi/protocol|workflow,sched_policies/core|nlohmann/json\\.hpp"
  "mpi/network|mpi/protocol,base|fmt/.*|nlohmann/.*"
  "mpi/network/with_mpi|mpi/network,base|mpi\\.h|sched\\.h|fmt/.*"
  "mpi/network/no_mpi|mpi/network,base|"
  "mpi/job|workflow,mpi/network,mpi/protocol,pipelines/run,base|fmt/.*"
  "mpi/streams|mpi/job,mpi/transport,mpi/network,mpi/protocol,pipelines/run,estimator,codelets/starpu,base|starpu.*\\.h|fmt/.*|nlohmann/.*"
  "mpi/transport|mpi/network,mpi/protocol,base|starpu.*\\.h"
  "mpi/transport/with_starpu_mpi|mpi/transport,mpi/network,base|starpu_mpi\\.h|mpi\\.h|fmt/.*"
  "mpi/transport/no_starpu_mpi|mpi/transport,base|"
  # runs of one input under several policies, and what they come to
  "comparison|lab/bounds,pipelines/run/starpu_lines.hpp,base|fmt/.*|nlohmann/json\\.hpp|sys/wait\\.h"
  # a run from its request to its result, for every pipeline
  "runs|comparison/record.hpp,pipelines/declared/tile_columns.hpp,pipelines/run,mpi/job,mpi/network,mpi/streams,mpi/transport,sched_policies/core,sched_policies/observe/own_observations.hpp,sched_policies/options,sched_policies/starpu,sched_policies/topology,codelets/starpu,io,base|starpu.*\\.h|fmt/.*|nlohmann/.*|sched\\.h|${posix}"
  "runs/segmentation|runs,pipelines,codelets/kernels,io,base|fmt/.*|nlohmann/.*"
  "runs/study|runs,pipelines,mpi/job,mpi/protocol,sched_policies/core,sched_policies/starpu,io,base|starpu\\.h|fmt/.*|nlohmann/.*"
  "runs/nbia|runs,pipelines/segmentation/resolution_estimate.hpp,pipelines/nbia,pipelines/run,io,base|fmt/.*|nlohmann/.*"
  "runs/declared|runs,pipelines/segmentation/resolution_estimate.hpp,pipelines/declared,pipelines/run,io,base|fmt/.*|nlohmann/.*"
  "runs/profile|estimator/queries/codelet_groups.hpp,estimator/store/profile_store.hpp,pipelines/run,base|fmt/.*|signal\\.h|${posix}"
  "runs/classification|runs,pipelines/classification,pipelines/run,io,base|"
  "runs/clusters|runs,pipelines/study_clusters,pipelines/clustering,pipelines/run,mpi/job,mpi/network,mpi/transport,io,base|starpu\\.h|fmt/.*|nlohmann/.*"
  # pages for browsers: from what was found to one HTML file
  "pages/preview|pipelines/preview,pipelines/segmentation,io/exports/picture.hpp,io/slides,base|fmt/.*|nlohmann/json\\.hpp"
  "pages/comparison|comparison,base|fmt/.*|nlohmann/json\\.hpp"
  "pages/study|io/study,io/results,io/exports,io/slides,pipelines/clustering/no_structure.hpp,codelets/kernels/image.hpp,base|fmt/.*|nlohmann/json\\.hpp"
  # simulated machines and workloads, bounds; what runs them
  "lab/bounds|base|glpk\\.h|fmt/.*"
  "lab|estimator,base|toml\\+\\+/toml\\.h|fmt/.*"
  "lab/nodes|lab,mpi/protocol,sched_policies/core,sched_policies/planning,sched_policies/policies,estimator,base|fmt/.*"
  "lab/experiments|lab,mpi/protocol,sched_policies/policies,estimator,base|fmt/.*|nlohmann/.*"
  "lab/simulation|lab,estimator,base|starpu.*\\.h|fmt/.*|nlohmann/.*|CLI/.*|${posix}"
  "lab/smpi|lab,mpi/network,mpi/protocol,estimator,base|starpu.*\\.h|simgrid/.*|fmt/.*|nlohmann/.*|CLI/.*"
  # for tests and benchmarks: simulated workers and processors, images
  "support|codelets/kernels,io/synthetic,sched_policies/core,sched_policies/planning,loops,base/pure|gtest/.*|cuda_runtime\\.h"
  # the command `starpath`, a row for each folder: what commands share, then the commands, which main alone may call
  "apps/main.cpp|apps|"
  "apps/segment_main.cpp|apps/program.hpp,apps/segment,base/error.hpp|"
  "apps/given_cores||sched\\.h"
  "apps/program|apps/cli,apps/run/slide_decoder.hpp,apps/given_cores.hpp,apps/processor.hpp,base|CLI/.*|fmt/.*"
  "apps/commands.hpp||CLI/.*"
  "apps/processor|codelets/cpu/instruction_sets.hpp|${posix}"
  "apps/cli|base|CLI/.*|starpu\\.h|fmt/.*|${posix}"
  "apps/run|apps/cli,runs,pipelines/run,codelets/starpu,mpi/network,mpi/protocol,io,base|CLI/.*|fmt/.*|nlohmann/.*|${posix}"
  "apps/export|apps/cli,apps/run,runs,io,base|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/network|apps/cli,apps/run/one_process.hpp,pipelines/networks,base|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/segment|apps/cli,apps/run,runs,apps/export/export_options.hpp,pipelines/segmentation,io,base|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/instances|apps/cli,apps/run,runs,apps/segment/parameter_options.hpp,apps/segment/tile_options.hpp,pipelines/segmentation,io,base|CLI/.*|fmt/.*"
  "apps/study|apps/run,runs,io/slides|"
  "apps/nbia|apps/cli,apps/run,runs,pipelines/nbia,io,base|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/workflow|apps/cli,apps/run,runs|CLI/.*"
  "apps/preview|apps/cli,apps/run,runs,apps/segment/parameter_options.hpp,pages/preview,pipelines,io,base|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/cluster|apps/cli,apps/run,apps/export,runs,pipelines/study_clusters,io,base|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/classify|apps/cli,apps/run,apps/export,runs,pipelines/classification,io,base|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/cohort|apps/cli,apps/run,io,base|CLI/.*|fmt/.*|nlohmann/.*|signal\\.h|${posix}"
  "apps/report|apps/cli,apps/run,runs,pages/study,io,base|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/policies|apps/cli,pipelines/run,sched_policies/options,sched_policies/policies,sched_policies/topology|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/compare|apps/cli,apps/run,runs,sched_policies/policies/built_in_policies.hpp,comparison,pages/comparison,pipelines/run,base|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/inspect|apps/cli,apps/run,runs,pipelines,io,base|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/profile|apps/cli,runs/profile,estimator,base|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/describe|apps/cli|CLI/.*|fmt/.*"
  "apps/loop|apps/cli,apps/run,codelets/starpu,loops,pipelines/run,sched_policies/topology,base|starpu.*\\.h|CLI/.*|fmt/.*|nlohmann/.*"
  "apps/lab|apps/cli,lab,base|CLI/.*|fmt/.*|nlohmann/.*"
  # what sees everything
  "tests|*|.*"
  "bench|base,workflow,estimator,loops,sched_policies,codelets,io,pipelines,mpi,lab,support|.*")

# Headers that the build writes, and the folders whose headers are the project's; any other include is from outside.
set(generated "starpath_version\\.hpp")
include(${CMAKE_CURRENT_LIST_DIR}/project_folders.cmake)

# find_row(FILE)  sets prefix, sees and outside of the row that decides about FILE
function(find_row file)
  set(prefix "")
  foreach(row IN LISTS layers)
    string(REGEX MATCH "^([^|]*)\\|([^|]*)\\|(.*)$" matched "${row}")
    set(candidate "${CMAKE_MATCH_1}")
    string(LENGTH "${candidate}" length)
    string(LENGTH "${prefix}" best)
    string(FIND "${file}" "${candidate}" position)
    if(position EQUAL 0 AND length GREATER best)
      set(prefix "${candidate}")
      set(sees "${CMAKE_MATCH_2}")
      set(outside "${CMAKE_MATCH_3}")
    endif()
  endforeach()
  string(REPLACE "," ";" sees "${sees}")
  return(PROPAGATE prefix sees outside)
endfunction()

# allowed(OUT FILE INCLUDED)  whether FILE may include INCLUDED, by the row that find_row found
function(allowed out file included)
  get_filename_component(folder "${file}" DIRECTORY)
  string(REGEX MATCH "^[^/]*" top "${included}")
  if(sees STREQUAL "*")
    set(${out} ON PARENT_SCOPE)
    return()
  endif()
  set(${out} OFF PARENT_SCOPE)
  if(included MATCHES "(^|/)\\.\\.?/") # a relative path would dodge the table
    return()
  elseif(top IN_LIST project_folders)
    foreach(path IN LISTS sees prefix folder)
      string(FIND "${included}/" "${path}/" position)
      if(position EQUAL 0)
        set(${out} ON PARENT_SCOPE)
      endif()
    endforeach()
  elseif(EXISTS ${SOURCE}/${folder}/${included} OR included MATCHES "^([a-z0-9_]+|${generated})$" OR
         (outside AND included MATCHES "^(${outside})$"))
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()

set(problems 0)
set(files)
foreach(folder IN LISTS project_folders)
  file(GLOB_RECURSE found RELATIVE ${SOURCE} ${SOURCE}/${folder}/*.cpp ${SOURCE}/${folder}/*.hpp ${SOURCE}/${folder}/*.c
       ${SOURCE}/${folder}/*.h ${SOURCE}/${folder}/*.cu ${SOURCE}/${folder}/*.cuh)
  list(APPEND files ${found})
endforeach()
list(LENGTH files count)
if(count EQUAL 0)
  message(FATAL_ERROR "${SOURCE} holds no source files of this project: give the root of the tree as -DSOURCE=FOLDER")
endif()
foreach(file IN LISTS files)
  find_row("${file}")
  if(prefix STREQUAL "")
    message("${file}: no row of the layer table fits this file")
    math(EXPR problems "${problems} + 1")
    continue()
  endif()
  file(STRINGS ${SOURCE}/${file} includes REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]*)[>\"].*$" "\\1" included "${line}")
    allowed(ok "${file}" "${included}")
    if(NOT ok)
      message("${file}: must not include ${included} (layer ${prefix}: see cmake/check_layers.cmake)")
      math(EXPR problems "${problems} + 1")
    endif()
  endforeach()
endforeach()
if(problems)
  message(FATAL_ERROR "${problems} forbidden include(s)")
endif()
message(STATUS "layers: ${count} files checked")
