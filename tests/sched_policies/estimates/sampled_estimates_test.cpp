// Estimates of tasks whose codelet the application changes, or replaces by another one at the same address.
#include "sched_policies/estimates/sampled_estimates.hpp"

#include <gtest/gtest.h>
#include <starpu.h>

#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace starpath {
namespace {

void nothing(void** /*buffers*/, void* /*argument*/) {}

void size_of_argument(starpu_task* task, double* parameters) {
  parameters[0] = *static_cast<const double*>(task->cl_arg);
}

/// StarPU has two CPU workers, and the second one counts as a GPU. The tests ask for estimates and teach samples; no
/// task runs.
class SampledEstimatesTest : public testing::Test {
 protected:
  static constexpr WorkerId kCpu = 0, kGpu = 1;
  static constexpr double kMilli = 1e-3;

  static void SetUpTestSuite() {
    starpu_conf conf;
    ASSERT_EQ(starpu_conf_init(&conf), 0);
    conf.ncpus = 2;
    conf.ncuda = conf.nopencl = conf.nhip = 0;
    ASSERT_EQ(starpu_init(&conf), 0);
  }
  static void TearDownTestSuite() { starpu_shutdown(); }

  SampledEstimatesTest() {
    classes_.types[kGpu] = STARPU_CUDA_WORKER;
    task_.cl = &codelet_;
    codelet_.cpu_funcs[0] = nothing;
    codelet_.cuda_funcs[0] = nothing;
    codelet_.name = "first";
  }

  void learn(WorkerId worker, double seconds) {
    const Lesson lesson{.features = *task_features(task_, 0).features};
    for (int i = 0; i < 4; ++i) estimates_.learn(task_, lesson, worker, seconds);
    estimates_.flush(worker);
  }

  /// Seconds on both classes: as this thread is told, which was told of other tasks before, and as a thread is told
  /// that asks for the first time. They must not differ.
  std::vector<std::optional<double>> told() {
    const ClassSeconds here = estimates_.of(task_).seconds;
    EXPECT_EQ(here, estimates_.of(task_).seconds);
    ClassSeconds anew;
    std::thread([&] { anew = estimates_.of(task_).seconds; }).join();
    EXPECT_EQ(here, anew);
    return {here[kCpu], here[kGpu]};
  }

  using Seconds = std::vector<std::optional<double>>;

  const Options options_{};
  const Machine machine_{{{"cpu", DeviceKind::cpu}, {"gpu", DeviceKind::accelerator}}, {0, 1}};
  const ProfileUse::Report report_ = [](const std::string& line) { ADD_FAILURE() << line; };
  ClassWorkers classes_{machine_};
  SampledEstimates estimates_{options_, machine_, classes_, report_};
  starpu_codelet codelet_{};
  starpu_task task_{};
};

TEST_F(SampledEstimatesTest, FollowWhatIsLearnt) {
  EXPECT_EQ(told(), (Seconds{std::nullopt, std::nullopt}));
  learn(kCpu, 4 * kMilli);
  EXPECT_EQ(told(), (Seconds{4 * kMilli, std::nullopt}));
  learn(kGpu, kMilli);
  EXPECT_EQ(told(), (Seconds{4 * kMilli, kMilli}));
}

TEST_F(SampledEstimatesTest, AreThoseOfTheImplementationsThatTheCodeletHasNow) {
  learn(kCpu, 4 * kMilli);
  learn(kGpu, kMilli);
  EXPECT_EQ(told(), (Seconds{4 * kMilli, kMilli}));
  codelet_.cuda_funcs[0] = nullptr;
  EXPECT_EQ(told(), (Seconds{4 * kMilli, std::nullopt}));
  codelet_.cuda_funcs[0] = nothing;
  codelet_.cpu_funcs[0] = nullptr;
  EXPECT_EQ(told(), (Seconds{std::nullopt, kMilli}));
  codelet_.cpu_funcs[1] = nothing;  // which has no sample
  EXPECT_EQ(told(), (Seconds{std::nullopt, kMilli}));
  codelet_.cpu_funcs[0] = nothing;
  EXPECT_EQ(told(), (Seconds{4 * kMilli, kMilli}));
}

TEST_F(SampledEstimatesTest, AreThoseOfTheNameThatTheCodeletHasNow) {
  std::array<char, 8> name{"one"};
  codelet_.name = name.data();
  learn(kCpu, 4 * kMilli);
  EXPECT_EQ(told(), (Seconds{4 * kMilli, std::nullopt}));
  name = {"two"};  // at the same address
  EXPECT_EQ(told(), (Seconds{std::nullopt, std::nullopt}));
  learn(kCpu, 2 * kMilli);
  EXPECT_EQ(told(), (Seconds{2 * kMilli, std::nullopt}));
  name = {"one"};
  EXPECT_EQ(told(), (Seconds{4 * kMilli, std::nullopt}));
  starpu_perfmodel model{};
  model.symbol = "two";
  codelet_.name = nullptr;
  codelet_.model = &model;
  EXPECT_EQ(told(), (Seconds{2 * kMilli, std::nullopt}));
}

TEST_F(SampledEstimatesTest, AreThoseOfAnotherCodeletAtTheSameAddress) {
  learn(kCpu, 4 * kMilli);
  EXPECT_EQ(told(), (Seconds{4 * kMilli, std::nullopt}));
  new (&codelet_) starpu_codelet{};
  codelet_.cuda_funcs[0] = nothing;
  codelet_.name = "second";
  EXPECT_EQ(told(), (Seconds{std::nullopt, std::nullopt}));
  learn(kGpu, kMilli);
  EXPECT_EQ(told(), (Seconds{std::nullopt, kMilli}));
}

TEST_F(SampledEstimatesTest, AreThoseOfTheTasksOwnBuffersAndParameters) {
  std::array<double, 64> numbers{};
  std::array<starpu_data_handle_t, 2> handles{};
  starpu_variable_data_register(&handles[0], STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(numbers.data()), 8);
  starpu_variable_data_register(&handles[1], STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(numbers.data()), 512);
  learn(kCpu, 4 * kMilli);  // without buffers
  codelet_.nbuffers = 1;
  task_.handles[0] = handles[0];
  learn(kCpu, kMilli);
  task_.handles[0] = handles[1];
  learn(kCpu, 2 * kMilli);
  EXPECT_EQ(told(), (Seconds{2 * kMilli, std::nullopt}));
  task_.handles[0] = handles[0];
  EXPECT_EQ(told(), (Seconds{kMilli, std::nullopt}));
  codelet_.nbuffers = 0;
  EXPECT_EQ(told(), (Seconds{4 * kMilli, std::nullopt}));

  double size = 3;
  starpu_perfmodel model{};
  model.nparameters = 1;
  model.parameters = size_of_argument;
  codelet_.model = &model;
  codelet_.name = "sized";
  task_.cl_arg = &size;
  learn(kCpu, 3 * kMilli);
  EXPECT_EQ(told(), (Seconds{3 * kMilli, std::nullopt}));
  size = 9;
  learn(kCpu, 9 * kMilli);
  EXPECT_EQ(told(), (Seconds{9 * kMilli, std::nullopt}));
  size = 3;
  EXPECT_EQ(told(), (Seconds{3 * kMilli, std::nullopt}));
  for (const starpu_data_handle_t handle : handles) starpu_data_unregister(handle);
}

}  // namespace
}  // namespace starpath
