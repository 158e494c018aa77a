// Random fields for the tests of the survey.
#pragma once
#include "support/images.hpp"

namespace starpath::support {

/// The part of a field that is counted.
struct SurveyCore {
  int x, y, width, height;
};

inline SurveyCore random_core(Rng& rng, int width, int height) {
  const auto below = [&](int end) { return static_cast<int>(rng() % static_cast<unsigned>(end)); };
  const int x = below(width), y = below(height);
  return {x, y, 1 + below(width - x), 1 + below(height - y)};
}

/// Of a lamp of any colour.
inline Rgb random_white(Rng& rng) {
  const auto value = [&] { return static_cast<std::uint8_t>(180 + rng() % 76); };
  return {value(), value(), value()};
}

/// Colours of every kind that the survey tells apart, and any others.
inline Image<Rgb> survey_noise(Rng& rng, int width, int height, int padding) {
  Image<Rgb> image = rgb_noise(rng, width, height, padding);
  static constexpr Rgb kKinds[] = {{238, 236, 239}, {90, 60, 140},   {225, 130, 185}, {30, 30, 35},
                                   {30, 70, 160},   {255, 255, 255}, {0, 0, 0}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (rng() % 4 != 0) {
        const Rgb kind = kKinds[rng() % 7];
        const auto near = [&](int v) {
          return static_cast<std::uint8_t>(std::clamp(v + static_cast<int>(rng() % 9) - 4, 0, 255));
        };
        image.at(x, y) = {near(kind.r), near(kind.g), near(kind.b)};
      }
  return image;
}

}  // namespace starpath::support
