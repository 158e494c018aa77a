// Oracle of operation 11: plain loops over each object's pixels.
#include "codelets/kernels/features.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "codelets/kernels/deconvolution.hpp"
#include "codelets/kernels/feature_row.hpp"

namespace starpath::reference {
namespace {

/// One channel of the whole image, continued over its borders.
struct Channel {
  int width, height;
  std::vector<std::uint8_t> values;

  int at(int x, int y) const {
    x = std::clamp(x, 0, width - 1);
    y = std::clamp(y, 0, height - 1);
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
  }

  int gradient(int x, int y) const {
    return gradient_magnitude(at(x + 1, y) - at(x - 1, y), at(x, y + 1) - at(x, y - 1));
  }

  /// sum of x_taps[i] * y_taps[j] * the pixel at (x + i, y + j), taps counted from the middle.
  template <std::size_t taps>
  int convolve(int x, int y, const std::array<int, taps>& x_taps, const std::array<int, taps>& y_taps) const {
    constexpr int reach = static_cast<int>(taps) / 2;
    int sum = 0;
    for (int j = -reach; j <= reach; ++j)
      for (int i = -reach; i <= reach; ++i)
        sum += x_taps[static_cast<std::size_t>(i + reach)] * y_taps[static_cast<std::size_t>(j + reach)] *
               at(x + i, y + j);
    return sum;
  }

  bool sobel(int x, int y) const { return convolve(x, y, kDerivative7, kDerivative7) > 0; }

  CannyClass canny(int x, int y) const {
    const auto dx_at = [&](int u, int v) { return convolve(u, v, kDerivative5, kSmoothing5); };
    const auto dy_at = [&](int u, int v) { return convolve(u, v, kSmoothing5, kDerivative5); };
    CannyStrengths m;
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i)
        m[static_cast<std::size_t>(j + 1)][static_cast<std::size_t>(i + 1)] =
            std::abs(dx_at(x + i, y + j)) + std::abs(dy_at(x + i, y + j));
    return canny_class(m, dx_at(x, y), dy_at(x, y));
  }
};

std::array<Channel, 3> split(RgbView rgb, const StainAmountTable& stains) {
  std::array<Channel, 3> channels;
  for (auto& c : channels) c = {rgb.width, rgb.height, {}};
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x) {
      const StainValues v = stain_values(rgb.at(x, y), stains);
      channels[0].values.push_back(v.haematoxylin);
      channels[1].values.push_back(v.eosin);
      channels[2].values.push_back(v.gray);
    }
  return channels;
}

/// Which pixels around one object are its nucleus and which its ring.
struct Neighbourhood {
  int x0, y0, x1, y1;  // of the rectangle looked at; x1 and y1 one past the last
  std::vector<Region> regions;

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y - y0) * static_cast<std::size_t>(x1 - x0) + static_cast<std::size_t>(x - x0);
  }
  Region at(int x, int y) const {
    return x >= x0 && x < x1 && y >= y0 && y < y1 ? regions[index(x, y)] : Region::outside;
  }
};

bool near_object(View<const std::int32_t> labels, std::int32_t label, int x, int y) {
  for (int dy = -kRingDistance; dy <= kRingDistance; ++dy)
    for (int dx = -kRingDistance; dx <= kRingDistance; ++dx)
      if (dx * dx + dy * dy <= kRingDistance * kRingDistance && labels.contains(x + dx, y + dy) &&
          labels.at(x + dx, y + dy) == label)
        return true;
  return false;
}

Neighbourhood neighbourhood_of(View<const std::int32_t> labels, const ObjectBox& box, std::int32_t label) {
  Neighbourhood n{std::max(0, box.x0 - kRingDistance),
                  std::max(0, box.y0 - kRingDistance),
                  std::min(labels.width, box.x1 + kRingDistance),
                  std::min(labels.height, box.y1 + kRingDistance),
                  {}};
  for (int y = n.y0; y < n.y1; ++y)
    for (int x = n.x0; x < n.x1; ++x) {
      Region region = Region::outside;
      if (labels.at(x, y) == label)
        region = Region::nucleus;
      else if (labels.at(x, y) == 0 && near_object(labels, label, x, y))
        region = Region::ring;
      n.regions.push_back(region);
    }
  return n;
}

