// The learned detector row by row: a layer computes a row as soon as the rows exist that it looks at, and keeps the few
// that others still look at. They stay in the cache, and no activation is computed twice.
#include "codelets/kernels/detector.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "codelets/cpu/detector_rows.hpp"

namespace starpath::cpu {
namespace {

constexpr int kTogether = 8;  // channels

/// The last rows of an image of activations, each with a pixel of zeros at both ends.
class Rows {
 public:
  Rows() = default;
  Rows(Scratch& scratch, int width, int height, int channels, int kept)
      : width_(width),
        height_(height),
        channels_(channels),
        kept_(kept),
        length_(static_cast<std::size_t>(width + 2) * static_cast<std::size_t>(channels)),
        values_(scratch.take<std::uint8_t>(length_ * static_cast<std::size_t>(kept + 1))) {
    std::ranges::fill(values_, std::uint8_t{0});
  }

  int width() const { return width_; }
  int height() const { return height_; }
  int channels() const { return channels_; }
  int made() const { return made_; }

  /// The first pixel of the row that is made next; it takes the place of the oldest one.
  std::uint8_t* next() { return slot(made_ % kept_) + channels_; }
  void advance() { ++made_; }
  const std::uint8_t* row(int y) const { return slot(y % kept_) + channels_; }
  /// From the pixel before the first; zeros outside of the image.
  const std::uint8_t* framed(int y) const { return y < 0 || y >= height_ ? slot(kept_) : slot(y % kept_); }

 private:
  std::uint8_t* slot(int i) const { return values_.data() + static_cast<std::size_t>(i) * length_; }

  int width_ = 0, height_ = 0, channels_ = 0, kept_ = 1, made_ = 0;
  std::size_t length_ = 0;
  std::span<std::uint8_t> values_;
};

/// The first sum whose activation is the largest that there is.
std::int32_t enough_for(std::int32_t multiplier, std::int32_t shift) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  if (shift > 55) return most;  // no sum is enough
  const std::int64_t wanted = (std::int64_t{kMostActivation} << shift) - (std::int64_t{1} << (shift - 1));
  return static_cast<std::int32_t>(std::min<std::int64_t>((wanted + multiplier - 1) / multiplier, most));
}

Rescaling rescaling_of(Scratch& scratch, std::span<const std::int32_t> network, const DetectorLayer& layer) {
  const auto out = static_cast<std::size_t>(layer.out);
  const std::span multipliers = network.subspan(static_cast<std::size_t>(layer.multiplier()), out);
  const std::span shifts = network.subspan(static_cast<std::size_t>(layer.shift()), out);
  const std::span enough = scratch.take<std::int32_t>(out);
  std::ranges::transform(multipliers, shifts, enough.begin(), enough_for);
  Rescaling rescaling{{}, {}, {}, enough.data()};
  for (std::size_t odd = 0; odd < 2; ++odd) {
    const std::span multiplier = scratch.take<std::uint64_t>(out / 2), half = scratch.take<std::uint64_t>(out / 2),
                    shift = scratch.take<std::uint64_t>(out / 2);
    for (std::size_t i = 0; i < out / 2; ++i) {
      multiplier[i] = static_cast<std::uint64_t>(multipliers[2 * i + odd]);
      shift[i] = static_cast<std::uint64_t>(shifts[2 * i + odd]);
      half[i] = std::uint64_t{1} << (shift[i] - 1);
    }
    rescaling.multiplier[odd] = multiplier.data();
    rescaling.half[odd] = half.data();
    rescaling.shift[odd] = shift.data();
  }
  return rescaling;
}

/// How many rows of a level the encoder is ahead of the decoder: two convolutions and the maximum lead to the level
/// below, and what its decoder reads, two convolutions later.
int rows_ahead(const DetectorChannels& channels, int level) {
  return level == channels.levels() - 2 ? 5 : 9 + 2 * rows_ahead(channels, level + 1);
}

class Network {
 public:
  Network(const RowKernel& kernel, Scratch& scratch, RgbView image, std::span<const std::int32_t> words,
          const DetectorChannels& channels)
      : kernel_(kernel), image_(image), words_(words), layers_(channels), last_(channels.levels() - 1) {
    for (int i = 0; i + 1 < layers_.count; ++i)
      rescaling_[static_cast<std::size_t>(i)] = rescaling_of(scratch, words, layers_.all[static_cast<std::size_t>(i)]);
    int width = detector_side(image.width, channels.step()), height = detector_side(image.height, channels.step());
    for (int level = 0; level <= last_; ++level, width /= 2, height /= 2) {
      const auto keep = [&](Step step, int of_channels, int rows) {
        at(step, level) = Rows(scratch, width, height, of_channels, rows);
      };
      const int own = channels.of[static_cast<std::size_t>(level)];
      keep(input, layers_.encoder(level, 0).in_words() * kWeightsInWord, 3);
      keep(first, own, 3);
      if (level == last_) {
        keep(kept, own, 3);
        break;
      }
      keep(kept, own, rows_ahead(channels, level) + 2);
      keep(joined, layers_.decoder(level, 0).in, 3);
      keep(third, own, 3);
      keep(result, own, 3);
    }
  }

