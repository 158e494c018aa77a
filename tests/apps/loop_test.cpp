// `starpath loop`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using test::shell;

TEST(LoopCommand, RunsEveryLoopToTheSerialResult) {
  for (const char* loop : {"increment --n 100001", "blackscholes --n 20001", "histogram --n 100001 --schedule gss",
                           "boxfilter --n 101 --initial-block 3", "nbody --n 501 --slow 4", "heat2d --n 401",
                           "strmatch --n 307 --schedule linear"}) {
    const auto run = shell("starpath loop --json --cpus 2 " + std::string(loop));
    ASSERT_EQ(run.code, 0) << run.output;
    const auto result = nlohmann::json::parse(run.output);
    EXPECT_EQ(result["identical"], true) << loop;
    EXPECT_EQ(
        result["workers"][0]["iterations"].get<std::size_t>() + result["workers"][1]["iterations"].get<std::size_t>(),
        result["iterations"].get<std::size_t>());
  }
}

TEST(LoopCommand, PrintsATableOfWorkers) {
  const auto run = shell("starpath loop increment --n 5000 --cpus 2");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find("result identical to the serial one: yes"), std::string::npos) << run.output;
}

TEST(LoopCommand, NamesWhatThereIs) {
  const auto loop = shell("starpath loop increments 2>&1");
  EXPECT_EQ(loop.code, 2);
  EXPECT_NE(loop.output.find("there are: increment, blackscholes, histogram, boxfilter, nbody, heat2d, strmatch"),
            std::string::npos)
      << loop.output;
  const auto schedule = shell("starpath loop increment --n 10 --schedule fastest 2>&1");
  EXPECT_EQ(schedule.code, 2);
  EXPECT_NE(schedule.output.find("there are: hdss, gss"), std::string::npos) << schedule.output;
}

}  // namespace
}  // namespace starpath
