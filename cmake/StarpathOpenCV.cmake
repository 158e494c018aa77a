# OpenCV's core and imgproc, which only the benchmarks use, as the target starpath_opencv. They are looked up one by
# one because OpenCV's own package file asks for every module there is.
find_path(STARPATH_OPENCV_HEADERS opencv2/imgproc.hpp PATH_SUFFIXES opencv4 REQUIRED)
find_library(STARPATH_OPENCV_CORE opencv_core REQUIRED)
find_library(STARPATH_OPENCV_IMGPROC opencv_imgproc REQUIRED)
mark_as_advanced(STARPATH_OPENCV_HEADERS STARPATH_OPENCV_CORE STARPATH_OPENCV_IMGPROC)
add_library(starpath_opencv INTERFACE IMPORTED)
target_include_directories(starpath_opencv SYSTEM INTERFACE ${STARPATH_OPENCV_HEADERS})
target_link_libraries(starpath_opencv INTERFACE ${STARPATH_OPENCV_IMGPROC} ${STARPATH_OPENCV_CORE})
