// NucEval's corrections of a comparison: what nobody can say for sure is not judged.
#pragma once
#include "bench/quality/label_image.hpp"

namespace starpath::quality {

/// Leaves out what lies in vague regions (pixels of `vague` that are not 0): an object with more than a quarter of its
/// pixels there loses all of them, and every other object those there. Both images have one size. Source: NucEval
/// (arXiv 2605.03144), handling of vague regions, its default limit.
void leave_out_vague(const LabelImage& vague, LabelImage& labels);

/// The pixels whose disc of radius `width` pixels, as far as it lies in the image, holds more than one label. They are
/// the rims of the objects, inside and outside. 1 in a rim, 0 elsewhere. Source: NucEval, border uncertainty: what lies
/// between erosion and dilation of an object. (NucEval's own program takes OpenCV's ellipse for the disc, which is a
/// little wider.) `width` is 0 or more.
LabelImage rims_of(const LabelImage& truth, int width);

/// Makes the pixels background that are not 0 in `mask`. Both images have one size.
void leave_out(const LabelImage& mask, LabelImage& labels);

}  // namespace starpath::quality
