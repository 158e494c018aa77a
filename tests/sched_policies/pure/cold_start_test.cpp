// What it costs that nothing is known at the start of a run, on drawn workflows.
#include <gtest/gtest.h>

#include <cstdio>

#include "sched_policies/policies/policy_list.hpp"
#include "tests/sched_policies/pure/cold_start_simulation.hpp"

namespace starpath {
namespace {

/// Time of a run without any sample over that of one with all times known, over drawn workflows.
struct ColdOverKnown {
  double mean = 0, worst = 0;
};

template <Policy P>
ColdOverKnown cold_over_known(std::uint64_t first, std::uint64_t workflows) {
  ColdOverKnown found;
  for (std::uint64_t seed = first; seed < first + workflows; ++seed) {
    const DrawnWorkflow workflow = WorkflowDrawing(seed).draw();
    const auto known = ColdStart<P>(workflow, true).run();
    const auto cold = ColdStart<P>(workflow, false).run();
    EXPECT_TRUE(known && cold) << "seed " << seed << ": a task never ran";
    if (!known || !cold) continue;
    found.mean += *cold / *known / static_cast<double>(workflows);
    found.worst = std::max(found.worst, *cold / *known);
  }
  std::printf("%s, workflows %llu to %llu: mean %.2f, worst %.2f\n", std::string(P::kInfo.name).c_str(),
              static_cast<unsigned long long>(first), static_cast<unsigned long long>(first + workflows - 1),
              found.mean, found.worst);
  return found;
}

constexpr std::uint64_t kWorkflows = 300;
constexpr std::uint64_t kTuned = 1, kOthers = 1001;  // the rules were tuned on the first

template <Policy P>
void expect_at_most(double mean, double worst) {
  for (const std::uint64_t first : {kTuned, kOthers}) {
    const ColdOverKnown found = cold_over_known<P>(first, kWorkflows);
    EXPECT_LE(found.mean, mean);
    EXPECT_LE(found.worst, worst);
  }
}

TEST(ColdStartTest, Apex) { expect_at_most<Apex>(1.4, 4.1); }
TEST(ColdStartTest, Eft) { expect_at_most<Eft>(1.5, 5); }
TEST(ColdStartTest, Pats) { expect_at_most<Pats>(0.95, 3); }
TEST(ColdStartTest, Padas) { expect_at_most<Padas>(0.95, 3); }
TEST(ColdStartTest, Pams) { expect_at_most<Pams>(0.95, 3); }
TEST(ColdStartTest, Ddwrr) { expect_at_most<Ddwrr>(0.95, 3); }

}  // namespace
}  // namespace starpath
