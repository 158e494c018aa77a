// Separable resampling: first down the columns (contiguous, vectorised), then along each row.
#include "io/slides/resample.hpp"

#include <algorithm>
#include <cmath>

namespace starpath::io {
namespace {

constexpr int kPlaceBits = 30;  // fraction bits of a place on the source axis
constexpr std::int64_t kPlaceOne = std::int64_t{1} << kPlaceBits;

struct Span {
  std::int64_t begin, end;  // source pixels
};

std::int64_t floor_pixel(std::int64_t place) { return place >> kPlaceBits; }

// Splits kWeightOne over the source pixels that [from, to) covers, in proportion; rounding cancels out over the sum.
void add_area(std::int64_t from, std::int64_t to, std::vector<std::int64_t>& cumulative, Span& span) {
  span = {floor_pixel(from), floor_pixel(to - 1) + 1};
  cumulative.assign(1, 0);
  for (std::int64_t pixel = span.begin; pixel < span.end; ++pixel) {
    const std::int64_t covered = std::min(to, (pixel + 1) * kPlaceOne) - from;
    cumulative.push_back((covered * Taps::kWeightOne + (to - from) / 2) / (to - from));
  }
}

void add_linear(std::int64_t centre, std::vector<std::int64_t>& cumulative, Span& span) {
  const std::int64_t place = centre - kPlaceOne / 2;
  span = {floor_pixel(place), floor_pixel(place) + 2};
  const std::int64_t fraction = (place - span.begin * kPlaceOne) >> (kPlaceBits - 14);
  cumulative.assign({0, Taps::kWeightOne - fraction, Taps::kWeightOne});
}

}  // namespace

Taps make_taps(std::int64_t begin, int count, double scale, std::int64_t source_extent) {
  const std::int64_t step = std::llround(scale * static_cast<double>(kPlaceOne));
  Taps taps;
  std::vector<std::int64_t> cumulative;
  Span span{};
  std::int64_t first_source = source_extent, last_source = 0;
  std::vector<std::int64_t> firsts;
  for (std::int64_t i = begin; i < begin + count; ++i) {
    if (step >= kPlaceOne)
      add_area(i * step, (i + 1) * step, cumulative, span);
    else
      add_linear(i * step + step / 2, cumulative, span);
    const auto clamped = [&](std::int64_t pixel) { return std::clamp<std::int64_t>(pixel, 0, source_extent - 1); };
    const std::int64_t first = clamped(span.begin), last = clamped(span.end - 1);
    const std::size_t weight = taps.weights.size();
    taps.weights.resize(weight + static_cast<std::size_t>(last - first + 1));
    for (std::int64_t pixel = span.begin; pixel < span.end; ++pixel) {
      const auto k = static_cast<std::size_t>(pixel - span.begin);
      auto& sum = taps.weights[weight + static_cast<std::size_t>(clamped(pixel) - first)];
      sum = static_cast<std::uint16_t>(sum + (cumulative[k + 1] - cumulative[k]));
    }
    taps.pixels.push_back({0, static_cast<std::int32_t>(weight), static_cast<std::int32_t>(last - first + 1)});
    firsts.push_back(first);
    first_source = std::min(first_source, first);
    last_source = std::max(last_source, last);
  }
  taps.source_begin = first_source;
  taps.source_size = static_cast<int>(last_source - first_source + 1);
  for (std::size_t i = 0; i < firsts.size(); ++i)
    taps.pixels[i].first = static_cast<std::int32_t>(firsts[i] - first_source);
  return taps;
}

namespace {

// Weighted sum of source rows, 8.8 fixed point.
void sum_rows(RgbView source, const Taps::Pixel& pixel, const std::uint16_t* weights, std::vector<std::uint32_t>& sums,
              std::vector<std::uint16_t>& row) {
  std::fill(sums.begin(), sums.end(), 32u);
  for (int k = 0; k < pixel.size; ++k) {
    const std::uint8_t* from = &source.row(pixel.first + k)->r;
    const std::uint32_t weight = weights[k];
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += weight * from[i];
  }
  for (std::size_t i = 0; i < sums.size(); ++i) row[i] = static_cast<std::uint16_t>(sums[i] >> 6);
}

void sum_columns(const std::vector<std::uint16_t>& row, const Taps& across, Rgb* out) {
  for (const Taps::Pixel& pixel : across.pixels) {
    const std::uint16_t* from = row.data() + pixel.first * 3;
    const std::uint16_t* weight = across.weights.data() + pixel.weight;
    std::uint32_t r = 1u << 21, g = r, b = r;
    for (int k = 0; k < pixel.size; ++k, from += 3) {
      const std::uint32_t w = weight[k];
      r += w * from[0];
      g += w * from[1];
      b += w * from[2];
    }
    *out++ = {static_cast<std::uint8_t>(r >> 22), static_cast<std::uint8_t>(g >> 22),
              static_cast<std::uint8_t>(b >> 22)};
  }
}

}  // namespace

void resample(RgbView source, const Taps& across, const Taps& down, View<Rgb> out) {
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(source.width) * 3);
  std::vector<std::uint16_t> row(sums.size());
  for (int y = 0; y < out.height; ++y) {
    const Taps::Pixel& pixel = down.pixels[static_cast<std::size_t>(y)];
    sum_rows(source, pixel, down.weights.data() + pixel.weight, sums, row);
    sum_columns(row, across, out.row(y));
  }
}

}  // namespace starpath::io
