# Runs the layer check as part of every build that changed a source or the set of sources.
include(${PROJECT_SOURCE_DIR}/cmake/project_folders.cmake)
set(globs)
foreach(folder IN LISTS project_folders)
  foreach(ending cpp hpp c h cu cuh)
    list(APPEND globs ${folder}/*.${ending})
  endforeach()
endforeach()
file(GLOB_RECURSE layer_sources CONFIGURE_DEPENDS ${globs})
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/layers.stamp
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/check_layers.cmake
  COMMAND ${CMAKE_COMMAND} -E touch ${PROJECT_BINARY_DIR}/layers.stamp
  DEPENDS ${layer_sources} ${PROJECT_SOURCE_DIR}/cmake/check_layers.cmake
  COMMENT "Checking who includes whom" VERBATIM)
add_custom_target(layers ALL DEPENDS ${PROJECT_BINARY_DIR}/layers.stamp)
