#include "loops/hdss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace starpath::loops {
namespace {

// A processor is an accelerator when its rate rises by so much with its blocks, and exceeds the mean of all by so much.
constexpr double kLeastGain = 1.25, kLeastLead = 1.5;

std::size_t times(std::size_t block, double factor) {
  const double product = static_cast<double>(block) * factor;
  return product < 1e18 ? static_cast<std::size_t>(product) : std::numeric_limits<std::size_t>::max();
}

}  // namespace

Hdss::Hdss(const LoopSetup& given) {
  const LoopSetup setup = resolved(given);
  iterations_ = setup.iterations;
  max_adaptive_ = setup.max_adaptive;
  min_change_rate_ = setup.min_change_rate;
  growth_ = setup.growth;
  guided_share_ = setup.guided_share;
  adaptive_limit_ = static_cast<std::size_t>(max_adaptive_ * static_cast<double>(iterations_));
  processors_ = std::vector<Processor>(setup.processors.size());
  live_ = static_cast<unsigned>(processors_.size());
  for (std::size_t i = 0; i < processors_.size(); ++i) {
    Processor& state = processors_[i];
    state.initial = state.next = state.last_taken = setup.processors[i].initial_block;
    state.factor = setup.processors[i].block_factor;
    if (setup.processors[i].known_rate == 0) continue;
    set_weight(state, setup.processors[i].known_rate);
    state.issued = kPointsForFit;
    state.next = std::numeric_limits<std::size_t>::max();
  }
}

bool Hdss::adaptive(std::size_t left) const {
  return stable_.load(std::memory_order_relaxed) < live_.load(std::memory_order_relaxed) &&
         iterations_ - std::min(left, iterations_) < adaptive_limit_;
}

// This processor's part of the iterations that are left; unknown weights count as the mean of the known ones.
double Hdss::share(const Processor& state, double weight) const {
  const double known = std::max(1U, known_.load(std::memory_order_relaxed));
  const double live = std::max(known, static_cast<double>(live_.load(std::memory_order_relaxed)));
  const double sum = std::max(weight, known_weight_.load(std::memory_order_relaxed) + weight - state.weight);
  return weight / (sum / known * live);
}

LargeBlocks Hdss::large_blocks(unsigned processor) const {
  const Processor& state = processors_[processor];
  if (state.large == 0 || state.gone) return {};
  const double rate = state.stable ? state.weight : state.fit.curve().at(static_cast<double>(state.large));
  const LargeBlocks large{state.large, share(state, rate)};
  const bool leads = large.share * live_.load(std::memory_order_relaxed) >= kLeastLead;
  return rate >= kLeastGain * state.large_from && leads ? large : LargeBlocks{};
}

std::size_t Hdss::size(unsigned processor, std::size_t left, std::size_t available) const {
  const Processor& state = processors_[processor];
  if (!adaptive(left)) {
    const double wanted = state.weight > 0 ? static_cast<double>(available) * guided_share_ * share(state, state.weight)
                                           : static_cast<double>(state.initial);
    return rounded_block(wanted, state.factor, available);
  }
  double wanted = static_cast<double>(state.next);
  if (state.weight > 0 && state.issued >= kPointsForFit) {
    const double most = max_adaptive_ * static_cast<double>(available) * share(state, state.weight);
    wanted = std::min(wanted, std::max(most, static_cast<double>(state.last_taken)));
  }
  return rounded_block(wanted, state.factor, available);
}

void Hdss::taken(unsigned processor, std::size_t iterations) {
  Processor& state = processors_[processor];
  state.last_taken = iterations;
  ++state.issued;
  if (state.issued < kPointsForFit && !state.stable) state.next = state.initial << state.issued;
}

void Hdss::finished(unsigned processor, std::size_t iterations, double microseconds) {
  Processor& state = processors_[processor];
  const double rate = static_cast<double>(iterations) / microseconds;
  if (state.stable || state.gone || !(microseconds > 0) || !std::isfinite(rate) || !(rate > 0)) return;
  if (iterations < state.last_measured) return;  // the end of the loop: small blocks say less
  const bool larger =
      iterations >= state.last_measured + state.last_measured / 2;  // the same again would prove nothing
  state.last_measured = iterations;
  const auto near = [&](double expected) { return std::abs(rate - expected) < min_change_rate_ * rate; };
  const double x = static_cast<double>(iterations);
  const bool confirmed = larger && state.weight > 0 && near(state.weight);
  const bool foretold = larger && state.fit.points() >= kPointsForFit && near(state.fit.curve().at(x));
  state.fit.add(x, rate);
  set_weight(state, rate);
  if (confirmed || foretold)
    set_stable(state);
  else
    plan_next(state, iterations);
}

void Hdss::plan_next(Processor& state, std::size_t measured) {
  if (state.fit.points() < kPointsForFit) {
    if (state.issued >= kPointsForFit)
      state.next = state.last_taken;  // asked ahead of the measurements, or began from a known rate
    return;
  }
  const LogFit::Curve curve = state.fit.curve();
  const bool rises =
      curve.a * std::log(growth_) >= min_change_rate_ * state.weight && curve.a > 3 * state.fit.slope_error();
  if (!rises) {  // differences from block to block are noise
    if (const double mean = curve.at(static_cast<double>(measured)); mean > 0) set_weight(state, mean);
    return set_stable(state);
  }
  state.next = times(measured, growth_);
  if (state.large == 0) {
    state.large = times(measured, 1 / min_change_rate_);
    state.large_from = state.weight;
  }
}

void Hdss::set_weight(Processor& state, double weight) {
  known_weight_.fetch_add(weight - state.weight, std::memory_order_relaxed);
  if (state.weight == 0) known_.fetch_add(1, std::memory_order_relaxed);
  state.weight = weight;
}

void Hdss::set_stable(Processor& state) {
  state.stable = true;
  state.next = state.last_taken;
  stable_.fetch_add(1, std::memory_order_relaxed);
}

void Hdss::retired(unsigned processor) {
  Processor& state = processors_[processor];
  if (state.gone) return;
  state.gone = true;
  if (state.weight > 0) {
    known_weight_.fetch_sub(state.weight, std::memory_order_relaxed);
    known_.fetch_sub(1, std::memory_order_relaxed);
  }
  if (state.stable) stable_.fetch_sub(1, std::memory_order_relaxed);
  live_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace starpath::loops
