// Whether an accelerator takes the policy's choice or a task whose data it already has.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

namespace starpath {

/// What the choice compares of a task.
struct ReuseOffer {
  std::optional<double> speedup;  ///< on the asking accelerator; nullopt: not known
  std::size_t bytes = 0;          ///< of its input that the accelerator's memory holds
  int priority = 0;
  std::uint64_t sequence = 0;  ///< order of arrival
};

/// Of two tasks that reuse data, whether `a` is the better: the larger speedup if both are known, then more bytes, then
/// the older.
inline bool better_reuse(const ReuseOffer& a, const ReuseOffer& b) {
  if (a.speedup && b.speedup && *a.speedup != *b.speedup) return *a.speedup > *b.speedup;
  return a.bytes != b.bytes ? a.bytes > b.bytes : a.sequence < b.sequence;
}

/// Whether `dependent`, which reuses data, goes before `queued`, the policy's choice. It does when
/// S_d >= S_q * (1 - transfer_impact), or when either speedup is unknown. But a queued task goes first if it reuses as
/// many bytes, or if its priority is higher. `transfer_impact`, 0 to 1, is the share of a task's time that transfers
/// take.
/// Source: hybrid-pipelines-2012 section IV-C. The rules for bytes and priorities are ours.
inline bool prefers_reuse(const ReuseOffer& dependent, const ReuseOffer& queued, double transfer_impact) {
  if (dependent.bytes <= queued.bytes || dependent.priority < queued.priority) return false;
  if (!dependent.speedup || !queued.speedup) return true;
  return *dependent.speedup >= *queued.speedup * (1 - transfer_impact);
}

}  // namespace starpath
