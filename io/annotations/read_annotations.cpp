// From bytes to the parser of their kind.
#include "io/annotations/read_annotations.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/read_file.hpp"
#include "base/text_encoding.hpp"
#include "io/annotations/geojson_annotations.hpp"
#include "io/annotations/packed_text.hpp"
#include "io/annotations/xml_annotations.hpp"

namespace starpath::io {
namespace {

bool is_xml(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != text.npos && text[begin] == '<';
}

void move(Annotation& annotation, Vertex origin) {
  const auto move_all = [&](std::vector<Vertex>& vertices) {
    for (Vertex& v : vertices) v = {v.x - origin.x, v.y - origin.y};
  };
  move_all(annotation.points);
  for (Polygon& polygon : annotation.polygons) {
    move_all(polygon.outline);
    for (Ring& hole : polygon.holes) move_all(hole);
  }
}

}  // namespace

AnnotationFile read_annotations(const std::string& file, Geometries wanted, Vertex origin) {
  std::string bytes = read_file(file);
  try {
    DecodedText decoded = decoded_text(unpacked(std::move(bytes)));
    const bool is_guessed = decoded.encoding == TextEncoding::latin1;
    const bool counts_from_canvas = is_xml(decoded.text);
    Drawn drawn = counts_from_canvas ? xml_annotations(decoded.text, is_guessed, wanted)
                                     : geojson_annotations(std::move(decoded.text), wanted);
    AnnotationFile found{std::move(drawn.annotations), {}};
    if (counts_from_canvas)
      for (Annotation& annotation : found.annotations) move(annotation, origin);
    if (is_guessed) found.notes.push_back(file + ": is not UTF-8, and is read as Latin-1; check the names of classes");
    if (const std::string text = drawn.passed_over.text(); !text.empty())
      found.notes.push_back(fmt::format("{}: {}", file, text));
    return found;
  } catch (const Flaw& flaw) {
    throw Error(ErrorKind::input, fmt::format("{}: {}; {}", file, flaw.what, flaw.advice));
  }
}

}  // namespace starpath::io
