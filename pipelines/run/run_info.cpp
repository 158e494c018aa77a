// The description that every pipeline stores of its run, and checks of its options.
#include "pipelines/run/run_info.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace starpath {

io::RunInfo run_info(const io::SlideInfo& slide, const io::WorkingSlide& grid, const io::Resolution& resolution,
                     const Rect& roi) {
  io::RunInfo info{};
  info.slide_path = slide.path;
  info.slide_width = slide.width();
  info.slide_height = slide.height();
  info.slide_mpp = resolution.known() ? resolution.mpp : 0;
  info.width = grid.width();
  info.height = grid.height();
  info.mpp = resolution.known() ? grid.mpp() : 0;
  info.mpp_source = io::name_of(resolution.source);
  info.scale = grid.scale();
  info.origin = slide.place ? io::CanvasPlace{slide.place->x, slide.place->y} : io::CanvasPlace{};
  const Rect whole{0, 0, grid.width(), grid.height()};
  const Rect analysed = roi.empty() ? whole : intersection(roi, whole);
  info.roi_x = analysed.x;
  info.roi_y = analysed.y;
  info.roi_width = analysed.width;
  info.roi_height = analysed.height;
  return info;
}

std::string bounds_of(const io::SlideInfo& slide) {
  const io::PlaceOnCanvas place = slide.place.value_or(io::PlaceOnCanvas{});
  return fmt::format("{}x{} px at x={}, y={}", slide.width(), slide.height(), place.x, place.y);
}

void check_window(int window) {
  if (window < 0)
    throw Error(ErrorKind::usage,
                fmt::format("--window {} makes no sense: use 1 or more tiles, or 0 for the default", window));
}

void check_run_options(const io::WorkingSlide& grid, const Rect& roi, int window) {
  check_window(window);
  if (!roi.empty() && intersection(roi, {0, 0, grid.width(), grid.height()}).empty())
    throw Error(ErrorKind::usage, fmt::format("--roi lies outside the slide, which is {:.0f}x{:.0f} px at level 0",
                                              static_cast<double>(grid.width()) * grid.scale(),
                                              static_cast<double>(grid.height()) * grid.scale()));
}

}  // namespace starpath
