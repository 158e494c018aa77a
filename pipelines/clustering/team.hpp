// The processes that cluster together, each with a part of the points.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/stopped.hpp"

namespace starpath {

/// Every process makes the same calls in the same order. For one thread.
class Team {
 public:
  virtual ~Team() = default;
  /// Does this process's part, and waits until all have done theirs. When one throws, all throw: this one rethrows its
  /// own error, the others Stopped, as when one of them is told to stop.
  virtual void together(const std::function<void()>& part) = 0;
  /// The same for work that must not be left half done: a stop comes too late.
  virtual void together_to_the_end(const std::function<void()>& part) = 0;
  /// Makes each value the sum of the values of all processes in its place; as many on each.
  virtual void sum(std::span<std::int64_t> values) = 0;
};

/// One process, which has all points.
class Alone final : public Team {
 public:
  /// It stops once `stop` is true.
  explicit Alone(const std::atomic<bool>& stop) : stop_(stop) {}

  void together(const std::function<void()>& part) override {
    part();
    if (stop_) throw Stopped();
  }
  void together_to_the_end(const std::function<void()>& part) override { part(); }
  void sum(std::span<std::int64_t>) override {}

 private:
  const std::atomic<bool>& stop_;
};

/// Gives every process all values. Each is set by one process, and all bits zero on the others.
template <class Value>
void unite(Team& team, std::vector<Value>& values) {
  static_assert(std::is_trivially_copyable_v<Value>);
  const std::size_t bytes = values.size() * sizeof(Value);
  std::vector<std::int64_t> words((bytes + sizeof(std::int64_t) - 1) / sizeof(std::int64_t));
  if (words.empty()) return;
  std::memcpy(words.data(), values.data(), bytes);
  team.sum(words);
  std::memcpy(values.data(), words.data(), bytes);
}

}  // namespace starpath
