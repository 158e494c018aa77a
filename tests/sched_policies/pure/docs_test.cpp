// The policies' documentation: its example is real code, and every policy has its page.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "sched_policies/options/option_table.hpp"
#include "sched_policies/policies/policy_table.hpp"
#include "support/policy_simulation.hpp"
#include "tests/sched_policies/pure/lifo.hpp"
#include "tests/support/queue_fixture.hpp"

namespace starpath {
namespace {

std::string read(const std::string& path) {
  std::ifstream in(STARPATH_SOURCE_DIR "/" + path);
  EXPECT_TRUE(in) << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(WriteAPolicy, ThePageShowsTheExampleAsItIs) {
  EXPECT_NE(read("docs/write-a-policy.md").find("```cpp\n" + read("tests/sched_policies/pure/lifo.hpp") + "```\n"),
            std::string::npos);
}

TEST(WriteAPolicy, TheExampleDoesWhatItSays) {
  QueueFixture<Lifo> queue;
  queue.push("a", 1);
  queue.push("b", 1, 1);
  queue.push("c", 1);
  queue.push("d", 1, 0, Runs::gpu);
  EXPECT_EQ(queue.drain(QueueFixture<Lifo>::kCpu), "bca");
  EXPECT_EQ(queue.drain(QueueFixture<Lifo>::kGpu), "d");
}

TEST(WriteAPolicy, TheExampleRunsRandomDagsRightly) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const Machine machine = des::machine(4, {2, 1});
    EXPECT_EQ(des::simulate<Lifo>(machine, des::random_dag(machine, {}, random)).error, "");
  }
}

TEST(PolicyPages, EveryPolicyHasOneAndTheIndexLinksToIt) {
  const std::string index = read("docs/policies.md");
  for (const PolicyInfo& policy : policy_table()) {
    const std::string name(policy.name);
    SCOPED_TRACE(name);
    EXPECT_NE(index.find("[`" + name + "`](policies/" + name + ".md)"), std::string::npos);
    const std::string page = read("docs/policies/" + name + ".md");
    EXPECT_EQ(page.rfind("# " + name + "\n", 0), 0U);
    for (const char* part : {"```text\n", "## When to use it", "## Options", "## Source"}) {
      EXPECT_NE(page.find(part), std::string::npos) << part;
    }
  }
}

TEST(PolicyPages, TheIndexExplainsEveryOption) {
  const std::string index = read("docs/policies.md");
  for (const OptionInfo& option : option_table()) {
    EXPECT_NE(index.find("| `" + std::string(option.variable) + "` |"), std::string::npos) << option.variable;
  }
}

}  // namespace
}  // namespace starpath
