// Training samples of one NBIA level for tests, and random ones.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codelets/kernels/nbia_classify.hpp"
#include "support/images.hpp"

namespace starpath::support {

/// Owns the samples of one level.
struct Samples {
  explicit Samples(int the_count)
      : count(the_count),
        z(kNbiaFeatureCount * static_cast<std::size_t>(the_count)),
        labels(static_cast<std::size_t>(the_count), NbiaLabel::stroma_poor) {}
  NbiaSamples view() const { return {mean.data(), deviation.data(), z.data(), labels.data(), count}; }

  int count;
  std::vector<double> mean = std::vector<double>(kNbiaFeatureCount, 0),
                      deviation = std::vector<double>(kNbiaFeatureCount, 1);
  std::vector<std::int16_t> z;
  std::vector<NbiaLabel> labels;
};

/// As few as there may be, or more; either with few distances, so that many are equal, or over the whole range.
inline Samples random_samples(Rng& rng) {
  Samples samples(kNbiaNeighbours + static_cast<int>(rng() % 2 == 0 ? rng() % 3 : rng() % 600));
  const unsigned spread = rng() % 2 == 0 ? 3 : 2 * kNbiaZLimit;
  for (auto& z : samples.z)
    z = static_cast<std::int16_t>(static_cast<int>(rng() % (spread + 1)) - static_cast<int>(spread / 2));
  for (auto& label : samples.labels) label = rng() % 2 == 0 ? NbiaLabel::stroma_rich : NbiaLabel::stroma_poor;
  for (auto& deviation : samples.deviation)
    deviation = rng() % 5 == 0 ? 0 : 1e-3 * static_cast<double>(1 + rng() % 4000);
  return samples;
}

}  // namespace starpath::support