  /// Of level 0, which come in their order.
  const std::uint8_t* features(int y) {
    make(result, 0, y);
    return at(result, 0).row(y);
  }

 private:
  /// What a level computes, in this order.
  enum Step : unsigned char { input, first, kept, joined, third, result };
  static constexpr int kSteps = 6;

  Rows& at(Step step, int level) { return rows_[static_cast<std::size_t>(level * kSteps + step)]; }

  /// Makes the rows up to y, or all that there are.
  Rows& make(Step step, int level, int y) {
    Rows& to = at(step, level);
    for (const int end = std::min(y + 1, to.height()); to.made() < end; to.advance()) make_next(step, level, to);
    return to;
  }

  void make_next(Step step, int level, Rows& to) {
    switch (step) {
      case input:
        return level == 0 ? read_pixels(to) : take_maxima(make(kept, level - 1, 2 * to.made() + 1), to);
      case first:
        return convolve(input, level, 2 * level, to);
      case kept:
        return convolve(first, level, 2 * level + 1, to);
      case joined:
        return join(make(level + 1 == last_ ? kept : result, level + 1, to.made() / 2), make(kept, level, to.made()),
                    to);
      case third:
        return convolve(joined, level, 2 * (last_ + 1) + 2 * (last_ - 1 - level), to);
      case result:
        return convolve(third, level, 2 * (last_ + 1) + 2 * (last_ - 1 - level) + 1, to);
    }
  }

  void read_pixels(Rows& to) const {
    const int y = to.made(), width = y < image_.height ? image_.width : 0;
    std::uint8_t* out = to.next();
    for (int x = 0; x < width; ++x, out += kWeightsInWord) {
      const Rgb p = image_.at(x, y);
      out[0] = network_input(p.r);
      out[1] = network_input(p.g);
      out[2] = network_input(p.b);
    }
    for (int x = width; x < to.width(); ++x, out += kWeightsInWord) std::fill_n(out, 3, network_input(255));
  }

  static void take_maxima(const Rows& from, Rows& to) {
    const int channels = from.channels();
    const std::uint8_t *above = from.row(2 * to.made()), *below = from.row(2 * to.made() + 1);
    std::uint8_t* out = to.next();
    for (int x = 0; x < to.width(); ++x, above += 2 * channels, below += 2 * channels, out += channels)
      for (int c = 0; c < channels; ++c)
        out[c] = std::max(std::max(above[c], above[c + channels]), std::max(below[c], below[c + channels]));
  }

  static void join(const Rows& below, const Rows& beside, Rows& to) {
    const std::uint8_t *first = below.row(to.made() / 2), *second = beside.row(to.made());
    std::uint8_t* out = to.next();
    const auto append = [&](const std::uint8_t* from, int channels) {
      for (int c = 0; c < channels; c += kTogether, out += kTogether) std::memcpy(out, from + c, kTogether);
    };
    for (int x = 0; x < to.width(); ++x, second += beside.channels()) {
      append(first + std::ptrdiff_t{x / 2} * below.channels(), below.channels());
      append(second, beside.channels());
    }
  }

