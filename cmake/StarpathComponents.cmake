# Which parts are built: STARPATH_COMPONENTS, and for each part STARPATH_WITH_<PART>. What only one part needs from outside
# is neither asked for nor found in a build without that part.
set(components sched pipelines loops lab)
set(STARPATH_COMPONENTS "${components}" CACHE STRING
    "Parts to build, a list: sched (the plug-in and its estimator), pipelines (the command starpath), loops (the command's loops), lab (the simulator)")
set(unknown ${STARPATH_COMPONENTS})
list(REMOVE_ITEM unknown ${components})
if(unknown OR NOT STARPATH_COMPONENTS)
  message(FATAL_ERROR "STARPATH_COMPONENTS is '${STARPATH_COMPONENTS}'; a list of ${components} is allowed")
endif()
foreach(component IN LISTS components)
  string(TOUPPER "STARPATH_WITH_${component}" variable)
  set(${variable} OFF)
  if(component IN_LIST STARPATH_COMPONENTS)
    set(${variable} ON)
  endif()
endforeach()

# Every part uses the plug-in or its estimator; the loops are commands of the program that the pipelines make.
set(STARPATH_WITH_SCHED ON)
if(STARPATH_WITH_LOOPS)
  set(STARPATH_WITH_PIPELINES ON)
endif()
# Where nothing computes, no pipelines run; the rules by which loops are cut are tested there all the same.
if(NOT STARPATH_COMPUTES)
  set(STARPATH_WITH_PIPELINES OFF)
endif()
set(STARPATH_WITH_ALL OFF)
if(STARPATH_WITH_PIPELINES AND STARPATH_WITH_LOOPS AND STARPATH_WITH_LAB)
  set(STARPATH_WITH_ALL ON)
elseif(STARPATH_BENCH)
  message(STATUS "starpath: no benchmarks, which need every component (STARPATH_COMPONENTS=${STARPATH_COMPONENTS})")
  set(STARPATH_BENCH OFF)
endif()
