// Rims by discs around each pixel, vague objects by counting.
#include "bench/quality/corrections.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

namespace starpath::quality {
namespace {

constexpr int kVaguePart = 4;  // one part of so many

struct Pixels {
  std::int64_t all = 0, vague = 0;
};

/// Whether the disc around a pixel holds another label than the pixel has.
bool in_rim(const LabelImage& truth, int x, int y, int width) {
  const auto lowest = [&](int at) { return std::max(at - width, 0); };
  const auto highest = [&](int at, int size) { return std::min(at + width, size - 1); };
  for (int v = lowest(y); v <= highest(y, truth.height()); ++v)
    for (int u = lowest(x); u <= highest(x, truth.width()); ++u) {
      const bool in_disc = (u - x) * (u - x) + (v - y) * (v - y) <= width * width;
      if (in_disc && truth.at(u, v) != truth.at(x, y)) return true;
    }
  return false;
}

}  // namespace

void leave_out_vague(const LabelImage& vague, LabelImage& labels) {
  std::map<std::int32_t, Pixels> objects;
  for (int y = 0; y < labels.height(); ++y)
    for (int x = 0; x < labels.width(); ++x) {
      Pixels& pixels = objects[labels.at(x, y)];
      ++pixels.all;
      pixels.vague += vague.at(x, y) != 0 ? 1 : 0;
    }
  for (int y = 0; y < labels.height(); ++y)
    for (int x = 0; x < labels.width(); ++x) {
      const Pixels& pixels = objects[labels.at(x, y)];
      if (vague.at(x, y) != 0 || kVaguePart * pixels.vague > pixels.all) labels.at(x, y) = 0;
    }
}

LabelImage rims_of(const LabelImage& truth, int width) {
  LabelImage rims(truth.width(), truth.height(), 0);
  for (int y = 0; y < truth.height(); ++y)
    for (int x = 0; x < truth.width(); ++x) rims.at(x, y) = in_rim(truth, x, y, width) ? 1 : 0;
  return rims;
}

void leave_out(const LabelImage& mask, LabelImage& labels) {
  for (int y = 0; y < labels.height(); ++y)
    for (int x = 0; x < labels.width(); ++x)
      if (mask.at(x, y) != 0) labels.at(x, y) = 0;
}

}  // namespace starpath::quality
