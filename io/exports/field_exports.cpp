// Labelled fields as a table and as pictures.
#include "io/exports/field_exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "io/exports/png_writer.hpp"
#include "io/outputs/picture_start.hpp"
#include "io/outputs/text_start.hpp"
#include "io/slides/working_slide.hpp"

namespace starpath::io {

namespace {

constexpr const char* kMapTitle = "Map of fields, by starpath";
constexpr const char* kOldColumns = "field,x,y,width,height,label,votes,p_value,level,confidence";  // of 0.1.0
constexpr const char* kNewColumns = ",distance,out_of_range";

constexpr Rgb kHatching{0, 0, 0};

Rgb colour_of(const FieldMap& map, const FieldRecord* field) {
  if (field == nullptr) return {255, 255, 255};
  if (field->failed) return {0, 0, 0};
  if (field->out_of_range) return kOutOfRange.colour;
  const Rgb colour = map.label_of(*field).colour;
  const auto paler = [](std::uint8_t v) { return static_cast<std::uint8_t>((v + 255) / 2); };
  return field->low_confidence ? Rgb{paler(colour.r), paler(colour.g), paler(colour.b)} : colour;
}

/// Fields out of range are hatched, as their colour is much like that of stained tissue.
constexpr bool on_hatching(int x, int y) {
  constexpr int period = 12, line = 2;
  return (x + y) % period < line;
}

/// A pixel of the slide in a field's colour.
Rgb tinted(Rgb pixel, Rgb tint) {
  const auto mix = [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>((a * 5 + b * 3) / 8); };
  return {mix(pixel.r, tint.r), mix(pixel.g, tint.g), mix(pixel.b, tint.b)};
}

}  // namespace

std::vector<const FieldRecord*> fields_by_place(const FieldMap& map) {
  std::vector<const FieldRecord*> places(static_cast<std::size_t>(map.columns() * map.rows()), nullptr);
  for (const FieldRecord& field : map.fields) {
    if (field.index < 0 || static_cast<std::size_t>(field.index) >= places.size())
      throw Error(ErrorKind::mismatch,
                  fmt::format("the results are damaged: field {} of {}; run again", field.index, places.size()));
    places[static_cast<std::size_t>(field.index)] = &field;
  }
  return places;
}

void export_field_csv(const FieldMap& map, const std::filesystem::path& file) {
  AtomicFile output(file);
  output.write(std::string(kOldColumns) + kNewColumns + "\r\n");
  std::string text;
  for (const FieldRecord& field : map.fields) {
    const auto level0 = [&](std::int64_t working) { return static_cast<double>(working) * map.info.scale; };
    text.clear();
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{},{},{},{},{},", field.index, level0(field.x), level0(field.y), level0(field.width),
                   level0(field.height));
    if (field.failed)
      text += "failed,,,,,,";
    else if (field.label == 0)
      fmt::format_to(out, "{},,,{},accepted,,0", map.label_of(field).name, field.level);
    else
      fmt::format_to(out, "{},{},{},{},{},{},{}", map.label_of(field).name, field.votes, field.p_value, field.level,
                     field.low_confidence ? "low" : "accepted", field.distance, field.out_of_range ? 1 : 0);
    output.write(text + "\r\n");
  }
  output.commit();
}

void export_field_map(const FieldMap& map, const std::filesystem::path& file) {
  const std::int64_t longer = std::max(map.columns(), map.rows());
  const int zoom = static_cast<int>(std::clamp<std::int64_t>(2048 / longer, 1, 16));
  const auto places = fields_by_place(map);
  AtomicFile output(file);
  std::vector<Rgb> row(static_cast<std::size_t>(map.columns() * zoom));
  const int width = static_cast<int>(row.size());
  PngWriter writer(output, width, static_cast<int>(map.rows()) * zoom, kMapTitle);
  for (std::int64_t y = 0; y < map.rows(); ++y) {
    for (std::size_t x = 0; x < row.size(); ++x)
      row[x] = colour_of(map, places[static_cast<std::size_t>(y * map.columns()) + x / static_cast<std::size_t>(zoom)]);
    for (int i = 0; i < zoom; ++i) writer.write({row.data(), width, 1, width});
  }
  writer.finish();
  output.commit();
}

void export_field_overlay(const FieldMap& map, const Slide& slide, const std::filesystem::path& file, int max_side,
                          const ExportProgress& on_progress) {
  constexpr int band_height = 64;
  const auto longer = static_cast<double>(std::max(map.info.width, map.info.height));
  const double scale = std::min(map.info.scale * std::max(1.0, longer / max_side), kMostScale);
  const double reduction = scale / map.info.scale;
  // In units of level-0 pixels, so that it works without a known resolution and picks the level that fits.
  const WorkingSlide overview(slide, scale, 1.0);
  const std::int64_t side = std::llround(longer / reduction);
  const int width = static_cast<int>(std::min(overview.width(), side));
  const int height = static_cast<int>(std::min(overview.height(), side));
  const auto places = fields_by_place(map);
  const auto place = [&](int at, std::int64_t count) {
    return std::min(count - 1, static_cast<std::int64_t>((at + 0.5) * reduction) / map.side);
  };
  AtomicFile output(file);
  PngWriter writer(output, width, height, kOverlayTitle);
  std::vector<Rgb> pixels(static_cast<std::size_t>(width) * band_height);
  for (int y = 0; y < height; y += band_height) {
    const View<Rgb> band{pixels.data(), width, std::min(band_height, height - y), width};
    overview.read_around_gaps(0, y, band);
    for (int j = 0; j < band.height; ++j)
      for (int x = 0; x < width; ++x) {
        const std::int64_t at = place(y + j, map.rows()) * map.columns() + place(x, map.columns());
        const FieldRecord* field = places[static_cast<std::size_t>(at)];
        if (field == nullptr || (!field->failed && field->label == 0)) continue;
        Rgb& p = band.at(x, j);
        const bool hatched = field->out_of_range && !field->failed && on_hatching(x, y + j);
        p = hatched ? kHatching : tinted(p, colour_of(map, field));
      }
    writer.write(band);
    if (on_progress) on_progress(static_cast<double>(y + band.height) / height);
  }
  writer.finish();
  output.commit();
}

bool is_field_csv(const std::filesystem::path& file) { return has_columns(file, kOldColumns); }

bool is_field_map(const std::filesystem::path& file) {
  return is_picture_titled(file, kMapTitle) || is_untitled_picture(file);
}

}  // namespace starpath::io
