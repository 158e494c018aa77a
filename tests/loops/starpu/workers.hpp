// StarPU with CPU workers for the tests of a suite.
#pragma once
#include <gtest/gtest.h>
#include <starpu.h>

#include <vector>

namespace starpath {

template <int cpus>
class WithWorkers : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = cpus;
    conf.ncuda = 0;
    ASSERT_EQ(starpu_init(&conf), 0);
    ASSERT_EQ(starpu_worker_get_count(), unsigned{cpus});
  }
  static void TearDownTestSuite() { starpu_shutdown(); }
};

/// A scheduling context for the submissions of this thread.
class SchedulingContext {
 public:
  explicit SchedulingContext(std::vector<int> workers)
      : id_(starpu_sched_ctx_create(workers.data(), static_cast<int>(workers.size()), "loop",
                                    STARPU_SCHED_CTX_POLICY_NAME, "eager", 0)) {
    starpu_sched_ctx_set_context(&id_);
  }
  ~SchedulingContext() {
    starpu_sched_ctx_set_context(nullptr);
    starpu_sched_ctx_delete(id_);
  }
  SchedulingContext(const SchedulingContext&) = delete;
  SchedulingContext& operator=(const SchedulingContext&) = delete;
  void remove(int worker) { starpu_sched_ctx_remove_workers(&worker, 1, id_); }

 private:
  unsigned id_;
};

}  // namespace starpath
