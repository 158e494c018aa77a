// Networks that compute what a test says, and what is read of slides by them.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "pipelines/networks/scored_network.hpp"

namespace starpath::test {

/// What `read` says that it cannot read.
inline std::string network_refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "nothing";
}

/// Gives what `compute` says for each number of a field; an output of `side` pixels, with its channels first or last.
class MadeUpNetwork : public NetworkInstance {
 public:
  using Compute = std::function<float(int channel, int x, int y, const float* input)>;
  MadeUpNetwork(int side, Compute compute, int channels = 2, bool channels_last = false)
      : side_(side), channels_(channels), channels_last_(channels_last), compute_(std::move(compute)) {}

  std::array<NetworkOutput, 2> run(std::span<const float> input) override {
    const auto pixels = static_cast<std::size_t>(side_ * side_), channels = static_cast<std::size_t>(channels_);
    values_.resize(channels * pixels);
    for (int channel = 0; channel < channels_; ++channel)
      for (int y = 0; y < side_; ++y)
        for (int x = 0; x < side_; ++x) {
          const auto pixel = static_cast<std::size_t>(y * side_ + x), c = static_cast<std::size_t>(channel);
          values_[channels_last_ ? pixel * channels + c : c * pixels + pixel] = compute_(channel, x, y, input.data());
        }
    NetworkOutput output{{1, channels_, side_, side_}, values_.data()};
    if (channels_last_) output.sides = {1, side_, side_, channels_};
    return {output, output};
  }
  std::int64_t bytes() const override { return 1; }

 private:
  const int side_, channels_;
  const bool channels_last_;
  const Compute compute_;
  std::vector<float> values_;
};

struct ScoredRegion {
  int width;
  std::vector<std::uint8_t> nucleus, core;

  int nucleus_at(std::int64_t x, std::int64_t y) const { return nucleus[static_cast<std::size_t>(y * width + x)]; }
  int core_at(std::int64_t x, std::int64_t y) const { return core[static_cast<std::size_t>(y * width + x)]; }
};

/// A slide whose pixel (x, y) has red and green that say where it is.
inline std::vector<Rgb> network_pixels(const Rect& region) {
  std::vector<Rgb> pixels;
  for (std::int64_t y = region.y; y < region.bottom(); ++y)
    for (std::int64_t x = region.x; x < region.right(); ++x)
      pixels.push_back({static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 7});
  return pixels;
}

/// The scores of a region of a slide of width x height pixels.
inline ScoredRegion scored(const NetworkDescription& description, std::unique_ptr<NetworkInstance> instance,
                           const Rect& region, std::int64_t width, std::int64_t height) {
  ScoredNetwork network(description, std::move(instance));
  const std::vector<Rgb> pixels = network_pixels(region);
  const auto w = static_cast<int>(region.width), h = static_cast<int>(region.height);
  ScoredRegion scores{w, std::vector<std::uint8_t>(pixels.size(), 9), std::vector<std::uint8_t>(pixels.size(), 9)};
  network.score({pixels.data(), w, h, w}, region, width, height, {scores.nucleus.data(), w, h, w},
                {scores.core.data(), w, h, w});
  return scores;
}

}  // namespace starpath::test
