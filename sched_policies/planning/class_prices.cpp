// Prices of device classes and of the bus: rounds that lower the prices of what has less load, until loads are even.
#include "sched_policies/planning/class_prices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace starpath {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFresh = 1.0 / 8;     // of the tasks: submitted or ready since, before there is another solution
constexpr double kRemembered = 16384;  // submitted tasks, after which older ones count half
constexpr std::size_t kMostTypes = 256;
constexpr int kRounds = 192;
constexpr double kFirstStep = 3.0 / 32, kLastStep = 0.5 / 32;  // power of a load that its price changes by in a round

/// A class takes a share of a task that falls with the 32nd power of its cost over the lowest cost. So the cheapest
/// class takes nearly all, and classes of almost equal cost share.
double share(double ratio) {
  for (int doubled = 0; doubled < 5; ++doubled) ratio *= ratio;
  return ratio;
}

}  // namespace

ClassPrices::ClassPrices(const Machine& machine) : workers_(machine.classes().size() + 1) {
  for (ClassId id = 0; id + 1 < workers_.size(); ++id) workers_[id] = static_cast<double>(machine.count(id));
}

/// Its type if its times are of use; nullptr: they are not, or it has none yet and `add` is false.
ClassPrices::Type* ClassPrices::type_of(const ClassSeconds& seconds, bool add) {
  const std::size_t classes = workers_.size() - 1;
  if (classes < 2) return nullptr;
  double least = kInfinity;
  for (const auto& time : seconds) least = std::min(least, time.value_or(kInfinity));
  if (!(least > 0) || !std::isfinite(least)) return nullptr;
  Ratios ratios{};
  for (std::size_t c = 0; c < classes; ++c) ratios[c] = step_of(seconds[c].value_or(kInfinity) / least);
  if (last_ == nullptr || last_->first != ratios) {
    const auto found = add ? types_.try_emplace(ratios).first : types_.find(ratios);
    if (found == types_.end()) return nullptr;
    last_ = &*found;
  }
  return &last_->second;
}

void ClassPrices::submitted(const ClassSeconds& seconds) {
  Type* const type = type_of(seconds, true);
  if (type == nullptr) return;
  choice_ = choice_ || std::ranges::count_if(seconds, [](const auto& time) { return time.has_value(); }) > 1;
  for (std::size_t c = 0; c + 1 < workers_.size(); ++c) type->seconds[c] += seconds[c].value_or(kInfinity);
  ++type->tasks;
  ++tasks_;
  ++fresh_;
  while (tasks_ > kRemembered) age();
  if (types_.size() > kMostTypes) forget_rarest();
}

void ClassPrices::ready(const ClassSeconds& seconds, std::span<const double> copies) {
  Type* const type = type_of(seconds, false);
  if (type == nullptr) return;
  for (std::size_t c = 0; c < copies.size(); ++c) type->copies[c] += copies[c];
  ++type->ready;
  ++fresh_;
}

/// All tasks count half; types with less than one go.
void ClassPrices::age() {
  for (auto& [ratios, type] : types_) {
    for (double& sum : type.seconds) sum /= 2;
    for (double& sum : type.copies) sum /= 2;
    type.ready /= 2;
    type.tasks /= 2;
  }
  std::erase_if(types_, [](const auto& entry) { return entry.second.tasks < 1; });
  tasks_ = 0;
  for (const auto& [ratios, type] : types_) tasks_ += type.tasks;
  last_ = nullptr;
}

void ClassPrices::forget_rarest() {
  std::vector<std::map<Ratios, Type>::iterator> all;
  for (auto type = types_.begin(); type != types_.end(); ++type) all.push_back(type);
  const auto half = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, half, {}, [](const auto& type) { return type->second.tasks; });
  for (auto rare = all.begin(); rare != half; ++rare) {
    tasks_ -= (*rare)->second.tasks;
    types_.erase(*rare);
  }
  last_ = nullptr;
}

std::span<const double> ClassPrices::prices(double width) {
  if (choice_ && fresh_ > kFresh * tasks_) {
    fresh_ = 0;
    workers_.back() = width;
    solve();
  }
  return prices_;
}

/// Starts from the last prices, which are near.
void ClassPrices::solve() {
  const std::size_t classes = workers_.size() - 1;
  if (prices_.empty()) prices_.assign(classes + 1, 1);
  for (int round = 0; round < kRounds; ++round) {
    const double step = kFirstStep + (kLastStep - kFirstStep) * round / kRounds;
    loads_.assign(classes + 1, 0);
    for (const auto& [ratios, type] : types_) {
      const double ready = type.ready > 0 ? type.tasks / type.ready : 0;
      double cheapest = kInfinity, shares = 0;
      Seconds cost{}, part{};
      for (std::size_t c = 0; c < classes; ++c) {
        cost[c] = prices_[c] * type.seconds[c] + prices_[classes] * type.copies[c] * ready;
        cheapest = std::min(cheapest, cost[c]);
      }
      for (std::size_t c = 0; c < classes; ++c)
        if (std::isfinite(cost[c])) shares += part[c] = share(cheapest / cost[c]);
      for (std::size_t c = 0; c < classes; ++c) {
        if (part[c] <= 0) continue;
        loads_[c] += part[c] / shares * type.seconds[c] / workers_[c];
        loads_[classes] += part[c] / shares * type.copies[c] * ready / workers_[classes];
      }
    }
    const double most = *std::ranges::max_element(loads_);
    if (!(most > 0)) return;
    for (std::size_t c = 0; c <= classes; ++c) prices_[c] *= std::pow(std::max(loads_[c] / most, 1e-3), step);
    const double dearest = *std::ranges::max_element(prices_);
    for (double& price : prices_) price = std::max(price / dearest, 1e-9);
  }
}

}  // namespace starpath
