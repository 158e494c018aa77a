// XML of ASAP, and of Aperio's ImageScope and HALO.
#pragma once
#include <string>

#include "io/annotations/drawn.hpp"

namespace starpath::io {

/// What a file of ASAP (the class is the annotation's group) or of ImageScope (the class is the layer's name, the name
/// the region's text) holds, in level-0 pixels of the slide's canvas. ImageScope's ellipses become polygons of 128
/// points, and a negative region a hole in each region of its layer around it. `text` is UTF-8, and its declaration
/// does not count; `is_guessed`: its encoding was not known. Throws Flaw naming the number of the annotation or region
/// in the file (from 0) when it is damaged, of another program, or says what cannot be read. Pure.
Drawn xml_annotations(const std::string& text, bool is_guessed, Geometries wanted);

}  // namespace starpath::io
