// A slide that was decoded whole, as the PNG and JPEG backends give it.
#pragma once
#include <memory>
#include <string>
#include <utility>

#include "io/slides/pixels.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/stated_scale.hpp"

namespace starpath::io {

/// Pixels of one image, rows one after the other, not yet written.
struct WholeImage {
  std::unique_ptr<Rgb[]> pixels;
  int width, height;
  std::int64_t clear = 0;     // pixels that are more transparent than not
  std::string remark = {};    // a warning; or empty
  PixelsAUnit tags{};         // of the resolution
  std::string description{};  // what the file says in words
  View<Rgb> view() const { return {pixels.get(), width, height, width}; }
};

/// Checks the size (check_whole_image_size, then Opening::on_size) before it takes the memory. Throws Error{input},
/// also when there is not enough.
WholeImage make_whole_image(const InputProbe& probe, std::int64_t width, std::int64_t height);

class MemorySlide final : public Slide {
 public:
  MemorySlide(SlideInfo info, WholeImage image) : info_(std::move(info)), image_(std::move(image)) {}

  const SlideInfo& info() const override { return info_; }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override;
  std::vector<std::string> warnings() const override;

 private:
  SlideInfo info_;
  WholeImage image_;
};

/// The slide of an image file: one level, the resolution that its tags and words say, fingerprint of the file.
std::unique_ptr<Slide> make_memory_slide(const std::string& path, const char* format, WholeImage image);

}  // namespace starpath::io
