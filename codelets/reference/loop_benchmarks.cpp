// Plain loops.
#include "codelets/kernels/loop_benchmarks.hpp"

#include <algorithm>
#include <cmath>

#include "codelets/kernels/portable_math.hpp"

namespace starpath::reference {
namespace {

constexpr double ln2 = 0.6931471805599453;
constexpr double log2_e = 1.4426950408889634;

double normal_distribution(double d) {
  const double k = 1 / (1 + 0.2316419 * std::abs(d));
  const double poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const double tail = 0.3989422804014327 * portable_exp2(-0.5 * d * d * log2_e) * poly;
  return d > 0 ? 1 - tail : tail;
}

}  // namespace

void vector_increment(const Context&, std::span<std::uint32_t> values) {
  for (std::uint32_t& value : values) ++value;
}

void black_scholes(const Context&, const OptionBatch& options) {
  for (std::size_t i = 0; i < options.spot.size(); ++i) {
    const double s = options.spot[i], x = options.strike[i], t = options.years[i];
    const double r = options.rate, v = options.volatility;
    const double deviation = v * std::sqrt(t);
    const double d1 = std::clamp((portable_log2(s / x) * ln2 + (r + 0.5 * v * v) * t) / deviation, -35.0, 35.0);
    const double d2 = std::clamp(d1 - deviation, -35.0, 35.0);
    const double n1 = normal_distribution(d1), n2 = normal_distribution(d2);
    const double discounted = x * portable_exp2(-r * t * log2_e);
    options.call[i] = s * n1 - discounted * n2;
    options.put[i] = discounted * (1 - n2) - s * (1 - n1);
  }
}

void value_histogram(const Context&, std::span<const std::uint8_t> values, std::span<std::uint64_t> bins) {
  for (const std::uint8_t value : values) ++bins[value];
}

void box_filter(const Context&, GrayView in, int first, View<std::uint8_t> out, int radius) {
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      unsigned sum = 0, count = 0;
      for (int v = y + first - radius; v <= y + first + radius; ++v)
        for (int u = x - radius; u <= x + radius; ++u) {
          if (!in.contains(u, v)) continue;
          sum += in.at(u, v);
          ++count;
        }
      out.at(x, y) = static_cast<std::uint8_t>((2 * sum + count) / (2 * count));
    }
}

void n_body(const Context&, std::span<const Body> bodies, std::size_t first, float softening,
            std::span<Acceleration> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Body& own = bodies[first + i];
    Acceleration sum{0, 0, 0};
    for (const Body& other : bodies) {
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float squared = dx * dx + dy * dy + dz * dz + softening * softening;
      const float factor = other.mass / (squared * std::sqrt(squared));
      sum.x += dx * factor;
      sum.y += dy * factor;
      sum.z += dz * factor;
    }
    out[i] = sum;
  }
}

}  // namespace starpath::reference
