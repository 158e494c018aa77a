// A regression tree: growing and asking.
#include "estimator/tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/pure/quartiles.hpp"

namespace starpath {
namespace {

constexpr std::size_t kLeastInLeaf = 4;

/// What is left of a sum of squares about the mean is this, less a sum that no split changes.
double explained(double sum, std::size_t count) { return sum * sum / static_cast<double>(count); }

}  // namespace

bool RegressionTree::Question::leads_left(const Features& features) const {
  if (parameter < Features::kMaxNumeric) return features.numeric[parameter] <= at;
  return features.categorical[parameter - Features::kMaxNumeric] == category;
}

/// Grows a tree from samples.
class RegressionTree::Growth {
 public:
  Growth(std::span<const SampleSet::Entry> samples, std::vector<Node>& nodes) : samples_(samples), nodes_(nodes) {
    for (const SampleSet::Entry& sample : samples) logs_.push_back(std::log(sample.seconds));
    std::vector<std::size_t> rows(samples.size());
    std::iota(rows.begin(), rows.end(), 0);
    // Sums must not depend on the order of samples.
    std::ranges::sort(rows, {}, [&](std::size_t row) { return logs_[row]; });
    if (!rows.empty()) grow(rows);
  }

 private:
  /// Returns the number of the node.
  std::size_t grow(std::span<std::size_t> rows) {
    const std::size_t number = nodes_.size();
    nodes_.push_back({.question = {}, .estimate = estimate_of(rows)});
    const std::optional<Question> question = best_question(rows);
    if (!question) return number;
    const auto right = std::ranges::stable_partition(
        rows, [&](std::size_t row) { return question->leads_left(samples_[row].features); });
    const std::size_t left_count = rows.size() - right.size();
    nodes_[number].question = *question;
    nodes_[number].left = grow(rows.first(left_count));
    nodes_[number].right = grow(rows.subspan(left_count));
    return number;
  }

  TimeEstimate estimate_of(std::span<const std::size_t> rows) const {
    std::vector<double> seconds;
    for (const std::size_t row : rows) seconds.push_back(samples_[row].seconds);
    TimeEstimate estimate{.seconds = median(std::span(seconds))};
    if (rows.size() < 2) return estimate;
    double squares = 0;
    for (const double each : seconds) squares += std::pow(each / estimate.seconds - 1, 2);
    estimate.error = std::sqrt(squares / static_cast<double>(rows.size() - 1));
    return estimate;
  }

  std::optional<Question> best_question(std::span<const std::size_t> rows) {
    if (rows.size() < 2 * kLeastInLeaf) return std::nullopt;
    sum_ = 0;
    for (const std::size_t row : rows) sum_ += logs_[row];
    best_ = explained(sum_, rows.size()) * (1 + 1e-12) + std::numeric_limits<double>::min();
    question_.reset();
    for (std::size_t d = 0; d < Features::kMaxNumeric; ++d) try_numeric(rows, d);
    for (std::size_t c = 0; c < Features::kMaxCategorical; ++c) try_categorical(rows, c);
    return question_;
  }

  void try_numeric(std::span<const std::size_t> rows, std::size_t parameter) {
    const auto value = [&](std::size_t row) { return samples_[row].features.numeric[parameter]; };
    const double first = value(rows.front());
    if (std::ranges::all_of(rows, [&](std::size_t row) { return value(row) == first; })) return;
    sorted_.clear();
    for (const std::size_t row : rows) sorted_.emplace_back(value(row), logs_[row]);
    std::ranges::sort(sorted_);
    double left = 0;
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
      left += sorted_[i - 1].second;
      if (sorted_[i - 1].first == sorted_[i].first) continue;
      offer(left, i, rows.size(),
            {.parameter = parameter, .at = std::midpoint(sorted_[i - 1].first, sorted_[i].first)});
    }
  }

  void try_categorical(std::span<const std::size_t> rows, std::size_t category) {
    std::map<std::int64_t, std::pair<double, std::size_t>> sums;
    for (const std::size_t row : rows) {
      auto& [sum, count] = sums[samples_[row].features.categorical[category]];
      sum += logs_[row];
      ++count;
    }
    for (const auto& [value, sum] : sums)
      offer(sum.first, sum.second, rows.size(), {.parameter = Features::kMaxNumeric + category, .category = value});
  }

  /// `left`: the sum of the logarithms of the `count` samples of `all` that the question leads to the left.
  void offer(double left, std::size_t count, std::size_t all, const Question& question) {
    if (count < kLeastInLeaf || all - count < kLeastInLeaf) return;
    const double here = explained(left, count) + explained(sum_ - left, all - count);
    if (here <= best_) return;
    best_ = here;
    question_ = question;
  }

  std::span<const SampleSet::Entry> samples_;
  std::vector<Node>& nodes_;
  std::vector<double> logs_;
  double sum_ = 0, best_ = 0;  // of the node that a question is sought for
  std::optional<Question> question_;
  std::vector<std::pair<double, double>> sorted_;  // value, logarithm
};

RegressionTree::RegressionTree(std::span<const SampleSet::Entry> samples) { Growth(samples, nodes_); }

std::optional<TimeEstimate> RegressionTree::estimate(const Features& features) const {
  if (nodes_.empty()) return std::nullopt;
  std::size_t at = 0;
  while (nodes_[at].left != 0) at = nodes_[at].question.leads_left(features) ? nodes_[at].left : nodes_[at].right;
  return nodes_[at].estimate;
}

bool TreeLearner::learn(std::span<const Sample> samples) {
  for (const Sample& sample : samples) {
    while (classes_.size() <= sample.device_class)
      classes_.push_back({.samples = SampleSet(capacity_, seed_ + classes_.size()), .tree = RegressionTree()});
    classes_[sample.device_class].samples.add(sample.features, sample.seconds, Scale{});
  }
  bool grown = false;
  for (Class& each : classes_) {
    const std::uint64_t offered = each.samples.offered();
    if (offered == each.grown_from || offered < each.grown_from + each.grown_from / 8) continue;
    each.tree = RegressionTree(each.samples.entries());
    each.grown_from = offered;
    grown = true;
  }
  return grown;
}

std::optional<TimeEstimate> TreeLearner::estimate(unsigned device_class, const Features& features) const {
  return device_class < classes_.size() ? classes_[device_class].tree.estimate(features) : std::nullopt;
}

}  // namespace starpath
