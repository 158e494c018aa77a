// The schedules that HDSS is compared with, in the same form.
#pragma once
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "loops/schedule.hpp"

namespace starpath::loops {

/// Guided self-scheduling: left / processors (hdss-2013 equation 1).
class Guided final : public Schedule {
 public:
  explicit Guided(const LoopSetup& setup);
  std::size_t size(unsigned processor, std::size_t left, std::size_t available) const override;
  void retired(unsigned processor) override;

 private:
  std::vector<std::size_t> factors_;
  std::atomic<std::size_t> live_;
};

/// One block a processor, in proportion to given weights. Shares of retired processors go to processors that ask again.
/// Every processor must fetch or retire, or its share is never run.
class Static final : public Schedule {
 public:
  /// One weight a processor. Throws std::invalid_argument unless all are finite, none is negative and one is above 0.
  Static(const LoopSetup& setup, std::span<const double> weights);
  std::size_t size(unsigned processor, std::size_t left, std::size_t available) const override;
  void taken(unsigned processor, std::size_t iterations) override;
  void returned(std::size_t iterations) override;
  void retired(unsigned processor) override;

 private:
  std::vector<std::atomic<std::size_t>> owed_;
  std::atomic<std::size_t> orphaned_{0};
};

/// Blocks that grow with each request of a processor (hdss-2013 section 4.3, after Tse et al.): the Monte-Carlo rivals.
class LinearIncrement final : public Schedule {
 public:
  explicit LinearIncrement(const LoopSetup& setup);
  std::size_t size(unsigned processor, std::size_t left, std::size_t available) const override;
  void taken(unsigned processor, std::size_t iterations) override;

 private:
  struct alignas(64) Processor {
    std::size_t next = 0;
    std::size_t step = 0;
  };
  std::vector<Processor> processors_;
};

class ExponentialIncrement final : public Schedule {
 public:
  explicit ExponentialIncrement(const LoopSetup& setup, double growth = 2);
  std::size_t size(unsigned processor, std::size_t left, std::size_t available) const override;
  void taken(unsigned processor, std::size_t iterations) override;

 private:
  struct alignas(64) Processor {
    double next = 0;
    std::size_t factor = 0;
  };
  std::vector<Processor> processors_;
  double growth_;
};

/// Weights of Static from the known rates of a setup; a processor without one counts as the mean of the others.
std::vector<double> known_weights(const LoopSetup& setup);

}  // namespace starpath::loops
