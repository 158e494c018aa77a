// Oracle of operation 11: plain loops over each object's pixels.
#include "codelets/kernels/features.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "codelets/kernels/feature_row.hpp"
#include "codelets/reference/neighbourhood.hpp"

namespace starpath::reference {
namespace {

/// One channel of the whole image, continued over its borders.
struct Channel {
  GrayView values;

  int at(int x, int y) const {
    return values.at(std::clamp(x, 0, values.width - 1), std::clamp(y, 0, values.height - 1));
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

/// Calls measure(neighbourhood, box, row of the table) for each wanted object.
template <class Measure>
void for_each_object(View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
                     std::span<const std::uint8_t> wanted, View<double> table, Measure measure) {
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (wanted[i] != 0)
      measure(neighbourhood_of(labels, boxes[i], static_cast<std::int32_t>(i + 1)), boxes[i],
              table.row(static_cast<int>(i)));
}

/// Calls visit(x, y) for the pixels of one region.
template <class Visit>
void for_each_pixel(const Neighbourhood& n, std::size_t region, Visit visit) {
  for (int y = n.y0; y < n.y1; ++y)
    for (int x = n.x0; x < n.x1; ++x)
      if (n.at(x, y) == static_cast<Region>(region + 1)) visit(x, y);
}

/// Calls measure(channel, neighbourhood, region, where the measures go) for each region and channel of each wanted
/// object.
template <FeatureFamily family, class Measure>
void for_each_channel(GrayView channels, View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
                      std::span<const std::uint8_t> wanted, View<double> table, Measure measure) {
  for_each_object(labels, boxes, wanted, table, [&](const Neighbourhood& n, const ObjectBox&, double* row) {
    for (std::size_t region = 0; region < kRegionCount; ++region)
      for (int c = 0; c < kStainChannels; ++c)
        measure(Channel{channel_of(channels, c)}, n, region,
                row + channel_column(family, region, static_cast<std::size_t>(c)));
  });
}

}  // namespace

void shape_features(const KernelContext&, View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
                    std::span<const std::uint8_t> wanted, std::span<const MaskPlace>, std::span<const std::uint64_t>,
                    View<double> table) {
  for_each_object(labels, boxes, wanted, table, [](const Neighbourhood& n, const ObjectBox& box, double* row) {
    write_shape({shape_sums(n, box), std::count(n.regions.begin(), n.regions.end(), Region::ring)}, row);
  });
}

void intensity_features(const KernelContext&, GrayView channels, View<const std::int32_t> labels,
                        std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                        std::span<const MaskPlace>, std::span<const std::uint64_t>, View<double> table) {
  for_each_channel<FeatureFamily::intensity>(
      channels, labels, boxes, wanted, table,
      [](const Channel& channel, const Neighbourhood& n, std::size_t region, double* out) {
        Histogram values{};
        for_each_pixel(n, region, [&](int x, int y) { ++values[static_cast<std::size_t>(channel.at(x, y))]; });
        write_intensity(histogram_statistics(values), out);
      });
}

void gradient_features(const KernelContext&, GrayView channels, View<const std::int32_t> labels,
                       std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                       std::span<const MaskPlace>, std::span<const std::uint64_t>, View<double> table) {
  for_each_channel<FeatureFamily::gradient>(
      channels, labels, boxes, wanted, table,
      [](const Channel& channel, const Neighbourhood& n, std::size_t region, double* out) {
        Histogram magnitudes{};
        for_each_pixel(n, region,
                       [&](int x, int y) { ++magnitudes[static_cast<std::size_t>(channel.gradient(x, y))]; });
        write_gradient(histogram_statistics(magnitudes), out);
      });
}

void edge_features(const KernelContext&, GrayView channels, View<const std::int32_t> labels,
                   std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted, std::span<const MaskPlace>,
                   std::span<const std::uint64_t>, View<double> table) {
  for_each_channel<FeatureFamily::edges>(
      channels, labels, boxes, wanted, table,
      [](const Channel& channel, const Neighbourhood& n, std::size_t region, double* out) {
        const std::vector<bool> edge = canny_edges(channel, n);
        EdgeSums sums{};
        std::int64_t pixels = 0;
        for_each_pixel(n, region, [&](int x, int y) {
          ++pixels;
          sums.canny += edge[n.index(x, y)];
          sums.sobel += channel.sobel(x, y);
        });
        write_edges(sums, pixels, out);
      });
}

void texture_features(const KernelContext&, GrayView channels, View<const std::int32_t> labels,
                      std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                      std::span<const MaskPlace>, std::span<const std::uint64_t>, View<double> table) {
  for_each_channel<FeatureFamily::texture>(
      channels, labels, boxes, wanted, table,
      [](const Channel& channel, const Neighbourhood& n, std::size_t region, double* out) {
        Cooccurrence pairs{};
        for_each_pixel(n, region, [&](int x, int y) { add_pairs(channel, n, x, y, pairs); });
        write_texture(haralick_features(pairs), out);
      });
}

}  // namespace starpath::reference
