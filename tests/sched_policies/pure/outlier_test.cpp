// One task that takes a thousand times as long as the others must not move work from its worker.
#include <gtest/gtest.h>

#include <string>

#include "sched_policies/policies/policy_list.hpp"
#include "tests/sched_policies/pure/cold_start_simulation.hpp"

namespace starpath {
namespace {

constexpr WorkerId kCore = 0, kAccelerator = 1;
constexpr std::size_t kTasks = 4000;
constexpr std::size_t kLost = 2;  // tasks that the delayed worker may lose

/// Tasks of 100 us of one codelet, on a core as on an accelerator. `varied`: inputs differ in size, by up to a tenth.
DrawnWorkflow equal_tasks(bool varied) {
  DrawnWorkflow workflow{.machine = des::machine(1, {1}), .dag = {}, .sizes = {}};
  for (std::size_t i = 0; i < kTasks; ++i) {
    des::Job& job = workflow.dag.jobs.emplace_back();
    job.seconds = {100e-6, 100e-6};
    for (const WorkerId worker : {kCore, kAccelerator}) job.workers.insert(worker);
    workflow.sizes.push_back(varied ? 1 + static_cast<double>(i * 7919 % 1000) * 1e-4 : 1);
  }
  return workflow;
}

/// Once the delayed task has ended, its worker gets its half of the rest.
template <Policy P>
void expect_half_after(const Delayed& delayed, bool varied) {
  SCOPED_TRACE(std::string(P::kInfo.name) + ", worker " + std::to_string(delayed.worker) + ", run " +
               std::to_string(delayed.run) + (varied ? ", varied" : ", alike"));
  const DrawnWorkflow workflow = equal_tasks(varied);
  ColdStart<P> run(workflow, false, delayed);
  ASSERT_TRUE(run.run()) << "a task never ran";
  const std::vector<std::size_t> taken = run.taken_after();
  ASSERT_GT(taken[kCore] + taken[kAccelerator], kTasks / 2)
      << "the other worker was busy for a thousand tasks meanwhile";
  EXPECT_GE(taken[delayed.worker] + kLost, taken[1 - delayed.worker]);
}

template <class... Policies>
void expect_half_after_any_delay(TypeList<Policies...>) {
  for (const WorkerId worker : {kCore, kAccelerator}) {
    for (const unsigned run : {0U, 1U, 2U, 5U}) {
      for (const bool varied : {false, true}) {
        (expect_half_after<Policies>({.worker = worker, .run = run, .seconds = 0.1}, varied), ...);
      }
    }
  }
}

TEST(OutlierTest, OneDelayedTaskMovesNoWork) { expect_half_after_any_delay(PolicyList{}); }

}  // namespace
}  // namespace starpath
