// What a tile's operations counted, as the estimator sees it.
#include <gtest/gtest.h>
#include <starpu.h>

#include <set>
#include <string>

#include "codelets/starpu/codelets.hpp"
#include "pipelines/nbia/stage_graph.hpp"
#include "pipelines/segmentation/stage_graph.hpp"
#include "pipelines/survey/stage_graph.hpp"
#include "sched_policies/starpu/task_features.hpp"

namespace starpath {
namespace {

/// A task of `codelet` that is not submitted, and what its argument points to.
struct FactsOfATask {
  explicit FactsOfATask(starpu_codelet& codelet) {
    task.cl = &codelet;
    task.cl_arg = &arguments;
  }
  TaskStatus status;
  TileFacts facts;
  TaskArguments arguments{&status, {}, &facts};
  starpu_task task{};
};

TEST(TileFacts, ThatACodeletDeclaresReachTheEstimator) {
  FactsOfATask measured(codelets::texture_features);
  measured.facts.set(Fact::nuclei, 12);
  measured.facts.set(Fact::patch_pixels, 34567);
  const auto features = task_features(measured.task, 0).features;
  ASSERT_TRUE(features);
  EXPECT_EQ(feature_names(measured.task).numeric, (std::vector<std::string>{"nuclei", "patch_pixels"}));
  ASSERT_EQ(features->numeric_count, 2);
  EXPECT_EQ(features->numeric[0], 12);
  EXPECT_EQ(features->numeric[1], 34567);
}

TEST(TileFacts, ThatAreNotThereAreUnknownAndNotZero) {
  FactsOfATask measured(codelets::texture_features);
  measured.facts.set(Fact::nuclei, 12);
  const TaskInput before = task_features(measured.task, 0);
  EXPECT_FALSE(before.features);
  EXPECT_TRUE(before.waits);
  measured.facts.set(Fact::patch_pixels, 0);
  const TaskInput after = task_features(measured.task, 0);
  ASSERT_TRUE(after.features);
  EXPECT_FALSE(after.waits);
  EXPECT_EQ(after.features->numeric[1], 0);

  measured.arguments.facts = nullptr;  // nobody counts
  EXPECT_TRUE(task_features(measured.task, 0).waits);
}

TEST(TileFacts, SayNothingOfTasksOfAFailedTile) {
  FactsOfATask opened(codelets::morph_open);
  opened.facts.set(Fact::pixels, 100);
  EXPECT_TRUE(task_features(opened.task, 0).features);
  opened.status.fail("out of memory");
  EXPECT_TRUE(task_features(opened.task, 0).waits) << "it does nothing: its time is that of no input";
}

struct Job {
  StageTasks tasks_{"nowhere", 0, {}};
  StageTasks& tasks() { return tasks_; }
  void work() {}
};

TEST(TileFacts, OfCodeletsForCoresAreThoseOfTheJob) {
  starpu_codelet read = codelets::host_codelet<"read", &Job::work>();
  Job job;
  starpu_task task{};
  task.cl = &read;
  task.cl_arg = &job;
  EXPECT_TRUE(task_features(task, 0).waits);
  job.tasks().facts.set(Fact::pixels, 640);
  EXPECT_EQ(task_features(task, 0).features.value().numeric[0], 640);
}

template <class Graph>
void collect_names(const Graph& graph, std::set<std::string>& names) {
  for (const auto& stage : graph) {
    names.insert(stage.codelet->name);
    EXPECT_GT(stage.codelet->model->nparameters, 0u) << stage.codelet->name << " declares nothing";
  }
}

TEST(DeclaredFacts, AreThoseOfAllOperationsAndOfNothingElse) {
  std::set<std::string> names;
  collect_names(kStageGraph, names);
  collect_names(std::array{kWholeTile}, names);
  collect_names(kSurveyGraph, names);
  collect_names(kFieldGraph, names);
  for (const auto& row : codelets::kDeclaredFacts) EXPECT_EQ(names.erase(std::string(row.codelet)), 1u) << row.codelet;
  EXPECT_TRUE(names.empty()) << *names.begin();
}

}  // namespace
}  // namespace starpath
