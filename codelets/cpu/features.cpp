// Operation 11 on a CPU core: each wanted object in a patch of its own that stays in the cache.
#include "codelets/kernels/features.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "codelets/cpu/feature_filters.hpp"
#include "codelets/cpu/feature_patch.hpp"
#include "codelets/kernels/feature_row.hpp"

namespace starpath::cpu {
namespace {

constexpr auto kWeak = static_cast<std::uint8_t>(CannyClass::weak);
constexpr auto kStrong = static_cast<std::uint8_t>(CannyClass::strong);

/// Counts of one channel. Pixels outside the regions are counted too (Region::outside, pair codes from 128): adding
/// them is cheaper than a branch. One pair table an angle keeps the additions independent of each other.
struct Tally {
  std::array<Histogram, 3> values, gradient;
  std::array<std::array<std::uint32_t, 192>, 4> pairs;
};

std::uint64_t eight_from(const std::uint8_t* p) {
  std::uint64_t bytes;
  std::memcpy(&bytes, p, sizeof bytes);
  return bytes;
}

/// Position of every weak pixel among `count` classes, calls visit(index) for each.
template <class Visit>
void for_each_weak(const std::uint8_t* classes, std::ptrdiff_t begin, std::ptrdiff_t end, Visit visit) {
  constexpr std::ptrdiff_t step = 8;
  for (std::ptrdiff_t i = begin; i < end; i += step) {
    if ((eight_from(classes + i) & 0x0101010101010101U) == 0) continue;
    for (std::ptrdiff_t k = i; k < std::min(end, i + step); ++k)
      if (classes[k] == kWeak) visit(k);
  }
}

void clear_outside(const std::uint8_t* __restrict regions, std::ptrdiff_t count, std::uint8_t* __restrict classes) {
  for (std::ptrdiff_t i = 0; i < count; ++i)
    classes[i] = static_cast<std::uint8_t>(classes[i] & (regions[i] == 0 ? 0 : 255));
}

/// Turns the weak pixels that hang on a strong one into strong ones. Few pixels are weak: the work starts from those.
void hysteresis(const Patch& patch, std::uint8_t* classes, std::int32_t* stack) {
  const PatchFrame& f = patch.frame;
  const std::ptrdiff_t s = f.width;
  const std::ptrdiff_t around[8] = {-s - 1, -s, -s + 1, -1, 1, s - 1, s, s + 1};
  const std::ptrdiff_t begin = f.begin(kFilterReach), end = f.end(kFilterReach);
  clear_outside(patch.regions + begin, end - begin, classes + begin);
  std::memset(classes + begin - s - 1, 0, static_cast<std::size_t>(s + 1));
  std::memset(classes + end, 0, static_cast<std::size_t>(s + 1));
  for_each_weak(classes, begin, end, [&](std::ptrdiff_t weak_pixel) {
    if (std::none_of(around, around + 8, [&](std::ptrdiff_t d) { return classes[weak_pixel + d] == kStrong; })) return;
    classes[weak_pixel] = kStrong;
    std::size_t depth = 0;
    stack[depth++] = static_cast<std::int32_t>(weak_pixel);
    while (depth != 0) {
      const std::ptrdiff_t i = stack[--depth];
      for (const std::ptrdiff_t d : around) {
        if (classes[i + d] != kWeak) continue;
        classes[i + d] = kStrong;
        stack[depth++] = static_cast<std::int32_t>(i + d);
      }
    }
  });
}

/// Where each pixel's pair with its partner at one angle is counted.
void pair_codes(const Patch& patch, const std::uint8_t* channel, int angle, std::uint8_t* __restrict codes) {
  const PatchFrame& f = patch.frame;
  const std::uint8_t* base = patch.pair_base[angle];
  const std::uint8_t* partner = channel + pair_offset(f, angle);
  const std::ptrdiff_t end = f.end(kFilterReach);
  for (std::ptrdiff_t i = f.begin(kFilterReach); i < end; ++i)
    codes[i] = static_cast<std::uint8_t>(base[i] | (channel[i] >> 2 & 56) | partner[i] >> 5);
}

/// Counts the pixels [begin, end). Bytes are loaded eight at a time, because loads bound this loop.
void count_row(const std::uint8_t* regions, const std::uint8_t* channel, const std::uint8_t* gradient,
               const std::array<std::uint8_t*, 4>& codes, std::ptrdiff_t begin, std::ptrdiff_t end, Tally& tally) {
  for (std::ptrdiff_t i = begin; i < end; i += 8) {
    std::uint64_t r = eight_from(regions + i), v = eight_from(channel + i), g = eight_from(gradient + i);
    std::uint64_t a = eight_from(codes[0] + i), b = eight_from(codes[1] + i), c = eight_from(codes[2] + i),
                  d = eight_from(codes[3] + i);
    for (std::ptrdiff_t k = std::min<std::ptrdiff_t>(8, end - i); k > 0; --k) {
      ++tally.values[r & 255][v & 255];
      ++tally.gradient[r & 255][g & 255];
      ++tally.pairs[0][a & 255];
      ++tally.pairs[1][b & 255];
      ++tally.pairs[2][c & 255];
      ++tally.pairs[3][d & 255];
      r >>= 8, v >>= 8, g >>= 8, a >>= 8, b >>= 8, c >>= 8, d >>= 8;
    }
  }
}

void count_pixels(const Patch& patch, const std::uint8_t* channel, const std::uint8_t* gradient,
                  const std::array<std::uint8_t*, 4>& codes, Tally& tally) {
  const PatchFrame& f = patch.frame;
  for (int y = kFilterReach; y < f.height - kFilterReach; ++y)
    count_row(patch.regions, channel, gradient, codes, f.row(y) + patch.row_begin[y], f.row(y) + patch.row_end[y],
              tally);
}

/// Number of pixels of `region` where plane == value.
std::int64_t count_where(const Patch& patch, Region region, const std::uint8_t* plane, std::uint8_t value) {
  const PatchFrame& f = patch.frame;
  const std::ptrdiff_t begin = f.begin(kFilterReach);
  const std::uint8_t* const regions = patch.regions + begin;
  const auto wanted = static_cast<std::uint8_t>(region);
  return count_true(f.end(kFilterReach) - begin, [regions, wanted, values = plane + begin, value](std::ptrdiff_t i) {
    return (regions[i] == wanted) & (values[i] == value);
  });
}

ChannelSums channel_sums(const Patch& patch, Region region, const Tally& tally, const FilterPlanes& planes) {
  const auto r = static_cast<std::size_t>(region);
  ChannelSums sums;
  sums.values = tally.values[r];
  sums.gradient = tally.gradient[r];
  for (std::size_t k = 0; k < sums.pairs.size(); ++k) {
    sums.pairs[k] = 0;
    for (const auto& angle : tally.pairs) sums.pairs[k] += angle[64 * (r - 1) + k];
  }
  sums.canny = static_cast<std::uint32_t>(count_where(patch, region, planes.canny, kStrong));
  sums.sobel = static_cast<std::uint32_t>(count_where(patch, region, planes.sobel, 1));
  return sums;
}

/// Memory of the kernel for objects whose patches have up to `largest` pixels.
struct Workspace {
  Patch patch;
  PackedAmounts& amounts;
  FilterPlanes planes;
  std::array<std::uint8_t*, 4> codes;  // pair_codes by angle
  std::int32_t* stack;
  Tally& tally;
  FeatureSums& sums;

