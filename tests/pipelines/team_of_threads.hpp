// A team whose members are threads in place of processes.
#pragma once
#include <algorithm>
#include <barrier>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "pipelines/clustering/kmeans.hpp"

namespace starpath::test {

/// What they share.
struct SharedSums {
  explicit SharedSums(int members) : barrier(members) {}
  std::barrier<> barrier;
  std::mutex mutex;
  std::vector<std::int64_t> sums;
};

class TeamOfThreads final : public Team {
 public:
  explicit TeamOfThreads(SharedSums& shared) : shared_(shared) {}

  void together(const std::function<void()>& part) override {
    std::exception_ptr failure;
    try {
      part();
    } catch (...) {
      failure = std::current_exception();
    }
    std::vector<std::int64_t> failures{failure ? 1 : 0};
    sum(failures);
    if (failure) std::rethrow_exception(failure);
    if (failures[0] > 0) throw Stopped();
  }
  void together_to_the_end(const std::function<void()>& part) override { together(part); }
  void sum(std::span<std::int64_t> values) override {
    {
      const std::lock_guard lock(shared_.mutex);
      shared_.sums.resize(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) shared_.sums[i] += values[i];
    }
    shared_.barrier.arrive_and_wait();
    std::copy_n(shared_.sums.begin(), values.size(), values.begin());
    shared_.barrier.arrive_and_wait();
    {
      const std::lock_guard lock(shared_.mutex);
      shared_.sums.clear();
    }
    shared_.barrier.arrive_and_wait();
  }

 private:
  SharedSums& shared_;
};

/// Runs work(member, team) for each member of a team on a thread of its own.
template <class Work>
void as_team(int members, const Work& work) {
  SharedSums shared(members);
  std::vector<std::jthread> threads;
  for (int member = 0; member < members; ++member)
    threads.emplace_back([&, member] {
      TeamOfThreads team(shared);
      work(member, team);
    });
}

}  // namespace starpath::test
