// By Expat, one element at a time. ASAP's elements are those that its XmlRepository writes. ImageScope has no published
// schema: this is what programs that read and write its files agree on. HALO writes the same with shorter names.
#include "io/annotations/xml_annotations.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/pure/parse_number.hpp"
#include "io/annotations/polygon_index.hpp"

namespace starpath::io {
namespace {

constexpr const char* kWriteHint = "save the annotations again in ASAP, ImageScope or QuPath";
constexpr int kEllipsePoints = 128;

[[noreturn]] void reject(const std::string& what, const char* advice = kWriteHint) { throw Flaw{what, advice}; }

/// Attributes of one element: names and values by turns, then null.
class Attributes {
 public:
  explicit Attributes(const XML_Char** pairs) : pairs_(pairs) {}

  std::string_view text(std::string_view name) const {
    for (const XML_Char** at = pairs_; *at != nullptr; at += 2)
      if (*at == name) return at[1];
    return "";
  }
  double number(std::string_view name) const {
    const auto value = parse_number<double>(text(name));
    if (!value || !std::isfinite(*value))
      reject(fmt::format("has a vertex whose {} is '{}', which is no number", name, text(name)));
    return *value;
  }

 private:
  const XML_Char** pairs_;
};

/// "#F4FA58".
std::optional<std::uint32_t> colour_of_asap(std::string_view text) {
  std::uint32_t colour = 0;
  if (text.size() != 7 || text[0] != '#') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 7, colour, 16);
  return error == std::errc() && end == text.data() + 7 ? std::optional(colour) : std::nullopt;
}

/// A number 0xBBGGRR, as Windows has colours.
std::optional<std::uint32_t> colour_of_imagescope(std::string_view text) {
  const auto bgr = parse_number<std::uint32_t>(text);
  if (!bgr || *bgr > 0xffffff) return std::nullopt;
  return (*bgr & 0xff) << 16 | (*bgr & 0xff00) | *bgr >> 16;
}

Ring rectangle(const Box& box) { return {{box.x0, box.y0}, {box.x1, box.y0}, {box.x1, box.y1}, {box.x0, box.y1}}; }

Ring ellipse(const Box& box) {
  Ring ring;
  for (int i = 0; i < kEllipsePoints; ++i) {
    const double angle = 2 * std::numbers::pi * i / kEllipsePoints;
    ring.push_back({(box.x0 + box.x1) / 2 + (box.x1 - box.x0) / 2 * std::cos(angle),
                    (box.y0 + box.y1) / 2 + (box.y1 - box.y0) / 2 * std::sin(angle)});
  }
  return ring;
}

Ring without_repeated_end(Ring ring) {
  const auto same = [](Vertex a, Vertex b) { return a.x == b.x && a.y == b.y; };
  if (ring.size() > 1 && same(ring.front(), ring.back())) ring.pop_back();
  return ring;
}

struct XmlReading {
  XML_Parser parser = nullptr;
  Geometries wanted = Geometries::areas;
  bool is_guessed = false;
  Drawn drawn;
  std::optional<Flaw> flaw;

  enum class Program { unknown, asap, imagescope } program = Program::unknown;
  std::size_t begun = 0;          // annotations of ASAP, or regions of ImageScope
  std::optional<Annotation> now;  // that its vertices are of
  std::string type;               // of it
  bool is_negative = false;
  std::vector<std::pair<int, Vertex>> vertices;  // and ASAP's order of them
  // ImageScope's layer.
  std::string layer;
  std::optional<std::uint32_t> layer_colour;
  std::size_t layer_begin = 0;  // in drawn.annotations
  std::vector<std::pair<Annotation, Ring>> negative;

  void begin(const std::string_view name, const Attributes& attributes);
  void end(std::string_view name);