  Workspace(Scratch& scratch, std::size_t largest, int tallest, const StainAmountTable& stains)
      : patch(scratch, largest, tallest),
        amounts(scratch.take<PackedAmounts>(1)[0]),
        planes(scratch, largest),
        stack(scratch.take<std::int32_t>(largest).data()),
        tally(scratch.take<Tally>(1)[0]),
        sums(scratch.take<FeatureSums>(1)[0]) {
    for (auto& plane : codes) plane = take_plane<std::uint8_t>(scratch, largest);
    amounts = pack_amounts(stains);
  }
};

void sum_object(Workspace& w, RgbView rgb, View<const std::int32_t> labels, const ObjectBox& box, std::int32_t label) {
  w.patch.frame = PatchFrame(box, rgb.width, rgb.height);
  fill_channels(w.patch, rgb, w.amounts);
  fill_regions(w.patch, labels, box, label, w.sums.shape);
  fill_pair_bases(w.patch);
  for (std::size_t c = 0; c < 3; ++c) {
    const std::uint8_t* channel = w.patch.channels[c];
    filter_channel(w.patch.frame, channel, w.planes);
    hysteresis(w.patch, w.planes.canny, w.stack);
    w.tally = {};
    for (int angle = 0; angle < 4; ++angle)
      pair_codes(w.patch, channel, angle, w.codes[static_cast<std::size_t>(angle)]);
    count_pixels(w.patch, channel, w.planes.gradient, w.codes, w.tally);
    w.sums.channels[0][c] = channel_sums(w.patch, Region::nucleus, w.tally, w.planes);
    w.sums.channels[1][c] = channel_sums(w.patch, Region::ring, w.tally, w.planes);
  }
  w.sums.ring_area = count_where(w.patch, Region::ring, w.patch.regions, static_cast<std::uint8_t>(Region::ring));
}

}  // namespace

void features(const KernelContext& context, RgbView rgb, View<const std::int32_t> labels,
              std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted, const StainAmountTable& stains,
              View<double> table) {
  const Scratch::Mark mark(context.scratch);
  std::size_t largest = 0;
  int tallest = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (wanted[i] == 0) continue;
    const PatchFrame frame(boxes[i], rgb.width, rgb.height);
    largest = std::max(largest, frame.size());
    tallest = std::max(tallest, frame.height);
  }
  if (largest == 0) return;
  Workspace workspace(context.scratch, largest, tallest, stains);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (wanted[i] == 0) continue;
    sum_object(workspace, rgb, labels, boxes[i], static_cast<std::int32_t>(i + 1));
    write_feature_row(workspace.sums, {table.row(static_cast<int>(i)), kFeatureTotal});
  }
}

}  // namespace starpath::cpu
