// What tests of maps fill them with, and find in them.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/maps/map_image.hpp"

namespace starpath::io::test {

/// number(channel, x, y), distinct.
inline double number_at(int channel, std::int64_t x, std::int64_t y) {
  return static_cast<double>(channel * 10000 + y * 100 + x);
}

template <class Number>
std::vector<Number> numbers(std::int64_t width, std::int64_t height, int channels, bool channels_first,
                            std::int64_t left = 0, std::int64_t top = 0) {
  std::vector<Number> all;
  const auto put = [&](int c, std::int64_t x, std::int64_t y) {
    all.push_back(static_cast<Number>(number_at(c, left + x, top + y)));
  };
  if (channels_first)
    for (int c = 0; c < channels; ++c)
      for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x) put(c, x, y);
  else
    for (std::int64_t y = 0; y < height; ++y)
      for (std::int64_t x = 0; x < width; ++x)
        for (int c = 0; c < channels; ++c) put(c, x, y);
  return all;
}

/// Expects number_at() in all of the box, in each channel, and in all channels but the first at once.
inline void expect_numbers(const MapImage& map, const MapBox& box) {
  std::vector<double> got(static_cast<std::size_t>(box.width) * static_cast<std::size_t>(box.height));
  for (int channel = 0; channel < map.channels(); ++channel) {
    map.read(channel, box, got.data(), box.width);
    for (int y = 0; y < box.height; ++y)
      for (int x = 0; x < box.width; ++x)
        ASSERT_EQ(got[static_cast<std::size_t>(y * box.width + x)], number_at(channel, box.x + x, box.y + y))
            << channel << ": " << box.x + x << ", " << box.y + y;
  }
  const int others = map.channels() - 1;
  const std::ptrdiff_t plane = std::ptrdiff_t{box.width} * box.height;
  got.resize(static_cast<std::size_t>(others * plane));
  map.read_channels(1, others, box, got.data(), box.width, plane);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i) % plane;
    ASSERT_EQ(got[i], number_at(1 + static_cast<int>(static_cast<std::int64_t>(i) / plane), box.x + at % box.width,
                                box.y + at / box.width));
  }
}
inline std::string said_of(const std::string& path) {
  try {
    const MapImage map(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "nothing";
}

}  // namespace starpath::io::test
