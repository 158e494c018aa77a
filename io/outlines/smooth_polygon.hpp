// Outlines for people: few vertices, no stairs, and still exactly the same pixels. Pure.
#pragma once
#include <vector>

#include "io/outlines/contour.hpp"

namespace starpath::io {

/// A closed polygon for an object's outline, in half pixels: vertex (3, 4) is at (1.5, 2). Vertices are middles of
/// pixel edges, the first not repeated. It holds exactly those pixel centres that the contour holds, passes within half
/// a pixel of the middle of every pixel edge on the outline, and neither meets itself nor passes through a centre.
/// Where pixels of the object touch only across a corner it is one polygon with a waist. Starts at the contour's first
/// edge and is as long-legged as going on from there allows. Its time grows with the length of the outline.
std::vector<Point> smooth_polygon(const Contour& contour);

}  // namespace starpath::io
