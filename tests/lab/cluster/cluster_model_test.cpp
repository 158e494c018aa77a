// Cluster files: what they say, and what is wrong with them.
#include "lab/cluster/cluster_model.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/lab/cluster/small.hpp"

namespace starpath::lab {
namespace {

constexpr const char* kCluster = R"(cluster two
  about               For tests
  latency_us          50     # assumed
  link_GB_per_s       0.1    # assumed
  storage_latency_us  100    # assumed
  storage_GB_per_s    1      # source: a data sheet
nodes gpu
  machine  card
  count    2      # assumed
nodes cpu
  machine       card
  count         3      # assumed
  accelerators  off
  speed         0.5    # assumed
)";

LabMachine by_name(const std::string& name) {
  if (name != "card") throw Error(ErrorKind::usage, "there is no machine '" + name + "'");
  return one_accelerator();
}

ClusterModel parse(const std::string& text) { return read_cluster(ModelFile("c.cluster", text), by_name); }

std::string error_with(const std::string& from, const std::string& to) {
  std::string text = kCluster;
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

TEST(ClusterFile, IsRead) {
  const ClusterModel cluster = parse(kCluster);
  EXPECT_EQ(cluster.nodes(), 5u);
  EXPECT_EQ(cluster.group_of_node(), (std::vector<unsigned>{0, 0, 1, 1, 1}));
  EXPECT_EQ(cluster.class_names(), (std::vector<std::string>{"cpu", "Card"}));
  EXPECT_DOUBLE_EQ(cluster.latency, 5e-5);
  EXPECT_DOUBLE_EQ(cluster.bandwidth, 1e8);
  EXPECT_DOUBLE_EQ(cluster.wire_share, 1);
  EXPECT_EQ(cluster.machine_of(0).workers(), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(cluster.machine_of(1).workers(), (std::vector<unsigned>{1, 0})) << "the driving core computes";
  EXPECT_DOUBLE_EQ(cluster.groups[1].speed, 0.5);
}

TEST(ClusterFile, SaysFileLineAndReason) {
  EXPECT_EQ(error_with("  latency_us          50     # assumed\n", ""), "c.cluster:1: cluster two has no 'latency_us'");
  EXPECT_EQ(error_with("count    2 ", "count    0 "), "c.cluster:9: 'count 0': expected a number from 1 to 10000");
  EXPECT_EQ(error_with("machine  card", "machine  cart"), "c.cluster:7: there is no machine 'cart'");
  EXPECT_EQ(error_with("accelerators  off", "accelerators  of"),
            "c.cluster:10: accelerators 'of': expected off, or no such line");
  EXPECT_EQ(error_with("nodes cpu", "nodes gpu"), "c.cluster:10: nodes gpu are given twice");
  EXPECT_EQ(error_with("  speed ", "  sped "), "c.cluster:14: unknown key 'sped' in nodes cpu");
  EXPECT_EQ(error_with("50     # assumed", "50"),
            "c.cluster:3: 'latency_us 50' does not say where the number is from: end the line with '# source: ...' or "
            "'# assumed'");
  EXPECT_EQ(error_with("nodes gpu", "node gpu"), "c.cluster:7: unknown section 'node': expected cluster or nodes");
}

TEST(ClusterModel, GroupsAreVaried) {
  ClusterModel cluster = parse(kCluster);
  set_nodes(cluster, "gpu", 0);
  EXPECT_EQ(cluster.group_of_node(), (std::vector<unsigned>{1, 1, 1}));
  EXPECT_THROW(set_nodes(cluster, "cpu", 0), Error);
  EXPECT_THROW(set_nodes(cluster, "mic", 1), Error);
  EXPECT_THROW(set_workers(cluster, "cpu", {2, 0}), Error);
  EXPECT_THROW(set_workers(cluster, "cpu", {1}), Error);
  EXPECT_THROW(set_workers(cluster, "cpu", {0, 0}), Error);
}

}  // namespace
}  // namespace starpath::lab
