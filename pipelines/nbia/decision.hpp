// The decision of NBIA about a field, and when the next level is needed. Pure.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "codelets/kernels/nbia_classify.hpp"
#include "pipelines/nbia/model.hpp"

namespace starpath {

struct NbiaDecision {
  NbiaLabel label;
  int votes;            // 8 to 15; 0 for background
  double p_value;       // NaN for background
  int level;            // side of the level that decided, pixels
  bool low_confidence;  // the vote was not accepted, but there was no other level to ask
  double distance;      // root of the mean squared distance to the neighbours, in deviations; NaN for background
  bool out_of_range;    // that is more than the level's range: the field is unlike those the model was trained on
};

/// True when a vote needs no second look: background, or a binomial test below nbia_significance.
constexpr bool is_accepted(const NbiaVote& vote) {
  return vote.label == NbiaLabel::background || nbia_p_value(vote.votes) < kNbiaSignificance;
}

/// Without a `range` no field is outside it.
inline NbiaDecision decision_of(const NbiaVote& vote, int level, std::optional<std::int32_t> range = {}) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const bool background = vote.label == NbiaLabel::background;
  return {vote.label,
          vote.votes,
          background ? none : nbia_p_value(vote.votes),
          level,
          !is_accepted(vote),
          background ? none : std::sqrt(static_cast<double>(vote.distance)) / kNbiaZUnit,
          !background && range && vote.distance > *range};
}

/// No forced recalculation: the classifier decides.
inline constexpr double kFreeRecalculation = -1;

/// Whether field `index` is computed again at the level after `level` (counted from 0), which is not the last. A `rate`
/// of 0 to 1 forces that share of the fields at every level, independent of the votes (anthill-2010, section 6.3).
/// Multiples of the golden ratio spread the chosen fields evenly. A field chosen at one level was chosen at the level
/// before.
inline bool is_recalculated(const NbiaVote& vote, std::int64_t index, int level, double rate) {
  if (rate < 0) return !is_accepted(vote);
  const std::uint64_t place = static_cast<std::uint64_t>(index) * 0x9e3779b97f4a7c15U;
  double share = rate;
  for (int i = 0; i < level; ++i) share *= rate;
  return static_cast<double>(place >> 11) * 0x1p-53 < share;
}

/// The decision by the vote on field `index` at a level of the model (counted from 0). Nullopt when the field is
/// computed again at the next level; `rate` as for is_recalculated.
inline std::optional<NbiaDecision> decide(const NbiaVote& vote, const NbiaModel& model, std::int64_t index,
                                          std::size_t level, double rate) {
  const bool last = level + 1 == model.levels.size();
  if (!last && is_recalculated(vote, index, static_cast<int>(level), rate)) return std::nullopt;
  return decision_of(vote, model.levels[level].side, model.levels[level].range);
}

}  // namespace starpath
