// Every machine and workload that comes with the lab, and what the papers say of them.
#include "tests/lab/models.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "lab/platform.hpp"

namespace starpath::lab {
namespace {

double sum_of(const Workload& made, std::size_t device_class) {
  return std::accumulate(made.tasks.begin(), made.tasks.end(), 0.0,
                         [&](double sum, const WorkTask& task) { return sum + task.seconds[device_class]; });
}

class Machines : public testing::TestWithParam<std::string> {};
TEST_P(Machines, IsWhole) {
  const LabMachine host = machine(GetParam());
  EXPECT_EQ(host.name, GetParam());
  EXPECT_FALSE(host.about.empty());
  EXPECT_GE(host.cpu_workers(), 1u);
  const std::string platform = simgrid_platform(host);
  for (unsigned device = 0; device < host.devices(); ++device)
    EXPECT_NE(platform.find("host id=\"CUDA" + std::to_string(device) + "\""), std::string::npos);
  EXPECT_EQ(platform.find("host id=\"CUDA" + std::to_string(host.devices()) + "\""), std::string::npos);
}
INSTANTIATE_TEST_SUITE_P(Lab, Machines, testing::ValuesIn(model_names(kModels, "machine")),
                         [](const auto& test) { return test.param; });

TEST(MachineModels, AreThoseOfThePapers) {
  EXPECT_EQ(model_names(kModels, "machine"),
            (std::vector<std::string>{"anthill", "h100", "keeneland", "mixed", "stampede"}));
  EXPECT_EQ(machine("anthill").workers(), (std::vector<unsigned>{1, 1}));
  EXPECT_EQ(machine("keeneland").workers(), (std::vector<unsigned>{9, 3}));
  EXPECT_EQ(machine("stampede").workers(), (std::vector<unsigned>{14, 1, 1}));
  EXPECT_EQ(machine("h100").workers(), (std::vector<unsigned>{15, 1}));
  EXPECT_EQ(machine("mixed").workers(), (std::vector<unsigned>{28, 2, 2}));
}

// Both ends are those of the workload nbia, and the GPU gains with every size (anthill-2010, Figure 6).
TEST(NbiaSizes, ReachFromTheSmallToTheLargeTask) {
  const LabMachine host = machine("anthill");
  WorkloadModel nbia = even("nbia"), sizes = even("nbia-sizes");
  nbia.parameters["tiles"] = sizes.parameters["tiles"] = 1;
  nbia.parameters["recalc_rate"] = 1;
  const Workload levels = make_workload(nbia, host, 1);
  double last = 0;
  for (const double side : {32, 64, 128, 256, 512}) {
    sizes.parameters["side"] = side;
    const Workload one = make_workload(sizes, host, 1);
    const WorkTask& task = one.tasks[0];
    EXPECT_NEAR(one.data[task.data[0].data].bytes, 12 * side * side, 1e-6);
    EXPECT_GT(task.seconds[0] / task.seconds[1], last);
    last = task.seconds[0] / task.seconds[1];
    for (std::size_t c = 0; c < 2; ++c) {
      const double share = (side * side - 32 * 32) / (512 * 512 - 32 * 32);
      const double small = levels.tasks[0].seconds[c], large = levels.tasks[1].seconds[c];
      EXPECT_NEAR(task.seconds[c], small + share * (large - small), 1e-9);
    }
  }
  EXPECT_NEAR(last, 43, 1e-6);
}

class Workloads : public testing::TestWithParam<std::string> {};
TEST_P(Workloads, MakesTheSameSoundTasksTwice) {
  const WorkloadModel model = workload(GetParam());
  for (const std::string& name : model_names(kModels, "machine")) {
    const LabMachine host = machine(name);
    const Workload first = make_workload(model, host, 3), again = make_workload(model, host, 3);
    const Workload other = make_workload(model, host, 4);
    ASSERT_FALSE(first.tasks.empty());
    ASSERT_EQ(first.tasks.size(), again.tasks.size());
    bool differs = first.tasks.size() != other.tasks.size();
    for (std::size_t i = 0; i < first.tasks.size(); ++i) {
      const WorkTask& task = first.tasks[i];
      ASSERT_EQ(task.seconds, again.tasks[i].seconds);
      differs = differs || task.seconds != other.tasks[i].seconds;
      ASSERT_EQ(task.seconds.size(), host.classes());
      ASSERT_TRUE(std::isfinite(task.seconds[0])) << "every task has a CPU implementation";
      for (const double seconds : task.seconds) ASSERT_GT(seconds, 0);
      ASSERT_LT(task.group, first.groups);
      for (const Access& access : task.data) ASSERT_LT(access.data, first.data.size());
    }
    EXPECT_TRUE(differs) << "another seed, other times";
  }
}
INSTANTIATE_TEST_SUITE_P(Lab, Workloads, testing::ValuesIn(model_names(kModels, "workload")), [](const auto& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(WorkloadModels, SegmentationIsWhatThePapersSay) {
  WorkloadModel model = even("segmentation");
  set_parameter(model, "tiles", 1);
  const LabMachine one = with_workers(machine("keeneland"), {1, 1});
  const Workload tile = make_workload(model, one, 1);
  double core = 0, gpu = 0, open_core = 0, open_gpu = 0, bytes = 0;
  for (const WorkTask& task : tile.tasks) {
    const std::string& kind = tile.kinds[task.kind];
    if (kind == "read") continue;
    core += task.seconds[0];
    gpu += task.seconds[1];
    for (const Access& access : task.data) bytes += tile.data[access.data].bytes;
    if (kind == "morph_open") open_core = task.seconds[0], open_gpu = task.seconds[1];
  }
  const double transfers = bytes / one.accelerators[0].to_device, read = tile.tasks[0].seconds[0];
  EXPECT_EQ(tile.kinds[tile.tasks[0].kind], "read");
  EXPECT_NEAR(core / gpu, 6.5, 0.1);
  EXPECT_NEAR((core + read) / (gpu + transfers + read), 5.3, 0.15);
  EXPECT_NEAR(open_core / core, 0.04, 0.002);
  EXPECT_NEAR(open_gpu / gpu, 0.23, 0.01);
  EXPECT_NEAR(transfers / gpu, 0.13, 0.01);
}

/// On the machine that the paper ran on.
TEST(WorkloadModels, SegmentationOnAMicIsWhatThePaperSays) {
  WorkloadModel model = even("segmentation-stampede");
  set_parameter(model, "tiles", 1);
  const Workload tile = make_workload(model, with_workers(machine("stampede"), {1, 1, 1}), 1);
  double whole = 0, pre = 0, on_gpu = 0, best = 0, best_pre = 0;
  for (const WorkTask& task : tile.tasks) {
    const std::string& kind = tile.kinds[task.kind];
    if (kind == "read") continue;
    const double core = task.seconds[0], gpu = task.seconds[1], mic = task.seconds[2];
    whole += core;
    on_gpu += gpu;
    best = std::max(best, core / gpu);
    if (kind == "pre_watershed") {
      pre = core;
      best_pre = core / gpu;
      EXPECT_NEAR(mic / gpu, 2, 0.1);
    }
    for (const char* suited :
         {"colour_deconvolution", "fill_holes", "gradient_features", "pixel_features", "edge_features"}) {
      if (kind == suited) {
        EXPECT_LT(mic, gpu) << suited;
      }
    }
  }
  EXPECT_NEAR(pre / whole, 0.40, 0.01);
  EXPECT_EQ(best_pre, best) << "what takes most time gains most";
  EXPECT_NEAR(whole / on_gpu * 2.6 / 2.0, 6.5 * 1.1, 0.1) << "over Keeneland's core, by a GPU of more bandwidth";
}

TEST(WorkloadModels, NbiaIsWhatThePaperSays) {
  WorkloadModel model = even("nbia");
  const LabMachine host = with_workers(machine("anthill"), {1, 1});
  set_parameter(model, "recalc_rate", 0);
  EXPECT_NEAR(sum_of(make_workload(model, host, 1), 0), 30, 0.5);
  set_parameter(model, "recalc_rate", 0.16);
  EXPECT_NEAR(sum_of(make_workload(model, host, 1), 0), 1287, 30);
  const TaskKind& high = model.kinds[1];
  const double kernel = high.core_ms * 1e-3 / *high.gpu,
               copies = model.parameters.at("high_MB") * 1e6 / host.accelerators[0].to_device;
  EXPECT_NEAR(high.core_ms * 1e-3 / (kernel + copies), 33, 1);
  EXPECT_NEAR(copies / (kernel + copies), 0.24, 0.02);
}

TEST(WorkloadModels, VectorIncrementComputesSevenToThree) {
  const WorkloadModel model = even("vector-increment");
  const double kernel = model.kinds[0].core_ms * 1e-3 / *model.kinds[0].gpu;
  EXPECT_NEAR(kernel / (2 * 4e6 / machine("anthill").accelerators[0].to_device), 7.0 / 3, 0.01);
}

TEST(WorkloadModels, IndependentTasksGainFromOneToTwenty) {
  const Workload made = make_workload(even("independent"), with_workers(machine("keeneland"), {1, 1}), 1);
  double least = HUGE_VAL, most = 0;
  for (const WorkTask& task : made.tasks) {
    const double speedup = task.seconds[0] / task.seconds[1];
    EXPECT_NEAR(speedup, task.parameters[2], 1e-9) << "known beforehand, without variation";
    least = std::min(least, speedup);
    most = std::max(most, speedup);
  }
  EXPECT_GE(least, 1);
  EXPECT_LT(least, 1.1);
  EXPECT_GT(most, 19.9);
  EXPECT_LE(most, 20);
  for (const auto& before : dependencies(made)) EXPECT_TRUE(before.empty());
}

TEST(WorkloadModels, ChainsAreChains) {
  WorkloadModel model = workload("chains");
  set_parameter(model, "chains", 3);
  const Workload made = make_workload(model, machine("h100"), 1);
  const auto before = dependencies(made);
  ASSERT_EQ(made.tasks.size(), 36u);
  for (unsigned i = 0; i < made.tasks.size(); ++i) {
    EXPECT_EQ(before[i], i % 12 == 0 ? std::vector<unsigned>{} : std::vector<unsigned>{i - 1});
    EXPECT_EQ(made.tasks[i].kind, (i / 12 + i % 12) % 3) << "the three codelets in turn";
  }
}

// StarPU's recordings of mirage, chol_model_*.mirage: milliseconds on a core and on CUDA device 0.
TEST(WorkloadModels, CholeskyHasTheRecordedTimes) {
  const std::map<std::string, std::pair<double, double>> recorded = {
      {"potrf", {18.85, 5.367}}, {"trsm", {45.65, 6.394}}, {"syrk", {43.89, 1.403}}, {"gemm", {87.78, 2.805}}};
  const WorkloadModel model = workload("cholesky");
  ASSERT_EQ(model.kinds.size(), recorded.size());
  for (const TaskKind& kernel : model.kinds) {
    EXPECT_NEAR(kernel.core_ms, recorded.at(kernel.name).first, 0.005);
    EXPECT_NEAR(kernel.core_ms / *kernel.gpu, recorded.at(kernel.name).second, 0.005);
  }
}

TEST(WorkloadModels, CholeskyHasItsTasksAndOrder) {
  WorkloadModel model = workload("cholesky");
  set_parameter(model, "blocks", 3);
  const Workload made = make_workload(model, machine("keeneland"), 1);
  std::string order;
  for (const WorkTask& task : made.tasks) order += made.kinds[task.kind][0];
  EXPECT_EQ(order, "pttssgptsp");
  const auto after = dependencies(made);
  // Columns first: potrf 0; trsm 1, 2; syrk 1; syrk 2, gemm 2-1; potrf 1; trsm 2; syrk 2; potrf 2.
  EXPECT_EQ(after[1], (std::vector<unsigned>{0}));
  EXPECT_EQ(after[3], (std::vector<unsigned>{1}));
  EXPECT_EQ(after[5], (std::vector<unsigned>{1, 2}));
  EXPECT_EQ(after[6], (std::vector<unsigned>{3}));
  EXPECT_EQ(after[7], (std::vector<unsigned>{5, 6}));
  EXPECT_EQ(after[9], (std::vector<unsigned>{8}));
}

TEST(WorkloadModels, RandomGraphsHaveTheEdgesAndTheCoreTasksAskedFor) {
  WorkloadModel model = workload("random-dag");
  set_parameter(model, "tasks", 2000);
  const LabMachine host = machine("keeneland");
  const auto share_of_core_tasks = [&](const Workload& tasks) {
    double core = 0;
    for (const WorkTask& task : tasks.tasks) core += std::isinf(task.seconds[1]);
    return core / static_cast<double>(tasks.tasks.size());
  };
  const auto edges_per_task = [](const Workload& tasks) {
    double edges = 0;
    for (const auto& after : dependencies(tasks)) edges += static_cast<double>(after.size());
    return edges / static_cast<double>(tasks.tasks.size());
  };
  const Workload some = make_workload(model, host, 1);
  EXPECT_NEAR(share_of_core_tasks(some), 0.15, 0.03);
  EXPECT_NEAR(edges_per_task(some), 1, 0.1);  // 0, 1 or 2, with equal chance
  set_parameter(model, "edges_per_task", 0);
  set_parameter(model, "cores_only", 1);
  const Workload none = make_workload(model, host, 1);
  EXPECT_EQ(share_of_core_tasks(none), 1);
  EXPECT_EQ(edges_per_task(none), 0);
}

TEST(WorkloadModels, ParametersAreChecked) {
  WorkloadModel model = workload("nbia");
  EXPECT_THROW(set_parameter(model, "tile", 3), Error);
  EXPECT_THROW(set_parameter(model, "recalc_rate", 1.5), Error);
  EXPECT_THROW(set_parameter(model, "tiles", NAN), Error);
}

}  // namespace
}  // namespace starpath::lab
