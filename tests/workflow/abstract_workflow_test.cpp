// What a declared workflow becomes, and what is refused.
#include "workflow/abstract_workflow.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace starpath::workflow {
namespace {

using Stages = std::vector<int>;

std::string refusal(std::vector<Stage> stages) {
  try {
    AbstractWorkflow(std::move(stages));
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
}

TEST(AbstractWorkflow, DependenciesComeFromDataAndFromOrder) {
  const AbstractWorkflow workflow({{"classify", {"table", "labels"}, {}, {}},
                                   {"features", {"labels"}, {"table"}, {}},
                                   {"segment", {}, {"labels", "count"}, {}},
                                   {"report", {}, {}, {"classify", "segment"}}});
  EXPECT_EQ(workflow.size(), 4u);
  EXPECT_EQ(workflow.before(0), (Stages{1, 2}));
  EXPECT_EQ(workflow.before(1), Stages{2});
  EXPECT_EQ(workflow.before(2), Stages{});
  EXPECT_EQ(workflow.before(3), (Stages{0, 2}));
  EXPECT_EQ(workflow.after(2), (Stages{0, 1, 3}));
  EXPECT_EQ((Stages{workflow.depth(2), workflow.depth(1), workflow.depth(0), workflow.depth(3)}), (Stages{0, 1, 2, 3}));
  EXPECT_EQ(workflow.name(1), "features");
}

TEST(AbstractWorkflow, RefusesACycleNamingItsStages) {
  EXPECT_EQ(refusal({{"start", {}, {"pixels"}},
                     {"a", {"pixels", "c"}, {"a"}},
                     {"b", {"a"}, {"b"}},
                     {"c", {"b"}, {"c"}},
                     {"end", {"c"}}}),
            "workflow: stages wait for each other: 'a' after 'c' after 'b' after 'a'; take one dependency out");
  EXPECT_EQ(refusal({{"a", {"x"}, {"x"}}}),
            "workflow: stages wait for each other: 'a' after 'a'; take one dependency out");
}

TEST(AbstractWorkflow, RefusesTwoStagesThatWriteTheSame) {
  EXPECT_EQ(refusal({{"a", {}, {"labels"}}, {"b", {}, {"labels"}}}),
            "workflow: stages 'a' and 'b' both write 'labels': let one of them write data of another name");
}

TEST(AbstractWorkflow, RefusesNamesThatNobodyHas) {
  EXPECT_EQ(refusal({{"a", {"labels"}}}),
            "workflow: stage 'a' reads 'labels', which no stage writes: correct the name, or add the stage");
  EXPECT_EQ(refusal({{"a", {}, {}, {"b"}}}),
            "workflow: stage 'a' follows 'b', which is no stage: correct the name, or add the stage");
}

TEST(AbstractWorkflow, RefusesNoStageNoNameAndOneNameTwice) {
  EXPECT_EQ(refusal({}), "workflow: there is no stage: declare at least one");
  EXPECT_EQ(refusal({{""}}), "workflow: a stage has no name: give it one");
  EXPECT_EQ(refusal({{"a"}, {"a"}}), "workflow: two stages are called 'a': give each a name of its own");
}

}  // namespace
}  // namespace starpath::workflow
