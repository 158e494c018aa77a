// Which fields annotated regions cover.
#include "pipelines/nbia/annotated_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "io/annotations/read_annotations.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/nbia/colour_check.hpp"
#include "pipelines/nbia/readable_fields.hpp"

namespace starpath {
namespace {

constexpr std::array kLabels = {NbiaLabel::background, NbiaLabel::stroma_rich, NbiaLabel::stroma_poor};

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

std::optional<NbiaLabel> label_named(std::string name) {
  // "Stroma-rich", "stroma rich"
  for (char& c : name)
    c = std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
                                                    : '_';
  for (const NbiaLabel label : kLabels)
    if (name == label_name(label)) return label;
  return std::nullopt;
}

/// The area of a field that regions cover, in pixels.
struct Cover {
  std::array<double, kLabels.size()> area{};
  std::size_t annotation = 0;  // that covers most of it
  double most = 0;
};

using Covers = std::map<std::pair<std::int64_t, std::int64_t>, Cover>;  // by row and column

class Covering {
 public:
  Covering(const io::WorkingSlide& grid, int side)
      : scale_(grid.scale()), side_(side), columns_(grid.width() / side), rows_(grid.height() / side) {}

  void add(const io::Annotation& annotation, NbiaLabel label) {
    for (io::Polygon polygon : annotation.polygons) {
      to_working_pixels(polygon);
      add(polygon, annotation.feature, label);
    }
  }
  const Covers& covers() const { return covers_; }

 private:
  void to_working_pixels(io::Polygon& polygon) const {
    const auto reduce = [this](io::Ring& ring) {
      for (io::Vertex& v : ring) v = {v.x / scale_, v.y / scale_};
    };
    reduce(polygon.outline);
    for (io::Ring& hole : polygon.holes) reduce(hole);
  }

  /// The whole fields from one that holds `low` to the one that holds `high`.
  std::pair<std::int64_t, std::int64_t> places(double low, double high, std::int64_t count) const {
    const auto place = [&](double at) {
      return static_cast<std::int64_t>(std::floor(std::clamp(at / side_, 0.0, static_cast<double>(count))));
    };
    return {place(low), std::min(count, place(high) + 1)};
  }

  void add(const io::Polygon& polygon, std::size_t feature, NbiaLabel label) {
    const io::Box box = io::bounds(polygon);
    const auto [top, bottom] = places(box.y0, box.y1, rows_);
    const auto [left, right] = places(box.x0, box.x1, columns_);
    for (std::int64_t row = top; row < bottom; ++row) {
      const auto y = static_cast<double>(row * side_);
      const io::Polygon strip = io::between_rows(polygon, y, y + side_);
      for (std::int64_t column = left; column < right; ++column) {
        const auto x = static_cast<double>(column * side_);
        const double area = io::area(io::between_columns(strip, x, x + side_));
        if (!(area > 0)) continue;
        Cover& cover = covers_[{row, column}];
        cover.area[static_cast<std::size_t>(label)] += area;
        if (area <= cover.most) continue;
        cover.most = area;
        cover.annotation = feature;
      }
    }
  }

  double scale_;
  int side_;
  std::int64_t columns_, rows_;
  Covers covers_;
};

/// The label that covers enough of a field, alone.
std::optional<NbiaLabel> label_from(const Cover& cover, double enough, double whole) {
  std::optional<NbiaLabel> found;
  for (const NbiaLabel label : kLabels) {
    const double share = cover.area[static_cast<std::size_t>(label)] / whole;
    if (share >= enough && !found)
      found = label;
    else if (share > 1 - enough)
      return std::nullopt;
  }
  return found;
}

void check_is_on_slide(const io::Annotation& annotation, const io::SlideInfo& slide, const AnnotatedSlide& files) {
  for (const io::Polygon& polygon : annotation.polygons) {
    const io::Box box = io::bounds(polygon);
    if (box.x1 > 0 && box.y1 > 0 && box.x0 < static_cast<double>(slide.width()) &&
        box.y0 < static_cast<double>(slide.height()))
      continue;
    throw Error(ErrorKind::input,
                fmt::format("{}: feature {} lies beside the slide {} of {}x{} px; give each slide its own annotations",
                            files.annotations, annotation.feature, files.slide, slide.width(), slide.height()));
  }
}

class SlideVisit {
 public:
  SlideVisit(const AnnotatedSource& source, const AnnotatedSlide& files)
      : source_(source),
        files_(files),
        slide_(io::open_slide(files.slide)),
        grid_(*slide_, source.mpp, source.image_mpp) {
    check_has_colour(files.slide, grid_);
  }

