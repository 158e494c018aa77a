// What overlays show: the slide, with the outlines of its nuclei.
#pragma once
#include <cstdint>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "io/outlines/contour.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/slides/working_slide.hpp"

namespace starpath::io {

/// Where a picture of the analysed region lies: pixel (px, py) of the grid falls on picture pixel
/// (px / reduction - left, py / reduction - top).
struct OverlayPicture {
  double scale;      // level-0 pixels to a pixel of the picture
  double reduction;  // pixels of the grid to one
  std::int64_t left, top;
  int width, height;
};

/// The picture whose pixels are `scale` level-0 pixels wide.
OverlayPicture overlay_picture(const RunInfo& info, double scale);

/// Reads a block whose top left pixel is (x, y) of the picture. `overview` has the picture's scale. What cannot be read
/// is gray. Thread-safe. Throws as WorkingSlide::read_around_gaps.
void read_block(const WorkingSlide& overview, const OverlayPicture& picture, int x, int y, View<Rgb> block);

/// The outlines of the nuclei that meet rows y to y + height of the picture.
std::vector<Contour> outlines_in(const NucleusStore& nuclei, const OverlayPicture& picture, std::int64_t y, int height);

/// Paints the pixels of the nucleus that lie along its outline, in a block as above.
void draw_outline(const Contour& contour, const OverlayPicture& picture, int x, int y, View<Rgb> block);

}  // namespace starpath::io
