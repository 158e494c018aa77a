// A slide that cannot be read at first, to see what a pipeline does about it.
#pragma once
#include <atomic>
#include <cstdint>

#include "base/error.hpp"
#include "io/slides/slide.hpp"

namespace starpath::support {

/// A slide whose reads fail a number of times.
class StubbornSlide : public io::Slide {
 public:
  StubbornSlide(const io::Slide& slide, int failures) : slide_(slide), left_(failures) {}
  const io::SlideInfo& info() const override { return slide_.info(); }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override {
    if (left_-- > 0) throw Error(ErrorKind::input, "no luck");
    slide_.read(level, x, y, out);
  }

 private:
  const io::Slide& slide_;
  mutable std::atomic<int> left_;
};

}  // namespace starpath::support
