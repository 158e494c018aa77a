// Placement on recorded and hand-made machines, and what StarPU is told.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include "base/error.hpp"
#include "sched_policies/topology/worker_binding.hpp"

namespace starpath {
namespace {

using Chosen = std::vector<std::optional<std::size_t>>;

MachineLayout machine(const std::string& name) { return read_machine_layout(STARPATH_MACHINES "/" + name + ".xml"); }

WorkerBinding bind(const MachineLayout& layout, Placement placement,
                   const std::map<std::string, std::string>& environment = {}) {
  return bind_workers(layout, place_gpus(layout, placement), placement, [&](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

std::vector<EnvironmentVariable> told(const char* cpus, const char* gpus) {
  return {{"STARPU_WORKERS_CPUID", cpus}, {"STARPU_WORKERS_CUDAID", gpus}};
}

TEST(Topology, KeenelandAsInFigure6) {
  const MachineLayout layout = machine("keeneland");
  ASSERT_EQ(layout.gpus.size(), 3U);
  EXPECT_EQ(layout.cores.size(), 12U);
  EXPECT_EQ(layout.packages, 2U);
  EXPECT_EQ(layout.gpus[1].pci_bus, "0000:14:00.0");  // CUDA's order is not the order of the buses
  EXPECT_EQ(layout.gpus[0].model, "Tesla M2090");
  const auto package = [&](Placement placement, std::size_t gpu) {
    return layout.cores[*place_gpus(layout, placement)[gpu]].location.package;
  };
  EXPECT_EQ(package(Placement::closest, 0), 0U);  // CPU 1 manages GPU 1
  EXPECT_EQ(package(Placement::closest, 1), 1U);  // CPU 2 manages GPUs 2 and 3
  EXPECT_EQ(package(Placement::closest, 2), 1U);
  EXPECT_EQ(package(Placement::worst, 0), 1U);
  EXPECT_EQ(package(Placement::worst, 1), 0U);
  EXPECT_EQ(package(Placement::worst, 2), 0U);
  EXPECT_EQ(bind(layout, Placement::closest).variables, told("0 6 7 1 2 3 4 5 8 9 10 11", "0 1 2"));
}

TEST(Topology, OneGpuOnTheFarSocket) {
  const MachineLayout layout = machine("far_gpu");
  EXPECT_EQ(place_gpus(layout, Placement::closest), Chosen{4});
  EXPECT_EQ(layout.cores[4].pu, 8U);      // logical: two threads a core
  EXPECT_EQ(layout.cores[4].os_cpu, 4U);  // the operating system numbers first threads first
  EXPECT_EQ(bind(layout, Placement::closest).variables, told("8 0 2 4 6 10 12 14", "0"));
  EXPECT_EQ(place_gpus(layout, Placement::worst), Chosen{0});
}

TEST(Topology, FourNodesAndAGpuAtAWholeSocket) {
  const MachineLayout layout = machine("four_nodes");
  ASSERT_EQ(layout.gpus.size(), 3U);
  EXPECT_EQ(layout.gpus[0].location.numa_node, std::nullopt);
  EXPECT_EQ(layout.gpus[0].location.package, 1U);
  EXPECT_EQ(layout.gpus[1].location.numa_node, 1U);
  EXPECT_EQ(place_gpus(layout, Placement::closest), (Chosen{4, 2, 3}));
}

TEST(Topology, ARecordedMachineWithoutGpus) {
  const MachineLayout layout = machine("one_socket");
  EXPECT_EQ(layout.cores.size(), 2U);
  EXPECT_TRUE(layout.gpus.empty());
  EXPECT_TRUE(bind(layout, Placement::closest).variables.empty());
  EXPECT_EQ(bind(layout, Placement::closest).reason, "there is no GPU to place");
}

TEST(Topology, MoreGpusThanCoresAreLeftToStarpu) {
  const MachineLayout layout = machine("more_gpus_than_cores");
  EXPECT_EQ(place_gpus(layout, Placement::closest), (Chosen{0, 1, std::nullopt}));
  EXPECT_TRUE(bind(layout, Placement::closest).variables.empty());
  EXPECT_EQ(bind(layout, Placement::closest).reason, "there are more GPUs than cores");
}

TEST(Topology, GpusThatCudaDoesNotNumberAreShownAndNotBound) {
  const MachineLayout layout = machine("no_cuda_numbers");
  EXPECT_EQ(place_gpus(layout, Placement::closest), (Chosen{0, 2}));
  EXPECT_TRUE(bind(layout, Placement::closest).variables.empty());
}

TEST(Topology, AGpuOfUnknownPlaceIsLeftToStarpu) {
  MachineLayout layout = machine("keeneland");
  layout.gpus[1].location = {};
  EXPECT_TRUE(bind(layout, Placement::closest).variables.empty());
}

TEST(Topology, TheUsersOwnBindingStands) {
  const MachineLayout layout = machine("keeneland");
  EXPECT_TRUE(bind(layout, Placement::os).variables.empty());
  for (const char* name : {"STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID", "STARPU_MAIN_THREAD_BIND"}) {
    const WorkerBinding binding = bind(layout, Placement::closest, {{name, "1"}});
    EXPECT_TRUE(binding.variables.empty()) << name;
    EXPECT_NE(binding.reason.find(name), std::string::npos) << binding.reason;
  }
  EXPECT_FALSE(bind(layout, Placement::closest, {{"STARPU_WORKERS_CPUID", ""}}).variables.empty());
}

TEST(Topology, ReadsThisMachine) {
  const MachineLayout layout = read_machine_layout("");
  ASSERT_FALSE(layout.cores.empty());
  for (const GpuInfo& gpu : layout.gpus) EXPECT_FALSE(gpu.pci_bus.empty());
}

TEST(Topology, AFileThatIsNoTopologyIsNamed) {
  const std::string damaged = testing::TempDir() + "starpath_damaged.xml";
  std::ofstream(damaged) << "<?xml version=\"1.0\"?><topology version=\"2.0\"><object type=\"Machine\"";
  for (const std::string& file : {std::string("/nowhere.xml"), damaged}) try {
      read_machine_layout(file);
      ADD_FAILURE() << file;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
    }
}

TEST(Topology, AFileAtWhichHwlocCrashesIsNamed) {
  std::ifstream in(STARPATH_MACHINES "/keeneland.xml");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t core = text.find("type=\"Core\"");
  text.replace(text.find("complete_cpuset", core), 8, "com0lete");  // hwloc 2.9 follows a null pointer
  const std::string file = testing::TempDir() + "starpath_crashing.xml";
  std::ofstream(file) << text;
  try {
    EXPECT_FALSE(read_machine_layout(file).cores.empty());  // another hwloc may know better
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
  }
}

TEST(Topology, ACoreWithoutItsThreadsIsDamage) {
  std::ifstream in(STARPATH_MACHINES "/far_gpu.xml");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string thread = "type=\"PU\" os_index=\"0\"";
  ASSERT_NE(text.find(thread), std::string::npos);
  text.replace(text.find(thread), thread.size(), "type=\"PU\" os_index=\"40\"");
  const std::string file = testing::TempDir() + "starpath_no_thread.xml";
  std::ofstream(file) << text;
  try {
    read_machine_layout(file);
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
  }
}

#ifdef STARPATH_BOUND_WORKERS
// No GPU is needed to see that StarPU binds worker after worker to the list: here CPU workers take the places of the
// GPU and of what comes after it. A GPU that this machine does not have is given its last core.
TEST(Topology, StarpuBindsWorkerAfterWorkerToTheList) {
  MachineLayout layout = read_machine_layout("");
  if (layout.cores.size() < 2) GTEST_SKIP() << "this needs two cores";
  layout.gpus = {{.cuda_id = 0, .pci_bus = "", .model = "", .location = layout.cores.back().location}};
  const WorkerBinding binding =
      bind_workers(layout, {layout.cores.size() - 1}, Placement::closest, [](const char*) { return nullptr; });
  ASSERT_EQ(binding.variables.size(), 2U) << binding.reason;
  std::string command = "STARPU_SILENT=1 STARPU_NCPU=2 STARPU_SCHED_LIB='" STARPATH_PLUGIN "' STARPU_SCHED=fcfs";
  for (const auto& [name, value] : binding.variables) command += " " + name + "='" + value + "'";
  const auto worker = [](int id, const CoreInfo& core) {
    return " " + std::to_string(id) + ":" + std::to_string(core.pu) + ":" + std::to_string(core.os_cpu);
  };
  command += " '" STARPATH_BOUND_WORKERS "'" + worker(0, layout.cores.back()) + worker(1, layout.cores.front());
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}
#endif

}  // namespace
}  // namespace starpath
