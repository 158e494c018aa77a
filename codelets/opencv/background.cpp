// Operation 0 with OpenCV.
#include "codelets/kernels/opencv.hpp"
#include "codelets/opencv/matrix.hpp"

namespace starpath::opencv {

void background(const KernelContext&, RgbView rgb, int level, View<std::uint8_t> mask) {
  call([&] { cv::inRange(matrix(rgb), cv::Scalar::all(level + 1), cv::Scalar::all(255), matrix(mask)); });
}

}  // namespace starpath::opencv