ShapeSums shape_sums(const Neighbourhood& n, const ObjectBox& box) {
  ShapeSums s{};
  s.box_width = box.x1 - box.x0;
  s.box_height = box.y1 - box.y0;
  const auto set = [&](int x, int y) { return n.at(x, y) == Region::nucleus; };
  for (int y = box.y0 - 1; y < box.y1; ++y)
    for (int x = box.x0 - 1; x < box.x1; ++x) {
      const bool a = set(x, y), b = set(x + 1, y), c = set(x, y + 1), d = set(x + 1, y + 1);
      const int pixels = a + b + c + d;
      s.quads_one += pixels == 1;
      s.quads_three += pixels == 3;
      s.quads_diagonal += pixels == 2 && a == d;
      s.quads_side += pixels == 2 && a != d;
      if (!a) continue;
      const std::int64_t u = x - box.x0, v = y - box.y0;
      ++s.area;
      s.sum_x += u;
      s.sum_y += v;
      s.sum_xx += u * u;
      s.sum_xy += u * v;
      s.sum_yy += v * v;
    }
  return s;
}

/// Marks the edges inside the neighbourhood: strong pixels, then candidates beside edges until nothing changes.
std::vector<bool> canny_edges(const Channel& channel, const Neighbourhood& n) {
  std::vector<CannyClass> classes(n.regions.size(), CannyClass::none);
  std::vector<bool> edge(n.regions.size(), false);
  std::vector<std::pair<int, int>> todo;
  for (int y = n.y0; y < n.y1; ++y)
    for (int x = n.x0; x < n.x1; ++x) {
      if (n.at(x, y) == Region::outside) continue;
      classes[n.index(x, y)] = channel.canny(x, y);
      if (classes[n.index(x, y)] != CannyClass::strong) continue;
      edge[n.index(x, y)] = true;
      todo.emplace_back(x, y);
    }
  while (!todo.empty()) {
    const auto [x, y] = todo.back();
    todo.pop_back();
    for (int v = y - 1; v <= y + 1; ++v)
      for (int u = x - 1; u <= x + 1; ++u) {
        if (n.at(u, v) == Region::outside || edge[n.index(u, v)] || classes[n.index(u, v)] == CannyClass::none)
          continue;
        edge[n.index(u, v)] = true;
        todo.emplace_back(u, v);
      }
  }
  return edge;
}

void add_pairs(const Channel& channel, const Neighbourhood& n, int x, int y, Cooccurrence& pairs) {
  constexpr int neighbours[4][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}};
  for (const auto& [dx, dy] : neighbours)
    if (n.at(x + dx, y + dy) == n.at(x, y))
      ++pairs[static_cast<std::size_t>(kHaralickLevels * haralick_level(channel.at(x, y)) +
                                       haralick_level(channel.at(x + dx, y + dy)))];
}

FeatureSums sums_of(const std::array<Channel, 3>& channels, const Neighbourhood& n, const ObjectBox& box) {
  FeatureSums sums{};
  sums.shape = shape_sums(n, box);
  sums.ring_area = std::count(n.regions.begin(), n.regions.end(), Region::ring);
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::vector<bool> edge = canny_edges(channels[c], n);
    for (int y = n.y0; y < n.y1; ++y)
      for (int x = n.x0; x < n.x1; ++x) {
        if (n.at(x, y) == Region::outside) continue;
        ChannelSums& s = sums.channels[n.at(x, y) == Region::nucleus ? 0 : 1][c];
        ++s.values[static_cast<std::size_t>(channels[c].at(x, y))];
        ++s.gradient[static_cast<std::size_t>(channels[c].gradient(x, y))];
        s.canny += edge[n.index(x, y)];
        s.sobel += channels[c].sobel(x, y);
        add_pairs(channels[c], n, x, y, s.pairs);
      }
  }
  return sums;
}

}  // namespace

void features(const KernelContext&, RgbView rgb, View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
              std::span<const std::uint8_t> wanted, const StainAmountTable& stains, View<double> table) {
  const std::array<Channel, 3> channels = split(rgb, stains);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (wanted[i] == 0) continue;
    const Neighbourhood n = neighbourhood_of(labels, boxes[i], static_cast<std::int32_t>(i + 1));
    write_feature_row(sums_of(channels, n, boxes[i]), {table.row(static_cast<int>(i)), kFeatureTotal});
  }
}

}  // namespace starpath::reference
