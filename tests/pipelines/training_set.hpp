// Nuclei to train a classifier with.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/pure/random.hpp"
#include "pipelines/classification/train.hpp"

namespace starpath::test {

/// Nuclei of two classes around places in two features, on slides in turn; a third feature never varies.
inline TrainingSet set_of(std::size_t each, std::size_t slides, double apart, std::uint64_t seed = 3) {
  SplitMix64 random(seed);
  const auto noise = [&] { return static_cast<double>(random.next() >> 40) / double{1 << 24} - 0.5; };
  TrainingSet set{0.5, {{"A", 1}, {"B", 2}}, {"x", "y", "still"}, {}, {}};
  for (std::size_t s = 0; s < slides; ++s) set.slides.push_back({"s" + std::to_string(s), std::to_string(s), 0});
  for (std::size_t i = 0; i < each; ++i)
    for (const int label : {0, 1})
      set.nuclei.push_back({static_cast<std::uint8_t>(label), i % slides, {100 + label * apart + noise(), noise(), 5}});
  return set;
}

}  // namespace starpath::test
