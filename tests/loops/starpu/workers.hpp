// StarPU with CPU workers for the tests of a suite.
#pragma once
#include <gtest/gtest.h>
#include <starpu.h>

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

}  // namespace starpath
