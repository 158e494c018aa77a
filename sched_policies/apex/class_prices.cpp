// Prices of device classes: rounds that lower the prices of the classes with less load, until all loads are even.
#include "sched_policies/apex/class_prices.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "sched_policies/apex/steps.hpp"

namespace starpath {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMemory = 16384;    // tasks after which one counts 1/e
constexpr double kFresh = 1.0 / 16;  // share of the weight that has to be new for another solution
constexpr double kMostWeight = 1e200;
constexpr std::size_t kMostKinds = 256;
constexpr int kRounds = 192;
constexpr double kFirstStep = 3.0 / 32, kLastStep = 0.5 / 32;  // power of a load that its price changes by in a round

/// A class takes a share of a task that falls with the 32nd power of its cost over the lowest cost. So the cheapest
/// class takes nearly all, and classes of almost equal cost share.
double share(double ratio) {
  for (int doubled = 0; doubled < 5; ++doubled) ratio *= ratio;
  return ratio;
}

}  // namespace

ClassPrices::ClassPrices(const Machine& machine) : workers_(machine.classes().size()) {
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) ++workers_[machine.class_of(worker)];
}

void ClassPrices::submitted(const ClassSeconds& seconds) {
  const std::size_t classes = workers_.size();
  if (classes < 2) return;
  double least = kInfinity;
  unsigned able = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    if (!seconds[c]) continue;
    least = std::min(least, *seconds[c]);
    ++able;
  }
  if (!(least > 0) || !std::isfinite(least)) return;
  choice_ = choice_ || able > 1;
  Ratios ratios{};
  for (std::size_t c = 0; c < classes; ++c)
    ratios[c] = seconds[c] ? static_cast<std::int8_t>(std::min(126.0, step_of(*seconds[c] / least))) : 127;
  if (kinds_.empty() || ratios != kinds_[last_].ratios) {
    if (kinds_.size() == kMostKinds && !number_.contains(ratios)) drop_rare();
    const auto [place, fresh] = number_.try_emplace(ratios, static_cast<std::uint32_t>(kinds_.size()));
    if (fresh) kinds_.push_back({.ratios = ratios});
    last_ = place->second;
  }
  Kind& kind = kinds_[last_];
  for (std::size_t c = 0; c < classes; ++c) kind.seconds[c] += seconds[c] ? weight_ * *seconds[c] : kInfinity;
  kind.weight += weight_;
  total_ += weight_;
  fresh_ += weight_;
  weight_ *= 1 + 1 / kMemory;
  if (weight_ > kMostWeight) forget();
}

/// Scales all weights so that the next task weighs 1 again.
void ClassPrices::forget() {
  for (Kind& kind : kinds_) {
    for (double& sum : kind.seconds) sum /= weight_;
    kind.weight /= weight_;
  }
  total_ /= weight_;
  fresh_ /= weight_;
  weight_ = 1;
}

/// Drops the half of the kinds with the least weight.
void ClassPrices::drop_rare() {
  const auto kept = kinds_.begin() + kMostKinds / 2;
  std::ranges::nth_element(kinds_, kept, std::greater(), &Kind::weight);
  for (auto kind = kept; kind != kinds_.end(); ++kind) total_ -= kind->weight;
  kinds_.erase(kept, kinds_.end());
  number_.clear();
  for (const Kind& kind : kinds_) number_.emplace(kind.ratios, static_cast<std::uint32_t>(number_.size()));
}

std::span<const double> ClassPrices::prices() {
  if (choice_ && fresh_ > kFresh * total_) {
    fresh_ = 0;
    solve();
  }
  return prices_;
}

/// Starts from the last prices, which are near.
void ClassPrices::solve() {
  const std::size_t classes = workers_.size();
  if (prices_.empty()) prices_.assign(classes, 1);
  for (int round = 0; round < kRounds; ++round) {
    const double step = kFirstStep + (kLastStep - kFirstStep) * round / kRounds;
    loads_.assign(classes, 0);
    for (const auto& [ratios, sums, weight] : kinds_) {
      double cheapest = kInfinity, shares = 0;
      Seconds part{};
      for (std::size_t c = 0; c < classes; ++c) cheapest = std::min(cheapest, prices_[c] * sums[c]);
      for (std::size_t c = 0; c < classes; ++c)
        if (std::isfinite(sums[c])) shares += part[c] = share(cheapest / (prices_[c] * sums[c]));
      for (std::size_t c = 0; c < classes; ++c)
        if (part[c] > 0) loads_[c] += part[c] / shares * sums[c] / workers_[c];
    }
    const double most = *std::ranges::max_element(loads_);
    if (!(most > 0)) return;
    for (std::size_t c = 0; c < classes; ++c) prices_[c] *= std::pow(std::max(loads_[c] / most, 1e-3), step);
    const double dearest = *std::ranges::max_element(prices_);
    for (double& price : prices_) price = std::max(price / dearest, 1e-9);
  }
}

}  // namespace starpath
