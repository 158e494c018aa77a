#include "loops/rivals.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace starpath::loops {
namespace {

// Never below 0: two processors may count on the same rest, and each then gets a part of it.
void subtract(std::atomic<std::size_t>& from, std::size_t amount) {
  std::size_t had = from.load();
  while (!from.compare_exchange_weak(had, had - std::min(had, amount))) {
  }
}

}  // namespace

Guided::Guided(const LoopSetup& given) : live_(given.processors.size()) {
  for (const ProcessorSetup& processor : resolved(given).processors) factors_.push_back(processor.block_factor);
}

std::size_t Guided::size(unsigned processor, std::size_t, std::size_t available) const {
  const auto live = static_cast<double>(std::max<std::size_t>(1, live_.load(std::memory_order_relaxed)));
  return rounded_block(std::ceil(static_cast<double>(available) / live), factors_[processor], available);
}

void Guided::retired(unsigned) { subtract(live_, 1); }

Static::Static(const LoopSetup& given, std::span<const double> weights) : owed_(given.processors.size()) {
  const LoopSetup setup = resolved(given);
  if (weights.size() != owed_.size()) throw std::invalid_argument("a static schedule needs one weight a processor");
  long double sum = 0;
  for (const double weight : weights) {
    if (!std::isfinite(weight) || weight < 0)
      throw std::invalid_argument("a weight of a static schedule is not a finite number from 0 on");
    sum += weight;
  }
  if (!(sum > 0))
    throw std::invalid_argument("all weights of a static schedule are 0: one processor at least must run");
  std::size_t begin = 0;
  long double reached = 0;
  for (std::size_t i = 0; i < owed_.size(); ++i) {
    reached += weights[i];
    const std::size_t factor = setup.processors[i].block_factor;
    auto end = static_cast<std::size_t>(static_cast<long double>(setup.iterations) * (reached / sum));
    end = i + 1 == owed_.size() ? setup.iterations : std::min(end - end % factor, setup.iterations);
    owed_[i] = end > begin ? end - begin : 0;
    begin = std::max(begin, end);
  }
}

std::size_t Static::size(unsigned processor, std::size_t, std::size_t available) const {
  const std::size_t owed = owed_[processor];
  return std::min(owed > 0 ? owed : orphaned_.load(), available);
}

void Static::taken(unsigned processor, std::size_t iterations) {
  subtract(owed_[processor] > 0 ? owed_[processor] : orphaned_, iterations);
}

void Static::returned(std::size_t iterations) { orphaned_ += iterations; }

void Static::retired(unsigned processor) { orphaned_ += owed_[processor].exchange(0); }

LinearIncrement::LinearIncrement(const LoopSetup& given) : processors_(given.processors.size()) {
  const LoopSetup setup = resolved(given);
  for (std::size_t i = 0; i < processors_.size(); ++i)
    processors_[i] = {setup.processors[i].initial_block, setup.processors[i].initial_block};
}

std::size_t LinearIncrement::size(unsigned processor, std::size_t, std::size_t available) const {
  return std::min(processors_[processor].next, available);
}

void LinearIncrement::taken(unsigned processor, std::size_t) {
  processors_[processor].next += processors_[processor].step;
}

ExponentialIncrement::ExponentialIncrement(const LoopSetup& given, double growth)
    : processors_(given.processors.size()), growth_(growth) {
  if (!(growth >= 1)) throw std::invalid_argument("blocks of an exponential schedule grow by a factor from 1 on");
  const LoopSetup setup = resolved(given);
  for (std::size_t i = 0; i < processors_.size(); ++i)
    processors_[i] = {static_cast<double>(setup.processors[i].initial_block), setup.processors[i].block_factor};
}

std::size_t ExponentialIncrement::size(unsigned processor, std::size_t, std::size_t available) const {
  return rounded_block(processors_[processor].next, processors_[processor].factor, available);
}

void ExponentialIncrement::taken(unsigned processor, std::size_t) { processors_[processor].next *= growth_; }

std::vector<double> known_weights(const LoopSetup& given) {
  const LoopSetup setup = resolved(given);
  double sum = 0, known = 0;
  for (const ProcessorSetup& processor : setup.processors) {
    sum += processor.known_rate;
    known += processor.known_rate > 0 ? 1 : 0;
  }
  std::vector<double> weights;
  for (const ProcessorSetup& processor : setup.processors)
    weights.push_back(processor.known_rate > 0 ? processor.known_rate : known > 0 ? sum / known : 1.0);
  return weights;
}

}  // namespace starpath::loops
