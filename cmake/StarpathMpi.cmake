# Whether jobs of several ranks are compiled in: STARPATH_MPI_ENABLED, from the option STARPATH_MPI and what is there; and
# STARPATH_MPI_STREAMS: also streams between them, for which StarPU must have been built with MPI (PkgConfig::starpumpi).
set(STARPATH_MPI AUTO CACHE STRING "MPI: ON, OFF, or AUTO (on when it is there)")
set_property(CACHE STARPATH_MPI PROPERTY STRINGS AUTO ON OFF)

set(STARPATH_MPI_ENABLED OFF)
if(STARPATH_WITH_PIPELINES AND NOT STARPATH_MPI STREQUAL "OFF")
  if(STARPATH_MPI STREQUAL "ON")
    find_package(MPI REQUIRED COMPONENTS C)
  else()
    find_package(MPI QUIET COMPONENTS C)
  endif()
  if(MPI_C_FOUND AND MPIEXEC_EXECUTABLE)
    set(STARPATH_MPI_ENABLED ON)
    # What mpicxx of Open MPI and MPICH would add, C++ bindings of long ago, is not wanted.
    target_compile_definitions(MPI::MPI_C INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  endif()
endif()
set(STARPATH_MPI_STREAMS OFF)
if(STARPATH_MPI_ENABLED AND STARPATH_STARPU_MPI)
  starpath_find_starpu_module(starpumpi)
  set(STARPATH_MPI_STREAMS ON)
endif()
message(STATUS "starpath: MPI ${STARPATH_MPI_ENABLED} (STARPATH_MPI=${STARPATH_MPI}, streams ${STARPATH_MPI_STREAMS})")
