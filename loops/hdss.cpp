#include "loops/hdss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace starpath::loops {
namespace {

// A processor is an accelerator when its rate rises by so much with its blocks, and exceeds the mean of all by so much.
constexpr double least_gain = 1.25, least_lead = 1.5;

}  // namespace

Hdss::Hdss(const LoopSetup& given) {
  const LoopSetup setup = resolved(given);
  iterations_ = setup.iterations;
  max_adaptive_ = setup.max_adaptive;
  min_change_rate_ = setup.min_change_rate;
  guided_share_ = setup.guided_share;
  adaptive_limit_ = static_cast<std::size_t>(max_adaptive_ * static_cast<double>(iterations_));
  processors_ = std::vector<Processor>(setup.processors.size());
  live_ = static_cast<unsigned>(processors_.size());
  for (std::size_t i = 0; i < processors_.size(); ++i) {
    Processor& own = processors_[i];
    own.initial = own.next = own.last_taken = setup.processors[i].initial_block;
    own.factor = setup.processors[i].block_factor;
    if (setup.processors[i].known_rate == 0) continue;
    set_weight(own, setup.processors[i].known_rate);
    own.issued = points_for_fit;
    own.next = std::numeric_limits<std::size_t>::max();
  }
}

bool Hdss::adaptive(std::size_t left) const {
  return stable_.load(std::memory_order_relaxed) < live_.load(std::memory_order_relaxed) &&
         iterations_ - std::min(left, iterations_) < adaptive_limit_;
}

// Part of what is left that belongs to this processor; unknown weights count as the mean of the known ones.
double Hdss::share(const Processor& own, double weight) const {
  const double known = std::max(1U, known_.load(std::memory_order_relaxed));
  const double live = std::max(known, static_cast<double>(live_.load(std::memory_order_relaxed)));
  const double sum = std::max(weight, known_weight_.load(std::memory_order_relaxed) + weight - own.weight);
  return weight / (sum / known * live);
}

LargeBlocks Hdss::large_blocks(unsigned processor) const {
  const Processor& own = processors_[processor];
  if (own.planned == 0 || own.gone) return {};
  const double rate = own.stable ? own.weight : own.fit.curve().at(static_cast<double>(own.planned));
  const LargeBlocks large{own.planned, share(own, rate)};
  const bool leads = large.share * live_.load(std::memory_order_relaxed) >= least_lead;
  return rate >= least_gain * own.planned_from && leads ? large : LargeBlocks{};
}

std::size_t Hdss::size(unsigned processor, std::size_t left, std::size_t available) const {
  const Processor& own = processors_[processor];
  if (!adaptive(left)) {
    const double wanted = own.weight > 0 ? static_cast<double>(available) * guided_share_ * share(own, own.weight)
                                         : static_cast<double>(own.initial);
    return rounded_block(wanted, own.factor, available);
  }
  double wanted = static_cast<double>(own.next);
  if (own.weight > 0 && own.issued >= points_for_fit) {
    const double most = max_adaptive_ * static_cast<double>(available) * share(own, own.weight);
    wanted = std::min(wanted, std::max(most, static_cast<double>(own.last_taken)));
  }
  return rounded_block(wanted, own.factor, available);
}

void Hdss::taken(unsigned processor, std::size_t iterations) {
  Processor& own = processors_[processor];
  own.last_taken = iterations;
  ++own.issued;
  if (own.issued < points_for_fit && !own.stable) own.next = own.initial << own.issued;
}

void Hdss::finished(unsigned processor, std::size_t iterations, double microseconds) {
  Processor& own = processors_[processor];
  const double rate = static_cast<double>(iterations) / microseconds;
  if (own.stable || own.gone || !(microseconds > 0) || !std::isfinite(rate) || !(rate > 0)) return;
  if (iterations < own.last_measured) return;  // the end of the loop: small blocks say less
  const bool larger = iterations >= own.last_measured + own.last_measured / 2;  // the same again would prove nothing
  own.last_measured = iterations;
  const auto near = [&](double expected) { return std::abs(rate - expected) < min_change_rate_ * rate; };
  const double x = static_cast<double>(iterations);
  const bool confirmed = larger && own.weight > 0 && near(own.weight);
  const bool foretold = larger && own.fit.points() >= points_for_fit && near(own.fit.curve().at(x));
  own.fit.add(x, rate);
  set_weight(own, rate);
  if (confirmed || foretold)
    set_stable(own);
  else
    plan_next(own, iterations);
}

void Hdss::plan_next(Processor& own, std::size_t measured) {
  if (own.fit.points() < points_for_fit) {
    if (own.issued >= points_for_fit)
      own.next = own.last_taken;  // asked ahead of the measurements, or began from a known rate
    return;
  }
  const double steps = 1 / min_change_rate_;
  const LogFit::Curve curve = own.fit.curve();
  const bool rises = curve.a * std::log(steps) >= min_change_rate_ * own.weight && curve.a > 3 * own.fit.slope_error();
  if (!rises) {  // what differs from block to block is noise
    if (const double mean = curve.at(static_cast<double>(measured)); mean > 0) set_weight(own, mean);
    return set_stable(own);
  }
  const double next = static_cast<double>(measured) * steps;
  own.next = next < 1e18 ? static_cast<std::size_t>(next) : std::numeric_limits<std::size_t>::max();
  if (own.planned == 0) {
    own.planned = own.next;
    own.planned_from = own.weight;
  }
}

void Hdss::set_weight(Processor& own, double weight) {
  known_weight_.fetch_add(weight - own.weight, std::memory_order_relaxed);
  if (own.weight == 0) known_.fetch_add(1, std::memory_order_relaxed);
  own.weight = weight;
}

void Hdss::set_stable(Processor& own) {
  own.stable = true;
  own.next = own.last_taken;
  stable_.fetch_add(1, std::memory_order_relaxed);
}

void Hdss::retired(unsigned processor) {
  Processor& own = processors_[processor];
  if (own.gone) return;
  own.gone = true;
  if (own.weight > 0) {
    known_weight_.fetch_sub(own.weight, std::memory_order_relaxed);
    known_.fetch_sub(1, std::memory_order_relaxed);
  }
  if (own.stable) stable_.fetch_sub(1, std::memory_order_relaxed);
  live_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace starpath::loops
