// Images for the kernel tests: owners of padded views, random pictures, and comparisons that print the first
// difference.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath::support {

using Rng = std::mt19937_64;

/// Owns the pixels of a View whose rows lie `padding` elements apart. Everything, the padding too, starts as `fill`.
template <class T>
class Image {
 public:
  Image(int width, int height, int padding = 5, T fill = T{})
      : width_(width),
        height_(height),
        stride_(width + padding),
        fill_(fill),
        pixels_(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(height), fill) {}

  /// An image of the rows given, which must be equally long.
  Image(std::initializer_list<std::initializer_list<T>> rows, int padding = 5)
      : Image(static_cast<int>(rows.begin()->size()), static_cast<int>(rows.size()), padding) {
    int y = 0;
    for (const auto& row : rows) std::copy(row.begin(), row.end(), view().row(y++));
  }

  View<T> view() { return {pixels_.data(), width_, height_, stride_}; }
  View<const T> view() const { return {pixels_.data(), width_, height_, stride_}; }
  T& at(int x, int y) { return view().at(x, y); }
  const T& at(int x, int y) const { return view().at(x, y); }
  int width() const { return width_; }
  int height() const { return height_; }
  /// All elements, the padding too.
  const std::vector<T>& elements() const { return pixels_; }
  std::vector<T>& elements() { return pixels_; }

  /// False when a kernel wrote between the rows.
  bool padding_intact() const {
    for (int y = 0; y < height_; ++y)
      for (const T* p = view().row(y) + width_; p != view().row(y) + stride_; ++p)
        if (!(*p == fill_)) return false;
    return true;
  }

 private:
  int width_, height_, stride_;
  T fill_;
  std::vector<T> pixels_;
};

/// A mask drawn in text: '#' is 255, anything else 0.
inline Image<std::uint8_t> mask_of(std::initializer_list<std::string_view> rows) {
  Image<std::uint8_t> mask(static_cast<int>(rows.begin()->size()), static_cast<int>(rows.size()));
  int y = 0;
  for (const auto row : rows) {
    for (int x = 0; x < mask.width(); ++x) mask.at(x, y) = row[static_cast<std::size_t>(x)] == '#' ? 255 : 0;
    ++y;
  }
  return mask;
}

inline std::string text_of(Rgb c) {
  return "(" + std::to_string(c.r) + "," + std::to_string(c.g) + "," + std::to_string(c.b) + ")";
}
template <class T>
std::string text_of(T value) {
  return std::to_string(value);
}

/// Whether both images hold the same pixels and `actual` kept its padding; the message names the first difference.
template <class T>
::testing::AssertionResult same(const Image<T>& expected, const Image<T>& actual) {
  if (expected.width() != actual.width() || expected.height() != actual.height())
    return ::testing::AssertionFailure() << "sizes differ";
  for (int y = 0; y < expected.height(); ++y)
    for (int x = 0; x < expected.width(); ++x)
      if (!(expected.at(x, y) == actual.at(x, y)))
        return ::testing::AssertionFailure()
               << "first difference at x=" << x << " y=" << y << " of " << expected.width() << "x" << expected.height()
               << ": expected " << text_of(expected.at(x, y)) << ", got " << text_of(actual.at(x, y));
  if (!actual.padding_intact()) return ::testing::AssertionFailure() << "padding between the rows was written";
  return ::testing::AssertionSuccess();
}

/// Scratch memory and the context a kernel wants, for one test.
struct TestContext {
  Scratch scratch;
  KernelContext context{scratch};
  operator const KernelContext&() const { return context; }
};

template <class T>
Image<T> noise(Rng& rng, int width, int height, int padding, unsigned max_value) {
  Image<T> image(width, height, padding);
  std::uniform_int_distribution<unsigned> value(0, max_value);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.at(x, y) = static_cast<T>(value(rng));
  return image;
}

inline Image<Rgb> rgb_noise(Rng& rng, int width, int height, int padding) {
  Image<Rgb> image(width, height, padding);
  std::uniform_int_distribution<int> value(0, 255);
  const auto channel = [&] { return static_cast<std::uint8_t>(value(rng)); };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.at(x, y) = {channel(), channel(), channel()};
  return image;
}

/// Each pixel is in the mask with probability `density`.
inline Image<std::uint8_t> mask_noise(Rng& rng, int width, int height, int padding, double density) {
  Image<std::uint8_t> mask(width, height, padding);
  std::bernoulli_distribution in(density);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) mask.at(x, y) = in(rng) ? 255 : 0;
  return mask;
}

