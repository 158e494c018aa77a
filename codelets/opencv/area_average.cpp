// Halves of an image with OpenCV.
#include <opencv2/imgproc.hpp>

#include "codelets/kernels/opencv.hpp"
#include "codelets/opencv/matrix.hpp"

namespace starpath::opencv {

/// OpenCV rounds half up in blocks of 2x2 pixels, and half to even in others: there this is the other implementation.
void area_average(const KernelContext& context, RgbView rgb, View<Rgb> out) {
  if (rgb.width != 2 * out.width || rgb.height != 2 * out.height) return cpu::area_average(context, rgb, out);
  call([&] { cv::resize(matrix(rgb), matrix(out), {out.width, out.height}, 0, 0, cv::INTER_AREA); });
}

}  // namespace starpath::opencv
