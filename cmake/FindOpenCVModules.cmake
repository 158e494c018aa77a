# Finds OpenCV's core and imgproc alone: distributions package them by themselves, without OpenCV's own CMake files.
# Defines the target OpenCVModules::imgproc.
find_path(OpenCVModules_INCLUDE_DIR opencv2/imgproc.hpp PATH_SUFFIXES opencv4)
find_library(OpenCVModules_CORE_LIBRARY opencv_core)
find_library(OpenCVModules_IMGPROC_LIBRARY opencv_imgproc)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCVModules REQUIRED_VARS OpenCVModules_INCLUDE_DIR OpenCVModules_CORE_LIBRARY
                                                              OpenCVModules_IMGPROC_LIBRARY)
if(OpenCVModules_FOUND AND NOT TARGET OpenCVModules::imgproc)
  add_library(OpenCVModules::imgproc INTERFACE IMPORTED)
  target_include_directories(OpenCVModules::imgproc INTERFACE ${OpenCVModules_INCLUDE_DIR})
  target_link_libraries(OpenCVModules::imgproc INTERFACE ${OpenCVModules_IMGPROC_LIBRARY} ${OpenCVModules_CORE_LIBRARY})
endif()