 private:
  void begin_root(std::string_view name);
  void begin_annotation(Annotation annotation, std::string_view kind);
  void end_asap_annotation();
  void end_imagescope_region();
  void end_layer();
  Ring ring() const;
  void take_area(Ring ring);
  void take_points();
  void pass_over(const char* kind) { drawn.passed_over.add(*now, kind); }
  void keep();
  [[noreturn]] void reject_here(const std::string& what) const { reject(title_of(*now) + " " + what); }
};

void XmlReading::begin_root(std::string_view name) {
  if (name == "ASAP_Annotations")
    program = Program::asap;
  else if (name == "Annotations")
    program = Program::imagescope;
  else if (name == "annotations")
    reject("holds annotations of NDP.view (.ndpa), which are not read",
           "draw them in QuPath, or convert them to GeoJSON");
  else
    reject(fmt::format("is XML of another kind (<{}>), and that of ASAP and ImageScope is read", name));
}

void XmlReading::begin_annotation(Annotation annotation, std::string_view kind) {
  annotation.feature = begun++;
  now = std::move(annotation);
  type = kind;
  vertices.clear();
}

Ring XmlReading::ring() const {
  Ring ring;
  for (const auto& [order, vertex] : vertices) ring.push_back(vertex);
  return ring;
}

void XmlReading::begin(std::string_view name, const Attributes& attributes) {
  if (program == Program::unknown) return begin_root(name);
  const auto is_vertex = [&](std::string_view element) { return now && name == element; };
  if (program == Program::asap) {
    if (name == "Annotation") {
      const std::string_view group = attributes.text("PartOfGroup");
      begin_annotation({.feature = 0,
                        .class_name = std::string(group == "None" ? "" : group),
                        .polygons = {},
                        .name = std::string(attributes.text("Name")),
                        .colour = colour_of_asap(attributes.text("Color")),
                        .object_type = "annotation"},
                       attributes.text("Type"));
    } else if (is_vertex("Coordinate")) {
      const auto order = parse_number<int>(attributes.text("Order"));
      vertices.emplace_back(order.value_or(static_cast<int>(vertices.size())),
                            Vertex{attributes.number("X"), attributes.number("Y")});
    }
    return;
  }
  if (name == "Annotation") {
    layer = attributes.text("Name");
    layer_colour = colour_of_imagescope(attributes.text("LineColor"));
    layer_begin = drawn.annotations.size();
  } else if (name == "Region") {
    begin_annotation({.feature = 0,
                      .class_name = layer,
                      .polygons = {},
                      .name = std::string(attributes.text("Text")),
                      .colour = layer_colour,
                      .object_type = "annotation"},
                     attributes.text("Type"));
    is_negative = attributes.text("NegativeROA") == "1";
  } else if (is_vertex("Vertex") || is_vertex("V")) {
    vertices.emplace_back(0, Vertex{attributes.number("X"), attributes.number("Y")});
  }
}

void XmlReading::keep() {
  drop_empty_polygons(*now, drawn.passed_over);
  if (!now->polygons.empty() || !now->points.empty()) drawn.annotations.push_back(std::move(*now));
}

void XmlReading::take_area(Ring ring) {
  ring = without_repeated_end(std::move(ring));
  if (ring.size() < 3) return pass_over(ring.empty() ? "empty" : "without area");
  if (is_negative) return negative.emplace_back(*now, std::move(ring)), void();
  now->polygons.push_back({std::move(ring), {}});
}

void XmlReading::take_points() {
  if (vertices.empty()) return pass_over("empty");
  if (wanted == Geometries::areas) return pass_over("points");
  now->points = ring();
}

void XmlReading::end_asap_annotation() {
  std::ranges::stable_sort(vertices, {}, &std::pair<int, Vertex>::first);
  if (type == "Polygon" || type == "Rectangle" || type == "Spline")
    take_area(ring());
  else if (type == "Dot" || type == "PointSet")
    take_points();
  else if (type == "Measurement")
    pass_over("lines");
  else if (type == "None")
    pass_over("empty");
  else
    reject_here(fmt::format("is of the unknown type '{}'", type));
  keep();
}

void XmlReading::end_imagescope_region() {
  const auto is = [&](std::string_view number, std::string_view word) { return type == number || type == word; };
  const auto box = [&] { return bounds(Polygon{ring(), {}}); };
  if (is("0", "Polygon") || type.empty())
    take_area(ring());
  else if (is("1", "Rectangle"))
    take_area(vertices.size() == 2 ? rectangle(box()) : ring());
  else if (is("2", "Ellipse"))
    take_area(vertices.size() >= 2 && vertices.size() <= 4 ? ellipse(box()) : ring());
  else if (is("3", "Arrow") || is("4", "Ruler"))
    pass_over("lines");
  else if (is("5", "Pin"))
    take_points();
  else
    reject_here(fmt::format("is of the unknown type '{}'", type));
  keep();
}

void XmlReading::end_layer() {
  for (auto& [annotation, ring] : negative) {
    bool is_hole = false;
    for (std::size_t i = layer_begin; i < drawn.annotations.size(); ++i)
      for (Polygon& polygon : drawn.annotations[i].polygons) {
        const PolygonIndex around({{polygon.outline, {}}});
        const auto within = std::ranges::count_if(ring, [&](Vertex v) { return around.contains(v.x, v.y); });
        if (within == 0) continue;
        if (within < std::ssize(ring))
          reject(fmt::format("{} is negative and reaches over the edge of {}", title_of(annotation),
                             title_of(drawn.annotations[i])),
                 "draw it within");
        polygon.holes.push_back(ring);
        is_hole = true;
      }
    if (!is_hole) drawn.passed_over.add(annotation, "negative and within no other");
  }
  negative.clear();
}

void XmlReading::end(std::string_view name) {
  if (program == Program::imagescope && name == "Annotation") end_layer();
  if (!now || name != (program == Program::asap ? "Annotation" : "Region")) return;
  program == Program::asap ? end_asap_annotation() : end_imagescope_region();
  now.reset();
}

/// Exceptions do not pass through Expat, which is C.
template <class Work>
void guarded(XmlReading& reading, const Work& work) {
  if (reading.flaw) return;
  try {
    work();
  } catch (const Flaw& flaw) {
    reading.flaw = flaw;
    XML_StopParser(reading.parser, XML_FALSE);
  }
}

std::string_view without_prefix(const XML_Char* name) {
  std::string_view local = name;
  local.remove_prefix(local.rfind(':') + 1);  // npos + 1 is 0
  return local;
}

void XMLCALL on_begin(void* data, const XML_Char* name, const XML_Char** pairs) {
  auto& reading = *static_cast<XmlReading*>(data);
  guarded(reading, [&] { reading.begin(without_prefix(name), Attributes(pairs)); });
}

void XMLCALL on_end(void* data, const XML_Char* name) {
  auto& reading = *static_cast<XmlReading*>(data);
  guarded(reading, [&] { reading.end(without_prefix(name)); });
}

/// The encoding that is declared, where that of the bytes is a guess: names of another one would be read wrongly.
void XMLCALL on_declaration(void* data, const XML_Char*, const XML_Char* encoding, int) {
  auto& reading = *static_cast<XmlReading*>(data);
  if (!reading.is_guessed || encoding == nullptr) return;
  std::string said = encoding;
  for (char& c : said)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  guarded(reading, [&] {
    if (said != "iso-8859-1" && said != "latin1" && said != "windows-1252")
      reject(fmt::format("is in the encoding '{}', or is damaged", encoding), "save it as UTF-8");
  });
}

}  // namespace

Drawn xml_annotations(const std::string& text, bool is_guessed, Geometries wanted) {
  XmlReading reading;
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(XML_ParserCreate("UTF-8"),
                                                                                             XML_ParserFree);
  reading.parser = parser.get();
  reading.wanted = wanted;
  reading.is_guessed = is_guessed;
  XML_SetUserData(parser.get(), &reading);
  XML_SetElementHandler(parser.get(), on_begin, on_end);
  XML_SetXmlDeclHandler(parser.get(), on_declaration);
  if (text.size() > INT_MAX) reject("is larger than 2 GiB");
  const auto status = XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), XML_TRUE);
  if (reading.flaw) throw *reading.flaw;
  if (status == XML_STATUS_ERROR)
    reject(fmt::format("is XML that is damaged in line {}: {}", XML_GetCurrentLineNumber(parser.get()),
                       XML_ErrorString(XML_GetErrorCode(parser.get()))));
  return std::move(reading.drawn);
}

}  // namespace starpath::io
