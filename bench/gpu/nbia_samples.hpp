// Training samples for measurements of NBIA, on both sides.
#pragma once
#include <algorithm>
#include <random>

#include "support/cuda/device.hpp"
#include "support/nbia_samples.hpp"

namespace starpath::bench {

/// As many as a level of the bundled model has, all over the range.
inline support::Samples made_samples() {
  support::Samples some(240);
  std::mt19937 random(1);
  for (auto& z : some.z) z = static_cast<std::int16_t>(static_cast<int>(random() % 3000) - 1500);
  for (auto& label : some.labels) label = random() % 2 != 0 ? NbiaLabel::stroma_rich : NbiaLabel::stroma_poor;
  std::fill(some.mean.begin(), some.mean.end(), 0.5);
  std::fill(some.deviation.begin(), some.deviation.end(), 0.2);
  return some;
}

/// The same on the device too.
struct BothSamples {
  support::Samples host = made_samples();
  support::DeviceArray<double> mean{host.mean}, deviation{host.deviation};
  support::DeviceArray<std::int16_t> z{host.z};
  support::DeviceArray<NbiaLabel> labels{host.labels};
  NbiaSamples device() const { return {mean.data(), deviation.data(), z.data(), labels.data(), host.count}; }
};

}  // namespace starpath::bench
