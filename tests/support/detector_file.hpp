// The file of weights of a test's network.
#pragma once
#include <array>
#include <nlohmann/json.hpp>

#include "support/detector_network.hpp"

namespace starpath::support {

/// For learned_detector.hpp; of three levels.
inline nlohmann::json detector_json(const TestNetwork& network, int nucleus, int core) {
  constexpr std::array names = {"encoder0a", "encoder0b", "encoder1a", "encoder1b", "encoder2a", "encoder2b",
                                "decoder1a", "decoder1b", "decoder0a", "decoder0b", "head"};
  const auto& of = network.channels.of;
  nlohmann::json root = {{"format", "starpath-detector"},     {"version", 1},
                         {"about", {{"data", "a test"}}},     {"um_per_px", 0.5},
                         {"channels", {of[0], of[1], of[2]}}, {"thresholds", {{"nucleus", nucleus}, {"core", core}}}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto number = static_cast<int>(i);
    const DetectorLayer& layer = network.layer(number);
    nlohmann::json weights = nlohmann::json::array();
    for (int out = 0; out < layer.out; ++out)
      for (int ky = 0; ky < layer.kernel; ++ky)
        for (int kx = 0; kx < layer.kernel; ++kx)
          for (int in = 0; in < layer.in; ++in) weights.push_back(network.weight(number, out, ky, kx, in));
    const auto numbers = [&](int first) {
      const auto begin = network.numbers().begin() + first;
      return std::vector<std::int32_t>(begin, begin + layer.out);
    };
    root["layers"].push_back({{"name", names[i]},
                              {"in", layer.in},
                              {"out", layer.out},
                              {"kernel", layer.kernel},
                              {"weights", weights},
                              {"bias", numbers(layer.bias())},
                              {"multiplier", numbers(layer.multiplier())},
                              {"shift", numbers(layer.shift())}});
  }
  return root;
}

}  // namespace starpath::support
