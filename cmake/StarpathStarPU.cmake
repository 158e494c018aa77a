# StarPU of the wanted flavour, as PkgConfig::starpu. Where it is, scripts/setup.sh knows; this only asks.
set(STARPATH_STARPU_PKGCONFIG "" CACHE PATH "Folder of StarPU's starpu-1.4.pc; empty: ask scripts/setup.sh")

if(NOT EXISTS ${STARPATH_STARPU_PKGCONFIG}/starpu-1.4.pc)
  execute_process(
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/setup.sh ${STARPATH_FLAVOUR} --print-pkgconfig
    OUTPUT_VARIABLE answer ERROR_VARIABLE problem OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${problem}")
  endif()
  set_property(CACHE STARPATH_STARPU_PKGCONFIG PROPERTY VALUE "${answer}")
endif()

# FindPkgConfig keeps its first answer for ever; a build folder must follow when the set-up finds another StarPU.
if(NOT STARPATH_STARPU_LAST STREQUAL STARPATH_STARPU_PKGCONFIG)
  unset(__pkg_config_checked_starpu CACHE)
  unset(__pkg_config_checked_starpumpi CACHE)
  get_property(cached DIRECTORY PROPERTY CACHE_VARIABLES)
  list(FILTER cached INCLUDE REGEX "^(pkgcfg_lib_)?starpu(mpi)?_")
  foreach(variable IN LISTS cached)
    unset(${variable} CACHE)
  endforeach()
endif()
set(STARPATH_STARPU_LAST "${STARPATH_STARPU_PKGCONFIG}" CACHE INTERNAL "StarPU of the last configure run")

include(starpath-existing-includes)

# starpath_find_starpu_module(NAME)  PkgConfig::NAME from NAME-1.4.pc of this StarPU
macro(starpath_find_starpu_module name)
  set(outer_pkg_config_path "$ENV{PKG_CONFIG_PATH}")
  set(ENV{PKG_CONFIG_PATH} "${STARPATH_STARPU_PKGCONFIG}:${outer_pkg_config_path}")
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${name}-1.4)
  starpath_existing_includes(PkgConfig::${name})
  pkg_get_variable(${name}_headers ${name}-1.4 ${name}_includedir)
  set(ENV{PKG_CONFIG_PATH} "${outer_pkg_config_path}")
endmacro()
starpath_find_starpu_module(starpu)
if(STARPATH_FLAVOUR STREQUAL "smpi")
  starpath_find_starpu_module(starpumpi)
endif()

# starpu_has(OUT MACRO)  whether this StarPU was configured with MACRO
function(starpu_has out macro)
  set(found)
  if(EXISTS ${starpu_headers}/starpu_config.h)
    file(STRINGS ${starpu_headers}/starpu_config.h found REGEX "^#define ${macro} 1")
  endif()
  if(found)
    set(${out} ON PARENT_SCOPE)
  else()
    set(${out} OFF PARENT_SCOPE)
  endif()
endfunction()
starpu_has(STARPATH_STARPU_CUDA STARPU_USE_CUDA)
starpu_has(STARPATH_STARPU_MPI STARPU_USE_MPI)
starpu_has(hip STARPU_USE_HIP)
if(hip)
  get_target_property(includes PkgConfig::starpu INTERFACE_INCLUDE_DIRECTORIES)
  set_target_properties(PkgConfig::starpu PROPERTIES
                        INTERFACE_INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}/cmake/hip_types;${includes}")
endif()
file(STRINGS ${starpu_headers}/starpu_config.h nodes REGEX "^#define STARPU_MAXNODES [0-9]+")
string(REGEX MATCH "[0-9]+" STARPATH_STARPU_MAXNODES "${nodes}")

if(STARPATH_FLAVOUR STREQUAL "opencl")
  # OpenCL itself, for tests' implementations of codelets.
  find_package(OpenCL REQUIRED)
  add_library(starpath_opencl INTERFACE)
  target_link_libraries(starpath_opencl INTERFACE OpenCL::OpenCL)
  target_compile_definitions(starpath_opencl INTERFACE STARPATH_OPENCL CL_TARGET_OPENCL_VERSION=120)
endif()

if(STARPATH_FLAVOUR STREQUAL "smpi")
  # Static StarPU: what it links to itself comes after it.
  set_property(TARGET PkgConfig::starpu APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${starpu_STATIC_LDFLAGS})
  set_property(TARGET PkgConfig::starpumpi APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${starpumpi_STATIC_LDFLAGS})
endif()
message(STATUS "starpath: StarPU ${starpu_VERSION} (${STARPATH_FLAVOUR}, CUDA ${STARPATH_STARPU_CUDA}, "
               "MPI ${STARPATH_STARPU_MPI}): ${STARPATH_STARPU_PKGCONFIG}")
