// Objects of one number, by runs of pixels.
#include "pipelines/segmentation/instance_labels.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace starpath {
namespace {

struct Run {
  std::int32_t y, x0, x1;  // x1 one past the last pixel
  std::int32_t number;
};

/// An object of runs that touch, and how many pairs of them do.
struct Instance {
  std::int32_t x0, y0, x1, y1;
  std::int64_t area = 0;
  std::int64_t runs = 0, touching = 0;
  std::int32_t number;
  std::int32_t label = 0;  // 0: none

  /// Runs are simply connected, and so is what two of them share: Euler's number is runs - pairs.
  bool has_holes() const { return touching > runs - 1; }
};

std::vector<Run> runs_of(View<const std::int32_t> numbers) {
  std::vector<Run> runs;
  for (std::int32_t y = 0; y < numbers.height; ++y) {
    const std::int32_t* row = numbers.row(y);
    for (std::int32_t x = 0, end = 0; x < numbers.width; x = end) {
      end = x + 1;
      while (end < numbers.width && row[end] == row[x]) ++end;
      if (row[x] != 0) runs.push_back({y, x, end, row[x]});
    }
  }
  return runs;
}

class Objects {
 public:
  explicit Objects(View<const std::int32_t> numbers) : runs_(runs_of(numbers)), parent_(runs_.size()) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    const auto touch = [&](const auto& take) {
      for (std::size_t i = 0, j = 0; i < runs_.size(); ++i) {
        while (j < i && (runs_[j].y < runs_[i].y - 1 || (runs_[j].y == runs_[i].y - 1 && runs_[j].x1 < runs_[i].x0)))
          ++j;
        for (std::size_t k = j; k < i && runs_[k].y == runs_[i].y - 1 && runs_[k].x0 <= runs_[i].x1; ++k)
          if (runs_[k].number == runs_[i].number) take(i, k);
      }
    };
    touch([&](std::size_t i, std::size_t k) { join(i, k); });
    of_run_.resize(runs_.size());
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const Run& run = runs_[i];
      const std::size_t root = root_of(i);  // the first of its runs
      if (root == i) {
        of_run_[i] = all_.size();
        all_.push_back({run.x0, run.y, run.x1, run.y + 1, 0, 0, 0, run.number, 0});
      }
      Instance& instance = all_[of_run_[i] = of_run_[root]];
      instance.x0 = std::min(instance.x0, run.x0);
      instance.x1 = std::max(instance.x1, run.x1);
      instance.y1 = run.y + 1;
      instance.area += run.x1 - run.x0;
      ++instance.runs;
    }
    touch([&](std::size_t i, std::size_t) { ++all_[of_run_[i]].touching; });
  }

  /// In raster order of their first pixels.
  std::vector<Instance>& all() { return all_; }
  /// Calls paint(run, instance) for every run.
  template <class Paint>
  void for_each_run(const Paint& paint) const {
    for (std::size_t i = 0; i < runs_.size(); ++i) paint(runs_[i], all_[of_run_[i]]);
  }

 private:
  std::size_t root_of(std::size_t run) {
    while (parent_[run] != run) run = parent_[run] = parent_[parent_[run]];
    return run;
  }
  void join(std::size_t a, std::size_t b) {
    a = root_of(a);
    b = root_of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

  std::vector<Run> runs_;
  std::vector<std::size_t> parent_, of_run_;
  std::vector<Instance> all_;
};

/// Gives the instance what it encloses. Returns whether that were pixels of others.
bool fill(const Instance& instance, View<std::int32_t> labels) {
  const std::int32_t width = instance.x1 - instance.x0 + 2, height = instance.y1 - instance.y0 + 2;
  enum : std::uint8_t { unseen, own, outside };
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), unseen);
  for (std::int32_t y = instance.y0; y < instance.y1; ++y)
    for (std::int32_t x = instance.x0; x < instance.x1; ++x)
      if (labels.at(x, y) == instance.label)
        seen[static_cast<std::size_t>((y - instance.y0 + 1) * width + x - instance.x0 + 1)] = own;
  std::vector<std::int32_t> next = {0};
  seen[0] = outside;
  while (!next.empty()) {
    const std::int32_t at = next.back(), x = at % width, y = at / width;
    next.pop_back();
    const auto go = [&](bool inside, std::int32_t to) {
      if (!inside || seen[static_cast<std::size_t>(to)] != unseen) return;
      seen[static_cast<std::size_t>(to)] = outside;
      next.push_back(to);
    };
    go(x > 0, at - 1);
    go(x + 1 < width, at + 1);
    go(y > 0, at - width);
    go(y + 1 < height, at + width);
  }
  bool took = false;
  for (std::int32_t y = instance.y0; y < instance.y1; ++y)
    for (std::int32_t x = instance.x0; x < instance.x1; ++x) {
      if (seen[static_cast<std::size_t>((y - instance.y0 + 1) * width + x - instance.x0 + 1)] != unseen) continue;
      took = took || labels.at(x, y) != 0;
      labels.at(x, y) = instance.label;
    }
  return took;
}

}  // namespace

std::int32_t label_instances(View<const std::int32_t> numbers, const InstanceLimits& limits,
                             View<std::int32_t> labels) {
  Objects objects(numbers);
  for (bool again = false;; again = true) {
    if (again) objects = Objects(labels);
    std::int32_t count = 0;
    for (Instance& instance : objects.all()) {
      const bool fits = std::max(instance.x1 - instance.x0, instance.y1 - instance.y0) <= limits.longest &&
                        instance.area >= limits.min_area && instance.area < limits.max_area;
      if (again || fits) instance.label = ++count;
    }
    for (int y = 0; y < labels.height; ++y) std::fill_n(labels.row(y), labels.width, 0);
    objects.for_each_run([&](const Run& run, const Instance& instance) {
      std::fill(labels.row(run.y) + run.x0, labels.row(run.y) + run.x1, instance.label);
    });
    bool took = false;
    for (const Instance& instance : objects.all())
      if (instance.label != 0 && instance.has_holes()) took = fill(instance, labels) || took;
    if (!took) return count;
  }
}

}  // namespace starpath