/// Overlapping discs and rings with their centres anywhere, outside the image too, of `levels` random values up to 255.
inline Image<std::uint8_t> blobs(Rng& rng, int width, int height, int padding, int levels = 1) {
  Image<std::uint8_t> image(width, height, padding);
  const int reach = std::max(2, std::min(width, height) / 4);
  std::uniform_int_distribution<int> cx(-reach, width + reach), cy(-reach, height + reach), radius(1, reach),
      kind(0, 1), level(1, levels);
  const int count = 3 + width * height / (reach * reach * 8);
  for (int i = 0; i < count; ++i) {
    const int x0 = cx(rng), y0 = cy(rng), r = radius(rng), hole = kind(rng) * r / 2;
    const auto value = static_cast<std::uint8_t>(255 * level(rng) / levels);
    for (int y = std::max(0, y0 - r); y < std::min(height, y0 + r + 1); ++y)
      for (int x = std::max(0, x0 - r); x < std::min(width, x0 + r + 1); ++x) {
        const int d = (x - x0) * (x - x0) + (y - y0) * (y - y0);
        if (d <= r * r && d >= hole * hole) image.at(x, y) = std::max(image.at(x, y), value);
      }
  }
  return image;
}

/// One path of 255, one pixel wide, that winds from the corner to the middle: the longest way a propagation can have.
inline Image<std::uint8_t> spiral(int width, int height, int padding) {
  Image<std::uint8_t> mask(width, height, padding);
  int x0 = 0, y0 = 0, x1 = width - 1, y1 = height - 1, inner = 0;
  while (x0 <= x1 && y0 <= y1) {
    for (int x = inner; x <= x1; ++x) mask.at(x, y0) = 255;
    for (int y = y0; y <= y1; ++y) mask.at(x1, y) = 255;
    for (int x = x0; x <= x1; ++x) mask.at(x, y1) = 255;
    for (int y = std::min(y1, y0 + 2); y <= y1; ++y) mask.at(x0, y) = 255;
    inner = x0, x0 += 2, y0 += 2, x1 -= 2, y1 -= 2;
  }
  return mask;
}

/// Objects of a single pixel, two pixels apart, the corners among them.
inline Image<std::uint8_t> dots(int width, int height, int padding) {
  Image<std::uint8_t> mask(width, height, padding);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if ((x % 2 == 0 || x == width - 1) && (y % 2 == 0 || y == height - 1)) mask.at(x, y) = 255;
  return mask;
}

/// Rectangles of random sizes, each at one of the four borders.
inline Image<std::uint8_t> at_borders(Rng& rng, int width, int height, int padding) {
  Image<std::uint8_t> mask(width, height, padding);
  const auto below = [&](int end) { return static_cast<int>(rng() % static_cast<unsigned>(end)); };
  for (int i = 0; i < 8; ++i) {
    int x0 = below(width), y0 = below(height), x1 = x0 + 1 + below(width - x0), y1 = y0 + 1 + below(height - y0);
    if (i % 4 == 0) x0 = 0;
    if (i % 4 == 1) y0 = 0;
    if (i % 4 == 2) x1 = width, x0 = std::max(x0, x1 - 12);
    if (i % 4 == 3) y1 = height, y0 = std::max(y0, y1 - 12);
    x1 = std::min(x1, x0 + 12), y1 = std::min(y1, y0 + 12);
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) mask.at(x, y) = 255;
  }
  return mask;
}

/// A seed that differs from run to run; STARPATH_TEST_SEED repeats one.
inline std::uint64_t test_seed() {
  if (const char* text = std::getenv("STARPATH_TEST_SEED")) return std::strtoull(text, nullptr, 10);
  return std::random_device{}();
}

/// Calls check(rng, width, height, padding) for awkward sizes, each with its own seed, which a failure prints.
template <class Check>
void for_awkward_sizes(Check check) {
  static constexpr int kSizes[][2] = {{1, 1},   {2, 1},   {1, 2},    {1, 7},    {7, 1},    {1, 131},
                                      {131, 1}, {2, 2},   {3, 3},    {5, 4},    {8, 8},    {9, 19},
                                      {17, 15}, {19, 19}, {31, 33},  {32, 32},  {33, 2},   {63, 65},
                                      {64, 64}, {65, 63}, {100, 37}, {127, 20}, {129, 66}, {200, 150}};
  const std::uint64_t base = test_seed();
  std::uint64_t step = 0;
  for (const auto& [width, height] : kSizes)
    for (const int padding : {0, 1, 13}) {
      SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(base) + " size " + std::to_string(width) + "x" +
                   std::to_string(height) + " padding " + std::to_string(padding));
      Rng rng(base + step++);
      check(rng, width, height, padding);
    }
}

/// Masks of every kind that has a special case somewhere: calls check(mask) for each.
template <class Check>
void for_mask_kinds(Rng& rng, int width, int height, int padding, Check check) {
  check(Image<std::uint8_t>(width, height, padding, 0));
  check(Image<std::uint8_t>(width, height, padding, 255));
  for (const double density : {0.05, 0.3, 0.5, 0.62, 0.95}) check(mask_noise(rng, width, height, padding, density));
  check(blobs(rng, width, height, padding));
  check(spiral(width, height, padding));
  check(dots(width, height, padding));
  check(at_borders(rng, width, height, padding));
}

}  // namespace starpath::support
