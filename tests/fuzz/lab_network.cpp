// Networks of the lab.
#include "lab/machine.hpp"
#include "lab/model_file.hpp"
#include "lab/nodes/nodes_model.hpp"
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
    const lab::NodesModel all_nodes =
        lab::read_nodes(lab::ModelFile("c.toml", fuzz::text_of(data, size)), machine, {}, {});
    for (std::size_t group = 0; group < all_nodes.groups.size(); ++group) all_nodes.machine_of(group);
    all_nodes.group_of_node();
  });
  return 0;
}
