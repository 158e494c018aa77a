// Clusters of the lab.
#include "lab/cluster/cluster_model.hpp"
#include "lab/machine.hpp"
#include "lab/model_file.hpp"
#include "tests/fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  fuzz::expect_errors_only([&] {
    const auto machine = [](const std::string& name) {
      lab::LabMachine small;
      small.name = name;
      small.cores = 4;
      return small;
    };
    const lab::ClusterModel cluster =
        lab::read_cluster(lab::ModelFile("c.toml", fuzz::text_of(data, size)), machine, {}, {});
    for (std::size_t group = 0; group < cluster.groups.size(); ++group) cluster.machine_of(group);
    cluster.group_of_node();
  });
  return 0;
}
