// The same arithmetic in an order of loops that the compiler turns into vector instructions.
#include "codelets/benchmarks/loops.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace starpath::cpu {
namespace {

constexpr double kLn2 = 0.6931471805599453;
constexpr double kLog2E = 1.4426950408889634;

// portable_log2 without loops that depend on x.
inline double log2_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffU) | 0x3ff0000000000000U);  // in [1, 2)
  const bool upper = mantissa >= 1.4142135623730951;
  const double y = upper ? mantissa * 0.5 : mantissa;
  const int exponent = static_cast<int>(bits >> 52) - 1023 + (upper ? 1 : 0);
  const double s = (y - 1) / (y + 1);
  double series = 0;
#pragma GCC unroll 12
  for (int k = 11; k >= 0; --k) series = series * (s * s) + 1.0 / (2 * k + 1);
  return exponent + 2.8853900817779268 * s * series;
}

// portable_exp2 without loops that depend on x.
inline double exp2_of(double x) {
  const int exponent = static_cast<int>(x < 0 ? x - 0.5 : x + 0.5);
  const double y = (x - exponent) * kLn2;
  double result = 1;
#pragma GCC unroll 15
  for (int k = 15; k >= 1; --k) result = 1 + result * y / k;
  return result * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

inline double normal_distribution(double d) {
  const double k = 1 / (1 + 0.2316419 * std::abs(d));
  const double poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const double tail = 0.3989422804014327 * exp2_of(-0.5 * d * d * kLog2E) * poly;
  return d > 0 ? 1 - tail : tail;
}

}  // namespace

void vector_increment(const KernelContext&, std::span<std::uint32_t> values) {
  for (std::uint32_t& value : values) ++value;
}

void black_scholes(const KernelContext&, const OptionBatch& options) {
  const double r = options.rate, v = options.volatility;
  const double* __restrict spot = options.spot.data();
  const double* __restrict strike = options.strike.data();
  const double* __restrict years = options.years.data();
  double* __restrict call = options.call.data();
  double* __restrict put = options.put.data();
  for (std::size_t i = 0; i < options.spot.size(); ++i) {
    const double s = spot[i], x = strike[i], t = years[i];
    const double deviation = v * std::sqrt(t);
    double d1 = (log2_of(s / x) * kLn2 + (r + 0.5 * v * v) * t) / deviation;
    d1 = d1 < -35 ? -35 : d1 > 35 ? 35 : d1;
    double d2 = d1 - deviation;
    d2 = d2 < -35 ? -35 : d2 > 35 ? 35 : d2;
    const double n1 = normal_distribution(d1), n2 = normal_distribution(d2);
    const double discounted = x * exp2_of(-r * t * kLog2E);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1 - n2) - s * (1 - n1);
  }
}

// Four tables, so that equal neighbours do not wait for each other's count.
void value_histogram(const KernelContext&, std::span<const std::uint8_t> values, std::span<std::uint64_t> bins) {
  constexpr std::size_t most = std::size_t{1} << 30;  // counts of one part stay below 2^32
  for (std::size_t begin = 0; begin < values.size(); begin += std::min(most, values.size() - begin)) {
    const auto part = values.subspan(begin, std::min(most, values.size() - begin));
    std::array<std::array<std::uint32_t, 256>, 4> tables{};
    std::size_t i = 0;
    for (; i + 4 <= part.size(); i += 4)
      for (std::size_t k = 0; k < 4; ++k) ++tables[k][part[i + k]];
    for (; i < part.size(); ++i) ++tables[0][part[i]];
    for (std::size_t bin = 0; bin < 256; ++bin)
      for (const auto& table : tables) bins[bin] += table[bin];
  }
}

void zero_bins(const KernelContext&, std::span<std::uint64_t> bins) {
  for (std::uint64_t& bin : bins) bin = 0;
}

void add_bins(const KernelContext&, std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
}

// Sums of columns slide down, sums of windows slide right.
void box_filter(const KernelContext& context, GrayView in, int first, View<std::uint8_t> out, int radius) {
  const Scratch::Mark mark(context.scratch);
  const auto width = static_cast<std::size_t>(out.width);
  const auto columns = context.scratch.take<std::uint32_t>(width);
  std::fill(columns.begin(), columns.end(), 0U);
  const auto slide = [&](int row, std::uint32_t sign) {
    if (row < 0 || row >= in.height) return;
    const std::uint8_t* from = in.row(row);
    for (std::size_t x = 0; x < width; ++x) columns[x] += sign * from[x];
  };
  for (int row = first - radius; row < first + radius; ++row) slide(row, 1);
  for (int y = 0; y < out.height; ++y) {
    const int middle = y + first;
    slide(middle + radius, 1);
    const auto high =
        static_cast<unsigned>(std::min(in.height - 1, middle + radius) - std::max(0, middle - radius) + 1);
    std::uint32_t sum = 0;
    for (int x = 0; x < std::min(radius, out.width); ++x) sum += columns[static_cast<std::size_t>(x)];
    for (int x = 0; x < out.width; ++x) {
      if (x + radius < out.width) sum += columns[static_cast<std::size_t>(x + radius)];
      const auto wide = static_cast<unsigned>(std::min(out.width - 1, x + radius) - std::max(0, x - radius) + 1);
      const unsigned count = wide * high;
      out.at(x, y) = static_cast<std::uint8_t>((2 * sum + count) / (2 * count));
      if (x >= radius) sum -= columns[static_cast<std::size_t>(x - radius)];
    }
    slide(middle - radius, static_cast<std::uint32_t>(-1));
  }
}

// Lanes are bodies, so each body's sum keeps its order.
void n_body(const KernelContext&, std::span<const Body> bodies, std::size_t first, float softening,
            std::span<Acceleration> out) {
  constexpr std::size_t lanes = 16;
  for (std::size_t begin = 0; begin < out.size(); begin += lanes) {
    const std::size_t used = std::min(lanes, out.size() - begin);
    std::array<float, lanes> x{}, y{}, z{}, ax{}, ay{}, az{};
    for (std::size_t k = 0; k < used; ++k) {
      const Body& body = bodies[first + begin + k];
      x[k] = body.x, y[k] = body.y, z[k] = body.z;
    }
    for (const Body& other : bodies)
      for (std::size_t k = 0; k < lanes; ++k) {
        const float dx = other.x - x[k], dy = other.y - y[k], dz = other.z - z[k];
        const float squared = dx * dx + dy * dy + dz * dz + softening * softening;
        const float factor = other.mass / (squared * std::sqrt(squared));
        ax[k] += dx * factor;
        ay[k] += dy * factor;
        az[k] += dz * factor;
      }
    for (std::size_t k = 0; k < used; ++k) out[begin + k] = {ax[k], ay[k], az[k]};
  }
}

}  // namespace starpath::cpu