  std::vector<std::string> visit(const std::function<void(const LabelledField&)>& visit) {
    Covering covering(grid_, source_.field);
    const io::PlaceOnCanvas place = slide_->info().place.value_or(io::PlaceOnCanvas{});
    io::AnnotationFile drawn = io::read_annotations(files_.annotations, io::Geometries::areas,
                                                    {static_cast<double>(place.x), static_cast<double>(place.y)});
    notes_ = std::move(drawn.notes);
    for (const io::Annotation& annotation : drawn.annotations) {
      const auto label = label_of_class(annotation.class_name);
      if (!label) {
        ++unknown_[annotation.class_name.empty() ? "no class" : annotation.class_name];
        continue;
      }
      check_is_on_slide(annotation, slide_->info(), files_);
      covering.add(annotation, *label);
      ++known_;
    }
    if (known_ == 0) refuse();
    visit_covered(covering.covers(), visit);
    return lines();
  }

 private:
  std::optional<NbiaLabel> label_of_class(const std::string& name) const {
    const auto given = source_.classes.find(name);
    return given != source_.classes.end() ? std::optional(given->second) : label_named(name);
  }

  std::string unknown_text() const {
    std::string text;
    for (const auto& [name, count] : unknown_) text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", count, name);
    return text;
  }

  [[noreturn]] void refuse() const {
    throw Error(
        ErrorKind::input,
        fmt::format("{}: no region has the class of a label ({}); draw and classify regions in QuPath, and say "
                    "which class is which, as in --classes Stroma=stroma_rich,Tumor=stroma_poor",
                    files_.annotations, unknown_.empty() ? "there is no region" : "regions: " + unknown_text()));
  }

  void visit_covered(const Covers& covers, const std::function<void(const LabelledField&)>& visit) {
    const int side = source_.field;
    std::vector<Rgb> pixels(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    const View<Rgb> field{pixels.data(), side, side, side};
    for (const auto& [place, cover] : covers) {
      const auto label = label_from(cover, source_.coverage, static_cast<double>(side) * side);
      if (!label) {
        ++partly_;
        continue;
      }
      if (!readable_.read(place.second * side, place.first * side, field)) continue;
      ++fields_[static_cast<std::size_t>(*label)];
      visit({*label, {files_.slide, fmt::format("{}", cover.annotation)}, field});
    }
  }

  std::vector<std::string> lines() const {
    const auto of = [&](NbiaLabel label) { return fields_[static_cast<std::size_t>(label)]; };
    std::vector<std::string> lines = {
        fmt::format("{}: fields of {} px: {} stroma_rich, {} stroma_poor, {} background; {} covered too little or by "
                    "several labels",
                    file_name(files_.slide), source_.field, of(NbiaLabel::stroma_rich), of(NbiaLabel::stroma_poor),
                    of(NbiaLabel::background), partly_)};
    if (!unknown_.empty())
      lines.push_back(
          fmt::format("{}: regions of no label left out: {}", file_name(files_.annotations), unknown_text()));
    if (std::string line = readable_.line(files_.slide); !line.empty()) lines.push_back(std::move(line));
    lines.insert(lines.end(), notes_.begin(), notes_.end());
    return lines;
  }

  const AnnotatedSource& source_;
  const AnnotatedSlide& files_;
  std::unique_ptr<io::Slide> slide_;
  io::WorkingSlide grid_;
  ReadableFields readable_{grid_};
  std::vector<std::string> notes_;      // on the file of annotations
  std::map<std::string, int> unknown_;  // classes that are no label -> regions
  int known_ = 0;
  std::array<std::int64_t, kLabels.size()> fields_{};
  std::int64_t partly_ = 0;
};

}  // namespace

std::pair<std::string, NbiaLabel> parse_class(const std::string& text) {
  const std::size_t at = text.rfind('=');
  if (at != std::string::npos && at > 0)
    if (const auto label = label_named(text.substr(at + 1))) return {text.substr(0, at), *label};
  throw Error(ErrorKind::usage,
              fmt::format("--classes {}: say CLASS=LABEL with a label of {}", text,
                          fmt::join({label_name(kLabels[1]), label_name(kLabels[2]), label_name(kLabels[0])}, ", ")));
}

std::vector<std::string> visit_annotated_fields(const AnnotatedSource& source,
                                                const std::function<void(const LabelledField&)>& visit) {
  std::vector<std::string> lines;
  for (const AnnotatedSlide& files : source.slides)
    for (std::string& line : SlideVisit(source, files).visit(visit)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace starpath
