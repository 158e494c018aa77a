// Operation 3 with OpenCV: the octagon is a square and, around it, as many crosses of 3x3 pixels as its diamond is
// wide. Where the octagon reaches a pixel of the image, some way of the square and the crosses stays in the image: so
// the neutral border of each step is that of the whole.
#include <opencv2/imgproc.hpp>

#include "codelets/kernels/opencv.hpp"
#include "codelets/opencv/matrix.hpp"

namespace starpath::opencv {

void morph_open(const KernelContext&, RgbView rgb, int reach, View<std::uint8_t> inverted, View<std::uint8_t> opened) {
  const Octagon shape = octagon_of(reach);
  call([&] {
    const cv::Mat in = matrix(inverted), out = matrix(opened);
    cv::extractChannel(matrix(rgb), in, 0);
    cv::bitwise_not(in, in);
    const int side = 2 * shape.square + 1;
    const cv::Mat square = cv::getStructuringElement(cv::MORPH_RECT, {side, side});
    const cv::Mat cross = cv::getStructuringElement(cv::MORPH_CROSS, {3, 3});
    cv::erode(in, out, square);
    if (shape.diamond > 0) cv::erode(out, out, cross, {-1, -1}, shape.diamond);
    cv::dilate(out, out, square);
    if (shape.diamond > 0) cv::dilate(out, out, cross, {-1, -1}, shape.diamond);
  });
}

}  // namespace starpath::opencv
