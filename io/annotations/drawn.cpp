#include "io/annotations/drawn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/words.hpp"
#include "io/annotations/self_crossing.hpp"

namespace starpath::io {
namespace {

bool is_empty(const Polygon& polygon) {
  const Box box = bounds(polygon);
  const double far = std::max({std::abs(box.x0), std::abs(box.y0), std::abs(box.x1), std::abs(box.y1)});
  const auto vertices = static_cast<double>(polygon.outline.size());
  const double rounding = far * far * vertices * std::numeric_limits<double>::epsilon();
  return area(polygon) <= rounding && !crosses_itself({polygon});
}

}  // namespace

std::string title_of(const Annotation& annotation) {
  return fmt::format("feature {}{}", annotation.feature,
                     annotation.name.empty() ? "" : fmt::format(" ('{}')", annotation.name));
}

void PassedOver::add(const Annotation& annotation, const std::string& kind) {
  if (kinds_.empty()) first_ = title_of(annotation);
  ++kinds_[kind];
}

std::string PassedOver::text() const {
  if (kinds_.empty()) return "";
  std::string counts;
  int all = 0;
  for (const auto& [kind, count] : kinds_) {
    counts += fmt::format("{}{}: {}", counts.empty() ? "" : ", ", kind, count);
    all += count;
  }
  return fmt::format("passed over {} ({}); the first is {}", plural(all, "part"), counts, first_);
}

void drop_empty_polygons(Annotation& annotation, PassedOver& passed_over) {
  const auto none = std::erase_if(annotation.polygons, is_empty);
  for (std::size_t i = 0; i < none; ++i) passed_over.add(annotation, "without area");
}

}  // namespace starpath::io
