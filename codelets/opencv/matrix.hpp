// Views as OpenCV's matrices, and how kernels call OpenCV.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>
#include <stdexcept>
#include <type_traits>

#include "codelets/kernels/image.hpp"

namespace starpath::opencv {

/// The pixels of a view, which stay where they are. OpenCV knows no matrix of constants: that of a view of constants is
/// for reading alone. It is const, so that OpenCV fails where it would give the result other memory.
template <class T>
const cv::Mat matrix(View<T> view) {
  using Pixel = std::remove_const_t<T>;
  static_assert(std::is_same_v<Pixel, std::uint8_t> || std::is_same_v<Pixel, Rgb>);
  return {view.height, view.width, std::is_same_v<Pixel, Rgb> ? CV_8UC3 : CV_8UC1, const_cast<Pixel*>(view.data),
          static_cast<std::size_t>(view.stride) * sizeof(T)};
}

/// Calls function(), which calls OpenCV. OpenCV starts no threads, because every core has a worker of StarPU. What it
/// throws becomes std::bad_alloc or a std::runtime_error of one line. Thread-safe.
template <class Function>
void call(Function function) {
  [[maybe_unused]] static const bool once = [] {
    cv::setNumThreads(1);
    cv::redirectError([](int, const char*, const char*, const char*, int, void*) { return 0; });  // else it prints
    return true;
  }();
  try {
    function();
  } catch (const cv::Exception& error) {
    if (error.code == cv::Error::StsNoMem) throw std::bad_alloc();
    throw std::runtime_error("OpenCV's " + error.func + ": " + error.err);
  }
}

}  // namespace starpath::opencv
