#include "loops/rates/loop_rates.hpp"

#include <algorithm>
#include <cmath>

namespace starpath {
namespace {

std::string codelet_of(const std::string& loop) { return "loop " + loop; }

Features features_of(LoopRates::Sizes sizes) {
  Features features;
  features.add_numeric(sizes.block);
  features.add_numeric(sizes.loop);
  return features;
}

}  // namespace

LoopRates::LoopRates(std::string profile, ProfileUse::Report report)
    : use_(std::move(profile), true, std::move(report)) {
  const std::vector<ProfileGroup> groups = use_.load();
  for (const ProfileGroup& group : groups)
    if (std::ranges::find(classes_, group.device_class) == classes_.end()) classes_.push_back(group.device_class);
  teach(knn_, groups, classes_);
}

double LoopRates::rate(const std::string& loop, const std::string& device_class, Sizes sizes) const {
  const auto codelet = knn_.find(codelet_of(loop));
  const auto found = std::ranges::find(classes_, device_class);
  if (!codelet || found == classes_.end()) return 0;
  const auto seconds = knn_.seconds(*codelet, static_cast<unsigned>(found - classes_.begin()), features_of(sizes));
  return seconds ? sizes.block / (*seconds * 1e6) : 0;
}

void LoopRates::learn(const std::string& loop, const std::string& device_class, Sizes sizes, double rate) {
  if (!std::isfinite(rate) || !(rate > 0) || !(sizes.block > 0)) return;
  use_.describe(codelet_of(loop), {"iterations", "of_loop"}, {});
  use_.collect(codelet_of(loop), device_class, features_of(sizes), sizes.block / rate / 1e6);
}

}  // namespace starpath
