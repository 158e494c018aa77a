// Fields of a slide that is damaged in places: those that can be read whole, and a line on the others.
#pragma once
#include <cstdint>
#include <string>

#include "io/slides/working_slide.hpp"

namespace starpath {

/// Reads fields of a slide, which must outlive this object. For one thread.
class ReadableFields {
 public:
  explicit ReadableFields(const io::WorkingSlide& grid) : grid_(grid) {}

  /// Reads the field at (x, y), in working pixels. Returns whether all of it could be read; if not, the field counts as
  /// left out. Throws as Slide::read, but not for pieces that cannot be read.
  bool read(std::int64_t x, std::int64_t y, View<Rgb> field);

  /// How many fields are left out, and the first place that cannot be read; empty when there is none. `name`: of the
  /// slide, for people.
  std::string line(const std::string& name) const;

 private:
  const io::WorkingSlide& grid_;
  std::int64_t left_out_ = 0;
  std::string first_;  // place and reason
};

}  // namespace starpath
