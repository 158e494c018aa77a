// Points and areas that meet nuclei.
#include "pipelines/classification/annotated_nuclei.hpp"

#include <algorithm>
#include <cmath>

namespace starpath {
namespace {

constexpr std::size_t kSeveral = SIZE_MAX;

/// Distance of a point from the pixels of a nucleus; 0 inside.
double distance_from(const io::Contour& contour, double x, double y) {
  double least = INFINITY;
  bool inside = false;
  for (std::size_t i = 0; i < contour.size(); ++i) {
    // Edges lie along the grid, so that the nearest place on one is each coordinate clamped.
    const io::Point a = contour[i], b = contour[(i + 1) % contour.size()];
    const auto [x0, x1] = std::minmax({static_cast<double>(a.x), static_cast<double>(b.x)});
    const auto [y0, y1] = std::minmax({static_cast<double>(a.y), static_cast<double>(b.y)});
    least = std::min(least, std::hypot(x - std::clamp(x, x0, x1), y - std::clamp(y, y0, y1)));
    if (x0 == x1 && x0 > x && y0 <= y && y < y1) inside = !inside;
  }
  return inside ? 0 : least;
}

std::string why_left_out(const io::Annotation& annotation) {
  if (!annotation.object_type.empty() && annotation.object_type != "annotation")
    return annotation.object_type + " objects";
  if (annotation.class_name.empty()) return "without a class";
  if (annotation.class_name.ends_with('*')) return "of class " + annotation.class_name;
  return "";
}

}  // namespace

AnnotationMatch::AnnotationMatch(const std::vector<io::Annotation>& annotations, double scale, double reach)
    : scale_(scale), reach_(reach) {
  for (const io::Annotation& annotation : annotations) {
    if (const std::string why = why_left_out(annotation); !why.empty()) {
      ++counts_.left_out[why];
      continue;
    }
    const std::size_t number = number_of(annotation.class_name);
    for (const io::Vertex& point : annotation.points)
      marks_.push_back({point.x / scale, point.y / scale, number, INFINITY, 0});
    if (!annotation.polygons.empty()) areas_.push_back({io::PolygonIndex(annotation.polygons), number});
  }
  counts_.points = std::ssize(marks_);
  counts_.areas = std::ssize(areas_);
  std::ranges::stable_sort(marks_, {}, &Mark::y);
}

std::size_t AnnotationMatch::number_of(const std::string& name) {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) names_.push_back(name);
  return static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
}

void AnnotationMatch::give(std::int64_t id, std::size_t class_number) {
  const auto [place, added] = given_.emplace(id, class_number);
  if (!added && place->second != class_number) place->second = kSeveral;
}

void AnnotationMatch::add(std::int64_t id, const io::NucleusRecord& nucleus) {
  const double top = static_cast<double>(nucleus.y0) - reach_, bottom = static_cast<double>(nucleus.y1) + reach_;
  for (auto mark = std::ranges::lower_bound(marks_, top, {}, &Mark::y); mark != marks_.end() && mark->y <= bottom;
       ++mark) {
    if (mark->x < static_cast<double>(nucleus.x0) - reach_ || mark->x > static_cast<double>(nucleus.x1) + reach_)
      continue;
    const double distance = distance_from(nucleus.contour, mark->x, mark->y);
    if (distance > reach_ || distance >= mark->distance) continue;
    mark->distance = distance;
    mark->nucleus = id;
  }
  for (Area& area : areas_) {
    if (!area.index.contains(nucleus.centroid_x * scale_, nucleus.centroid_y * scale_)) continue;
    ++area.nuclei;
    give(id, area.class_number);
  }
}

AnnotatedSlideNuclei AnnotationMatch::finish() {
  for (const Mark& mark : marks_)
    if (mark.nucleus > 0)
      give(mark.nucleus, mark.class_number);
    else
      ++counts_.points_lost;
  for (const Area& area : areas_) counts_.areas_empty += area.nuclei == 0;
  AnnotatedSlideNuclei result;
  for (const auto& [id, number] : given_)
    if (number == kSeveral)
      ++counts_.conflicts;
    else
      result.classes.emplace(id, names_[number]);
  result.counts = counts_;
  return result;
}

}  // namespace starpath
