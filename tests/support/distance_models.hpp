// Networks that give distances, for tests: as HoVer-Net and StarDist do, by convolutions without training.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/onnx_model.hpp"

namespace starpath::support {

/// A convolution with as many rows and columns around as its kernel needs. Weights are called NAME.weight, NAME.bias.
inline OnnxNode convolution(const std::string& name, const std::string& from, const std::string& to,
                            std::int64_t kernel, std::int64_t stride = 1) {
  const std::int64_t pad = kernel / 2;
  return {"Conv",
          name,
          {from, name + ".weight", name + ".bias"},
          {to},
          {{"kernel_shape", {kernel, kernel}}, {"pads", {pad, pad, pad, pad}}, {"strides", {stride, stride}}}};
}

/// Nuclei are dark in red. `np`: the logit is 4 - 8 times the mean red of 3x3 pixels. `hv`: how much farther the dark
/// pixels of 13x13 lie to the left, and above. It looks 6 pixels far.
inline OnnxModel hover_model(std::int64_t field) {
  constexpr int reach = 6, side = 2 * reach + 1;
  OnnxModel model;
  std::vector<float> sure(27, 0), distances(2 * 3 * side * side, 0);
  for (std::size_t i = 0; i < 9; ++i) sure[i] = -8.f / 9;
  for (int y = -reach; y <= reach; ++y)
    for (int x = -reach; x <= reach; ++x) {
      const auto at = static_cast<std::size_t>((y + reach) * side + x + reach);
      distances[at] = .007f * static_cast<float>(x);
      distances[3 * side * side + at] = .007f * static_cast<float>(y);
    }
  model.weights = {{"sure.weight", {1, 3, 3, 3}, sure},
                   {"sure.bias", {1}, {4}},
                   {"lean.weight", {2, 3, side, side}, distances},
                   {"lean.bias", {2}, {0, 0}}};
  model.nodes = {convolution("sure", "image", "logits", 3),
                 {"Sigmoid", "squash", {"logits"}, {"np"}},
                 convolution("lean", "image", "hv", side)};
  model.inputs = {{"image", {1, 3, field, field}}};
  model.outputs = {{"np", {1, 1, field, field}}, {"hv", {1, 2, field, field}}};
  return model;
}

/// The start of a description.
inline std::string field_description(const std::string& kind, int field, int margin) {
  return "kind = \"" + kind + "\"\num_per_px = 0.5\nfield = " + std::to_string(field) +
         "\nmargin = " + std::to_string(margin) + "\nactivation = \"none\"\n\n";
}

inline std::string hover_description(int field, int margin) {
  return field_description("hover", field, margin) +
         "[nucleus]\noutput = \"np\"\nchannels = [0]\nthreshold = 0.5\n\n[distances]\noutput = \"hv\"\n"
         "channels = [0, 1]\nthreshold = 0.4\n";
}

inline constexpr int kStarModelRays = 8, kStarModelReach = 10;

/// On every second pixel: `prob` by how dark 9x9 pixels are, and `dist`, the number of dark pixels on the way in 8
/// directions. It looks 10 pixels far.
inline OnnxModel star_model(std::int64_t field) {
  constexpr int reach = kStarModelReach, side = 2 * reach + 1;
  OnnxModel model;
  std::vector<float> rays(static_cast<std::size_t>(kStarModelRays * side * side), 0);
  for (int ray = 0; ray < kStarModelRays; ++ray)
    for (int step = 1; step <= reach; ++step) {
      const double angle = 2 * 3.14159265358979 * ray / kStarModelRays;
      const auto x = static_cast<int>(std::lround(step * std::cos(angle))),
                 y = static_cast<int>(std::lround(step * std::sin(angle)));
      rays[static_cast<std::size_t>((ray * side + y + reach) * side + x + reach)] += 1;
    }
  model.weights = {{"dark.weight", {1, 3, 1, 1}, {-20, 0, 0}},
                   {"dark.bias", {1}, {10}},
                   {"mean.weight", {1, 1, 9, 9}, std::vector<float>(81, 8.f / 81)},
                   {"mean.bias", {1}, {-3}},
                   {"rays.weight", {kStarModelRays, 1, side, side}, rays},
                   {"rays.bias", {kStarModelRays}, std::vector<float>(kStarModelRays, .5f)}};
  model.nodes = {convolution("dark", "image", "logits", 1),
                 {"Sigmoid", "squash", {"logits"}, {"darkness"}},
                 convolution("mean", "darkness", "means", 9, 2),
                 {"Sigmoid", "sure", {"means"}, {"prob"}},
                 convolution("rays", "darkness", "dist", side, 2)};
  model.inputs = {{"image", {1, 3, field, field}}};
  model.outputs = {{"prob", {1, 1, field / 2, field / 2}}, {"dist", {1, kStarModelRays, field / 2, field / 2}}};
  return model;
}

inline std::string star_description(int field, int margin) {
  return field_description("stardist", field, margin) +
         "[nucleus]\noutput = \"prob\"\nchannels = [0]\nthreshold = 0.6\n\n[distances]\noutput = \"dist\"\nrays = " +
         std::to_string(kStarModelRays) + "\ngrid = 2\noverlap = 0.3\n";
}

}  // namespace starpath::support
