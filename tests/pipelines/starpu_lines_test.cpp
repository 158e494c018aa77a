#include "pipelines/run/starpu_lines.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

TEST(StarpuLines, LoseTheNamesInFront) {
  EXPECT_EQ(starpu_message("[starpu][node1][starpu_init] there is no worker"), "there is no worker");
  EXPECT_EQ(starpu_message("there is no worker"), "there is no worker");
  EXPECT_EQ(starpu_message("[starpu][node1][f] number [in MB] is none"), "number [in MB] is none");
  EXPECT_EQ(starpu_message("[starpu"), "[starpu");
  EXPECT_EQ(starpu_message("limit [in MB] is not a number"), "limit [in MB] is not a number");
  EXPECT_EQ(starpu_message(""), "");
}

TEST(StarpuLines, WarningsAreTold) {
  EXPECT_TRUE(is_starpu_warning("[starpu][node1][_perf_model_add_dir] Warning: directory </x> does not exist"));
  EXPECT_FALSE(is_starpu_warning("[starpu][node1][starpu_init] there is no worker"));
  EXPECT_FALSE(is_starpu_warning("Warning: not StarPU's"));
  EXPECT_FALSE(is_starpu_warning("starpath: Warning: neither"));
}

}  // namespace
}  // namespace starpath
