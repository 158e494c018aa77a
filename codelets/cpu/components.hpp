// Connected components of a mask as labelled runs: the base of the CPU kernels on objects.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

#include "codelets/cpu/pixel_runs.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath::cpu {

/// The runs of a mask and the component of each: labels from 1, in raster order of first pixels.
struct Components {
  RunRows rows;
  std::span<std::int32_t> labels;
  std::int32_t count;

  std::int32_t label(std::int32_t run) const { return labels[static_cast<std::size_t>(run)]; }
};

/// Everything these three return lives in `scratch`.
Components label_runs(Scratch& scratch, const RunRows& rows, Connectivity connectivity);
Components find_components(Scratch& scratch, MaskView mask, Connectivity connectivity);
/// areas[label] in pixels; areas[0] is 0.
std::span<std::int32_t> component_areas(Scratch& scratch, const Components& components);

/// A run that knows its row.
struct Segment {
  std::int32_t y, x0, x1;
  std::int32_t length() const { return x1 - x0; }
};

/// One component on its own.
struct Object {
  std::span<const Segment> segments;  // in raster order
  std::int32_t x0, y0, x1, y1;        // its bounding box; x1 and y1 are one past the last
  std::int32_t width() const { return x1 - x0; }
  std::int32_t height() const { return y1 - y0; }
};

/// All components, each with its runs together. Lives in `scratch`.
std::span<const Object> group_objects(Scratch& scratch, const Components& components);

/// kept = the components that hold a pixel of `marker`, which it may alias.
void keep_marked(Scratch& scratch, const Components& components, MaskView marker, View<std::uint8_t> kept);

/// Writes the runs i that keep(i) wants as 255, everything else as 0.
template <class Keep>
void write_runs(const RunRows& rows, View<std::uint8_t> out, Keep keep) {
  for (int y = 0; y < out.height; ++y) {
    std::uint8_t* row = out.row(y);
    std::memset(row, 0, static_cast<std::size_t>(out.width));
    for (std::int32_t i = rows.begin(y); i < rows.end(y); ++i)
      if (keep(i)) std::memset(row + rows[i].x0, 255, static_cast<std::size_t>(rows[i].x1 - rows[i].x0));
  }
}

}  // namespace starpath::cpu
