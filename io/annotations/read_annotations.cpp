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

}  // namespace

AnnotationFile read_annotations(const std::string& file, Geometries wanted) {
  std::string bytes = read_file(file);
  try {
    DecodedText decoded = decoded_text(unpacked(std::move(bytes)));
    const bool is_guessed = decoded.encoding == TextEncoding::latin1;
    Drawn drawn = is_xml(decoded.text) ? xml_annotations(decoded.text, is_guessed, wanted)
                                       : geojson_annotations(std::move(decoded.text), wanted);
    AnnotationFile found{std::move(drawn.annotations), {}};
    if (is_guessed) found.notes.push_back(file + ": is not UTF-8, and is read as Latin-1; check the names of classes");
    if (const std::string text = drawn.passed_over.text(); !text.empty())
      found.notes.push_back(fmt::format("{}: {}", file, text));
    return found;
  } catch (const Flaw& flaw) {
    throw Error(ErrorKind::input, fmt::format("{}: {}; {}", file, flaw.what, flaw.advice));
  }
}

}  // namespace starpath::io
