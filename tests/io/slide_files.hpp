// Image files that the slide tests write, and small helpers to read slides back.
#pragma once
#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io::test {

/// A folder that is removed, with all that is in it, at the end of the test.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "starpath_io_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

struct Picture {
  int width = 0, height = 0;
  std::vector<Rgb> pixels;
  Picture(int w, int h, Rgb colour = {})
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), colour) {}
  View<Rgb> view() { return {pixels.data(), width, height, width}; }
  Rgb& at(int x, int y) {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }
  const Rgb& at(int x, int y) const { return const_cast<Picture*>(this)->at(x, y); }
  friend bool operator==(const Picture&, const Picture&) = default;
};

/// A picture in which no two nearby pixels are alike.
inline Picture pattern(int width, int height, std::uint32_t seed = 1) {
  Picture picture(width, height);
  std::mt19937 random(seed);
  for (Rgb& p : picture.pixels) {
    const std::uint32_t bits = static_cast<std::uint32_t>(random());
    p = {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8), static_cast<std::uint8_t>(bits >> 16)};
  }
  return picture;
}

/// The part of `from` at (x, y), white outside.
inline Picture crop(const Picture& from, std::int64_t x, std::int64_t y, int width, int height) {
  Picture part(width, height, {255, 255, 255});
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i)
      if (x + i >= 0 && y + j >= 0 && x + i < from.width && y + j < from.height)
        part.at(i, j) = from.at(static_cast<int>(x + i), static_cast<int>(y + j));
  return part;
}

/// One left of the other, of the same height.
inline Picture beside(const Picture& left, const Picture& right) {
  Picture both(left.width + right.width, left.height);
  for (int y = 0; y < both.height; ++y)
    for (int x = 0; x < both.width; ++x) both.at(x, y) = x < left.width ? left.at(x, y) : right.at(x - left.width, y);
  return both;
}

/// Reads a region of anything with read(x, y, view), into memory that held other colours.
template <class Read>
Picture read_with(int width, int height, const Read& read) {
  Picture part(width, height, {1, 2, 3});
  read(part.view());
  return part;
}

inline Picture read(const Slide& slide, int level, std::int64_t x, std::int64_t y, int width, int height) {
  return read_with(width, height, [&](View<Rgb> out) { slide.read(level, x, y, out); });
}

inline Picture read_all(const Slide& slide, int level = 0) {
  const SlideLevel& size = slide.info().levels.at(static_cast<std::size_t>(level));
  return read(slide, level, 0, 0, static_cast<int>(size.width), static_cast<int>(size.height));
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_png(const std::string& path, const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  ASSERT_TRUE(png_image_write_to_file(&image, path.c_str(), 0, picture.pixels.data(), 0, nullptr)) << image.message;
}

/// The message of the Error of this kind that `action` throws, checked to be one line; a failure of the test when it
/// does not.
template <class Action>
std::string error_of(ErrorKind kind, const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

inline std::string open_error(const std::string& input, ErrorKind kind = ErrorKind::input) {
  return error_of(kind, [&] { open_slide(input); });
}

/// A slide in memory, of one level or of several made up by the test.
class PictureSlide final : public Slide {
 public:
  PictureSlide(std::vector<Picture> levels, double mpp) : levels_(std::move(levels)) {
    info_.path = "picture";
    info_.mpp = mpp;
    for (const Picture& level : levels_)
      info_.levels.push_back({level.width, level.height, static_cast<double>(levels_[0].width) / level.width});
  }
  const SlideInfo& info() const override { return info_; }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override {
    const Picture part = crop(levels_.at(static_cast<std::size_t>(level)), x, y, out.width, out.height);
    for (int row = 0; row < out.height; ++row) std::copy_n(&part.at(0, row), out.width, out.row(row));
  }

 private:
  std::vector<Picture> levels_;
  SlideInfo info_;
};

}  // namespace starpath::io::test
