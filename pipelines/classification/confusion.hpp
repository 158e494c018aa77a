// Truth against what a classifier says. Pure.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace starpath {

/// Counts by true class and said class, both numbers from 0. Shares of nothing are NaN.
class Confusion {
 public:
  explicit Confusion(std::size_t classes = 0) : classes_(classes), counts_(classes * classes) {}

  void add(std::size_t truth, std::size_t said, std::int64_t count = 1) { counts_[truth * classes_ + said] += count; }
  /// Adds the counts of another one with the same classes.
  Confusion& operator+=(const Confusion& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    return *this;
  }
  std::size_t classes() const { return classes_; }
  std::int64_t count(std::size_t truth, std::size_t said) const { return counts_[truth * classes_ + said]; }
  std::int64_t of_truth(std::size_t truth) const {
    std::int64_t sum = 0;
    for (std::size_t said = 0; said < classes_; ++said) sum += count(truth, said);
    return sum;
  }
  std::int64_t said(std::size_t said) const {
    std::int64_t sum = 0;
    for (std::size_t truth = 0; truth < classes_; ++truth) sum += count(truth, said);
    return sum;
  }
  std::int64_t total() const {
    std::int64_t sum = 0;
    for (const std::int64_t count : counts_) sum += count;
    return sum;
  }
  std::int64_t right() const {
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < classes_; ++c) sum += count(c, c);
    return sum;
  }

  /// Share of those of a class that are said to be.
  double recall(std::size_t c) const { return share(count(c, c), of_truth(c)); }
  /// Share of those said to be of a class that are.
  double precision(std::size_t c) const { return share(count(c, c), said(c)); }
  double accuracy() const { return share(right(), total()); }
  /// The mean recall of the classes that are there.
  double balanced_accuracy() const {
    double sum = 0;
    int there = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (of_truth(c) == 0) continue;
      sum += recall(c);
      ++there;
    }
    return there > 0 ? sum / there : std::numeric_limits<double>::quiet_NaN();
  }
  /// Its standard error, as if nuclei were drawn one by one.
  double balanced_error() const {
    double variance = 0;
    for (std::size_t c = 0; c < classes_; ++c)
      if (of_truth(c) > 0) variance += recall(c) * (1 - recall(c)) / static_cast<double>(of_truth(c));
    return present() > 0 ? std::sqrt(variance) / static_cast<double>(present())
                         : std::numeric_limits<double>::quiet_NaN();
  }
  /// The accuracy of who always says the most frequent class. Its balanced accuracy is 1 / present().
  double majority() const {
    std::int64_t most = 0;
    for (std::size_t c = 0; c < classes_; ++c) most = std::max(most, of_truth(c));
    return share(most, total());
  }
  /// How many classes are there.
  std::size_t present() const {
    std::size_t there = 0;
    for (std::size_t c = 0; c < classes_; ++c) there += of_truth(c) > 0;
    return there;
  }
  friend bool operator==(const Confusion&, const Confusion&) = default;

 private:
  static double share(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole)
                     : std::numeric_limits<double>::quiet_NaN();
  }

  std::size_t classes_;
  std::vector<std::int64_t> counts_;
};

}  // namespace starpath
