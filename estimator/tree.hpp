// A regression tree: execution times from finished tasks that fall into the same part of the space of parameters.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "estimator/learner.hpp"
#include "estimator/sample_set.hpp"

namespace starpath {

/// A tree of questions about one parameter each, like "width <= 512?", which a task answers on its way to a leaf. Each
/// question is the one that leaves the least sum of squares of the logarithms of seconds around their means on its two
/// sides (CART; Breiman, Friedman, Olshen and Stone, 1984). Equal samples in any order give the same tree.
class RegressionTree {
 public:
  /// Of no samples: knows nothing. Takes O(d n log n) for each level, for n samples of d parameters.
  explicit RegressionTree(std::span<const SampleSet::Entry> samples = {});

  /// The median of the samples in the task's leaf; their standard deviation about it is its error.
  std::optional<TimeEstimate> estimate(const Features& features) const;

 private:
  /// Tasks whose parameter is at most `at`, or whose category is `category`, go to the left.
  struct Question {
    std::size_t parameter = 0;  // from kMaxNumeric on: a category
    double at = 0;
    std::int64_t category = 0;

    bool leads_left(const Features& features) const;
  };
  struct Node {
    Question question;
    std::size_t left = 0, right = 0;  // 0: this is a leaf
    TimeEstimate estimate;
  };
  class Growth;

  std::vector<Node> nodes_;
};

/// A tree for each device class. It is grown again whenever there are an eighth more samples than when it was grown.
class TreeLearner : public Learner {
 public:
  /// `capacity`: samples kept a class; `seed`: of their choice.
  TreeLearner(std::size_t capacity, std::uint64_t seed) : capacity_(capacity), seed_(seed) {}

  bool learn(std::span<const Sample> samples) override;
  std::optional<TimeEstimate> estimate(unsigned device_class, const Features& features) const override;

 private:
  struct Class {
    SampleSet samples;
    std::uint64_t grown_from = 0;  // so many had been offered
    RegressionTree tree;
  };

  std::size_t capacity_;
  std::uint64_t seed_;
  std::vector<Class> classes_;
};

}  // namespace starpath
