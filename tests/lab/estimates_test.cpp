// What a scheduler is told of each task's time.
#include "lab/estimates.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "tests/lab/models.hpp"

namespace starpath::lab {
namespace {

TEST(Estimates, AreWhatTheyAreCalled) {
  WorkloadModel model = workload("segmentation");
  set_parameter(model, "tiles", 20);
  const LabMachine host = machine("stampede");
  const Workload tasks = make_workload(model, host, 5);
  const auto mean_error = [&](const char* name) {
    const auto estimates = make_estimates(parse_estimator(name), tasks, model, host, 5);
    double sum = 0;
    unsigned count = 0;
    for (std::size_t i = 0; i < tasks.tasks.size(); ++i)
      for (std::size_t c = 0; c < host.classes(); ++c) {
        const double truth = tasks.tasks[i].seconds[c];
        if (!std::isfinite(truth)) continue;
        sum += std::abs(estimates[i][c] / truth - 1);
        ++count;
      }
    return sum / count;
  };
  EXPECT_EQ(mean_error("exact"), 0);
  EXPECT_NEAR(mean_error("error:25"), 0.25, 1e-9);
  // Nearest neighbours know the content of a tile, history its size only; neither knows the task itself.
  const double knn = mean_error("knn"), history = mean_error("history");
  EXPECT_GT(knn, 0.05);
  EXPECT_LT(knn, history);
  EXPECT_LT(history, 0.6);
}

TEST(Estimates, LognormalErrorsHaveTheirSigma) {
  const WorkloadModel model = workload("segmentation");
  const LabMachine host = machine("stampede");
  const Workload tasks = make_workload(model, host, 5);
  const auto estimates = make_estimates(parse_estimator("sigma:0.3"), tasks, model, host, 5);
  double sum = 0, squares = 0, count = 0;
  for (std::size_t i = 0; i < tasks.tasks.size(); ++i)
    for (std::size_t c = 0; c < host.classes(); ++c) {
      const double truth = tasks.tasks[i].seconds[c];
      EXPECT_EQ(std::isfinite(truth), std::isfinite(estimates[i][c]));
      if (!std::isfinite(truth)) continue;
      const double error = std::log(estimates[i][c] / truth);
      sum += error;
      squares += error * error;
      ++count;
    }
  EXPECT_NEAR(sum / count, 0, 0.02);
  EXPECT_NEAR(std::sqrt(squares / count), 0.3, 0.02);
  EXPECT_EQ(estimates, make_estimates(parse_estimator("sigma:0.3"), tasks, model, host, 5));
  EXPECT_NE(estimates, make_estimates(parse_estimator("sigma:0.3"), tasks, model, host, 6));
}

TEST(Estimates, ConfoundingMovesSpeedupsTowardsEachOther) {
  WorkloadModel model = even("segmentation");
  set_parameter(model, "tiles", 2);
  const LabMachine host = machine("keeneland");
  const Workload tasks = make_workload(model, host, 1);
  const auto estimates = make_estimates(parse_estimator("confound:60"), tasks, model, host, 1);
  for (std::size_t i = 0; i < tasks.tasks.size(); ++i) {
    const WorkTask& task = tasks.tasks[i];
    if (!std::isfinite(task.seconds[1])) continue;
    const double change = task.seconds[1] / estimates[i][1];
    const std::string& kind = tasks.kinds[task.kind];
    const bool gains_little =
        kind == "morph_open" || kind == "area_threshold" || kind == "fill_holes" || kind == "bwlabel";
    EXPECT_NEAR(change, gains_little ? 1.6 : 0.4, 1e-9) << kind;
  }
}

TEST(Estimates, BadNamesAreErrors) {
  for (const char* name : {"oracle", "error", "error:", "error:101", "error:x", "confound:-1", "sigma:", "sigma:-1",
                           "sigma:6", "sigma:x", "knn:3"})
    EXPECT_THROW(parse_estimator(name), Error) << name;
}

}  // namespace
}  // namespace starpath::lab
