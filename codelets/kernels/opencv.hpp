// The kernels that have a second implementation for CPUs, with OpenCV: codelets/opencv defines them, by the contract of
// the kernel's own header. A build without OpenCV has no definition, and nothing may call them there.
#pragma once
#include "codelets/kernels/area_average.hpp"
#include "codelets/kernels/background.hpp"
#include "codelets/kernels/morph_open.hpp"

namespace starpath {

/// Whether they are compiled in.
inline constexpr bool kOpenCvCompiled = STARPATH_OPENCV_COMPILED;

namespace opencv {

decltype(cpu::area_average) area_average;
decltype(cpu::background) background;
decltype(cpu::morph_open) morph_open;

}  // namespace opencv
}  // namespace starpath
