// Folds and votes.
#include "pipelines/nbia/cross_validation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "base/pure/conformal_range.hpp"
#include "codelets/kernels/kernel_context.hpp"
#include "pipelines/nbia/decision.hpp"

namespace starpath {
namespace {

using Folds = std::vector<std::size_t>;  // the fold of each sample

/// Groups are dealt to the folds in turn, in the order of their first samples.
template <class GroupOf>
Folds deal(const std::vector<TrainingSample>& samples, const GroupOf& group_of) {
  std::map<std::pair<std::string, std::string>, std::size_t> numbers;
  Folds folds;
  for (const TrainingSample& sample : samples)
    folds.push_back(numbers.try_emplace(group_of(sample), numbers.size()).first->second % kNbiaFolds);
  return folds;
}

Folds deal_fields(const std::vector<TrainingSample>& samples) {
  Folds folds;
  for (std::size_t i = 0; i < samples.size(); ++i) folds.push_back(i % kNbiaFolds);
  return folds;
}

std::size_t fold_count(const Folds& folds) { return *std::max_element(folds.begin(), folds.end()) + 1; }

/// Whether the others of every fold can vote, and have a choice.
bool can_vote(const std::vector<TrainingSample>& samples, const Folds& folds) {
  for (std::size_t fold = 0; fold < fold_count(folds); ++fold) {
    std::array<int, 3> others{};
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (folds[i] != fold) ++others[static_cast<std::size_t>(samples[i].label)];
    const int rich = others[static_cast<std::size_t>(NbiaLabel::stroma_rich)],
              poor = others[static_cast<std::size_t>(NbiaLabel::stroma_poor)];
    if (rich == 0 || poor == 0 || rich + poor < kNbiaNeighbours) return false;
  }
  return true;
}

std::pair<std::string, Folds> choose_folds(const std::vector<TrainingSample>& samples) {
  using Group = std::pair<std::string, std::string>;
  Folds folds = deal(samples, [](const TrainingSample& s) { return Group(s.origin.image, ""); });
  if (can_vote(samples, folds)) return {"image", std::move(folds)};
  const bool parts = std::all_of(samples.begin(), samples.end(), [](const auto& s) { return !s.origin.part.empty(); });
  folds = deal(samples, [](const TrainingSample& s) { return Group(s.origin.image, s.origin.part); });
  if (parts && can_vote(samples, folds)) return {"annotation", std::move(folds)};
  return {"field", deal_fields(samples)};
}

}  // namespace

CrossValidation cross_validate(const std::vector<TrainingSample>& samples, const std::vector<int>& sides) {
  const auto [by, folds] = choose_folds(samples);
  CrossValidation result{by, std::vector(sides.size(), std::vector<NbiaVote>(samples.size()))};
  Scratch scratch;
  for (std::size_t fold = 0; fold < fold_count(folds); ++fold) {
    std::vector<const TrainingSample*> others;
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (folds[i] != fold) others.push_back(&samples[i]);
    for (std::size_t number = 0; number < sides.size(); ++number) {
      const NbiaLevel level = make_level(others, number, sides[number]);
      for (std::size_t i = 0; i < samples.size(); ++i) {
        if (folds[i] != fold) continue;
        const Scratch::Mark mark(scratch);
        cpu::nbia_classify({scratch}, samples[i].counts[number], level.samples(), &result.votes[number][i]);
      }
    }
  }
  return result;
}

double nbia_false_alarms(std::size_t samples) { return conformal_chance(samples); }

std::int32_t nbia_range(const std::vector<NbiaVote>& votes) {
  std::vector<std::int32_t> distances;
  for (const NbiaVote& vote : votes) distances.push_back(vote.distance);
  return conformal_range(std::move(distances));
}

NbiaValidation validate_level(const std::vector<TrainingSample>& samples, const std::vector<NbiaVote>& votes,
                              const std::vector<NbiaVote>& last) {
  NbiaValidation validation;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const bool right = votes[i].label == samples[i].label;
    ++validation.fields;
    validation.right += right;
    if (!is_accepted(votes[i])) continue;
    ++validation.decided;
    validation.decided_right += right;
    validation.last_right += last[i].label == samples[i].label;
  }
  return validation;
}

bool is_supported(const NbiaValidation& validation) {
  return validation.decided > 0 && validation.decided_right >= validation.last_right;
}

}  // namespace starpath
