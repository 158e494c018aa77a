// Network files: what they say, and what is wrong with them.
#include "lab/nodes/nodes_model.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/lab/nodes/small.hpp"

namespace starpath::lab {
namespace {

constexpr const char* kNodes = R"([network]
name = "two"
about = "For tests"
latency = { value = 50, unit = "us", assumed = true }
link_bandwidth = { value = 0.1, unit = "GB/s", assumed = true }
storage_latency = { value = 100, unit = "us", assumed = true }
storage_bandwidth = { value = 1, unit = "GB/s", source = "a data sheet" }
[[nodes]]
name = "gpu"
machine = "card"
count = { value = 2, assumed = true }
[[nodes]]
name = "cpu"
machine = "card"
count = { value = 3, assumed = true }
accelerators = "off"
speed = { value = 0.5, assumed = true }
)";

LabMachine by_name(const std::string& name) {
  if (name != "card") throw Error(ErrorKind::usage, "there is no machine '" + name + "'");
  return one_accelerator();
}

NodesModel parse(const std::string& text) { return read_nodes(ModelFile("c.toml", text), by_name); }

std::string error_with(const std::string& from, const std::string& to) {
  std::string text = kNodes;
  const auto place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  text.replace(place, from.size(), to);
  try {
    parse(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(NetworkFile, IsRead) {
  const NodesModel all_nodes = parse(kNodes);
  EXPECT_EQ(all_nodes.count(), 5u);
  EXPECT_EQ(all_nodes.group_of_node(), (std::vector<unsigned>{0, 0, 1, 1, 1}));
  EXPECT_EQ(all_nodes.class_names(), (std::vector<std::string>{"cpu", "Card"}));
  EXPECT_DOUBLE_EQ(all_nodes.latency, 5e-5);
  EXPECT_DOUBLE_EQ(all_nodes.bandwidth, 1e8);
  EXPECT_DOUBLE_EQ(all_nodes.wire_share, 1);
  EXPECT_EQ(all_nodes.machine_of(0).workers(), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(all_nodes.machine_of(1).workers(), (std::vector<unsigned>{1, 0})) << "the driving core computes";
  EXPECT_DOUBLE_EQ(all_nodes.groups[1].speed, 0.5);
}

TEST(NetworkFile, SaysFileLineAndReason) {
  EXPECT_EQ(error_with("latency = { value = 50, unit = \"us\", assumed = true }\n", ""),
            "c.toml:1: network two has no 'latency'");
  EXPECT_EQ(error_with("count = { value = 2", "count = { value = 0"),
            "c.toml:11: 'count' is 0: expected a number from 1 to 10000");
  EXPECT_EQ(error_with("machine = \"card\"", "machine = \"cart\""), "c.toml:8: there is no machine 'cart'");
  EXPECT_EQ(error_with("\"off\"", "\"of\""), "c.toml:12: accelerators 'of': expected off, or no such key");
  EXPECT_EQ(error_with("\"cpu\"", "\"gpu\""), "c.toml:12: nodes gpu are given twice");
  EXPECT_EQ(error_with("speed =", "sped ="), "c.toml:17: unknown key 'sped' in nodes cpu");
  EXPECT_EQ(error_with("50, unit = \"us\", assumed = true", "50, unit = \"us\""),
            "c.toml:4: 'latency' does not say where the number is from: write latency = { value = 50, source = \"...\" "
            "}, or assumed = \"...\"");
  EXPECT_EQ(error_with("unit = \"us\"", "unit = \"ms\""),
            "c.toml:4: 'latency' has the unit ms: expected unit = \"us\"");
  EXPECT_EQ(error_with("[[nodes]]\nname = \"gpu\"", "[[node]]\nname = \"gpu\""),
            "c.toml:8: unknown section 'node': expected network or nodes");
}

TEST(NodesModel, GroupsAreVaried) {
  NodesModel all_nodes = parse(kNodes);
  set_nodes(all_nodes, "gpu", 0);
  EXPECT_EQ(all_nodes.group_of_node(), (std::vector<unsigned>{1, 1, 1}));
  EXPECT_THROW(set_nodes(all_nodes, "cpu", 0), Error);
  EXPECT_THROW(set_nodes(all_nodes, "mic", 1), Error);
  EXPECT_THROW(set_workers(all_nodes, "cpu", {2, 0}), Error);
  EXPECT_THROW(set_workers(all_nodes, "cpu", {1}), Error);
  EXPECT_THROW(set_workers(all_nodes, "cpu", {0, 0}), Error);
}

}  // namespace
}  // namespace starpath::lab