  void convolve(Step from_step, int level, int layer_number, Rows& to) {
    const int y = to.made();
    const Rows& from = make(from_step, level, y + 1);
    const DetectorLayer& layer = layers_.all[static_cast<std::size_t>(layer_number)];
    const std::int32_t* const words = words_.data();
    kernel_.convolve({{from.framed(y - 1), from.framed(y), from.framed(y + 1)},
                      layer.in_words(),
                      reinterpret_cast<const std::int8_t*>(words + layer.first),
                      words + layer.bias(),
                      rescaling_[static_cast<std::size_t>(layer_number)],
                      layer.out,
                      to.width(),
                      to.next()});
  }

  const RowKernel& kernel_;
  const RgbView image_;
  const std::span<const std::int32_t> words_;
  const DetectorLayers layers_;
  const int last_;
  std::array<Rescaling, DetectorLayers::kMost> rescaling_;
  std::array<Rows, static_cast<std::size_t>(DetectorChannels::kMostLevels* kSteps)> rows_;
};

/// The 1x1 convolution to scores.
class Head {
 public:
  Head(std::span<const std::int32_t> words, const DetectorLayer& layer) : words_(words.data()), layer_(layer) {
    for (int word = 0; word < layer.in_words(); ++word)
      for (int out = 0; out < 2; ++out)
        std::memcpy(&weights_[static_cast<std::size_t>(out)][static_cast<std::size_t>(word * kWeightsInWord)],
                    words_ + layer.first + word * 2 + out, kWeightsInWord);
  }

  std::uint8_t score(const std::uint8_t* features, int out) const {
    const auto& weights = weights_[static_cast<std::size_t>(out)];
    std::int32_t sum = words_[layer_.bias() + out];
    for (int c = 0; c < layer_.in; ++c) sum += features[c] * weights[static_cast<std::size_t>(c)];
    return score_of(sum, words_[layer_.multiplier() + out], words_[layer_.shift() + out]);
  }

 private:
  const std::int32_t* words_;
  DetectorLayer layer_;
  std::array<std::array<std::int8_t, DetectorChannels::kMostChannels>, 2> weights_{};
};

}  // namespace

void detect_by(const RowKernel& kernel, const KernelContext& context, RgbView rgb,
               std::span<const std::int32_t> network, int origin_x, int origin_y, const DetectorChannels& channels,
               View<std::uint8_t> nucleus, View<std::uint8_t> core) {
  const Scratch::Mark mark(context.scratch);
  const int left = std::min(rgb.width, detector_margin(origin_x, channels.step()));
  const int top = std::min(rgb.height, detector_margin(origin_y, channels.step()));
  const RgbView image{rgb.data + top * rgb.stride + left, rgb.width - left, rgb.height - top, rgb.stride};
  for (const View<std::uint8_t>& scores : {nucleus, core})
    for (int y = 0; y < scores.height; ++y)
      std::fill_n(scores.row(y), y < top || image.width == 0 ? rgb.width : left, std::uint8_t{0});
  if (image.pixels() == 0) return;
  Network rows(kernel, context.scratch, image, network, channels);
  const Head head(network, DetectorLayers(channels).head());
  for (int y = 0; y < image.height; ++y) {
    const std::uint8_t* features = rows.features(y);
    std::uint8_t *in_nucleus = nucleus.row(top + y) + left, *in_core = core.row(top + y) + left;
    for (int x = 0; x < image.width; ++x, features += channels.of[0]) {
      in_nucleus[x] = head.score(features, 0);
      in_core[x] = head.score(features, 1);
    }
  }
}

void detect(const KernelContext& context, RgbView rgb, std::span<const std::int32_t> network, int origin_x,
            int origin_y, int channels_0, int channels_1, int channels_2, int channels_3, View<std::uint8_t> nucleus,
            View<std::uint8_t> core) {
  detect_by(best_row_kernel(), context, rgb, network, origin_x, origin_y,
            {{channels_0, channels_1, channels_2, channels_3}}, nucleus, core);
}

}  // namespace starpath::cpu
