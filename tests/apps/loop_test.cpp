// `starpath loop`.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/apps/command.hpp"

namespace starpath {
namespace {

using test::shell;

TEST(LoopCommand, RunsEveryLoopToTheSerialResult) {
  for (const char* loop : {"increment --n 100001", "blackscholes --n 20001", "histogram --n 100001 --schedule gss",
                           "boxfilter --n 101 --initial-block 3", "nbody --n 501 --slow 4", "heat2d --n 401",
                           "strmatch --n 307 --schedule linear", "heart --n 61", "knn --n 53", "eclat --n 24"}) {
    const auto run = shell("starpath loop --json --cpus 2 --gpus 0 " + std::string(loop));
    ASSERT_EQ(run.code, 0) << run.output;
    const auto result = nlohmann::json::parse(run.output);
    EXPECT_EQ(result["identical"], true) << loop;
    EXPECT_EQ(result["gpu_iterations"], 0) << "of two CPU workers";
    EXPECT_EQ(
        result["workers"][0]["iterations"].get<std::size_t>() + result["workers"][1]["iterations"].get<std::size_t>(),
        result["iterations"].get<std::size_t>());
  }
}

TEST(LoopCommand, PrintsATableOfWorkers) {
  test::expect_one_line(shell("starpath loop increment --n 5000 --cpus 4096"), 2,
                        {"--cpus: '4096' is no number from 0 to "});
  const auto run = shell("starpath loop increment --n 5000 --cpus 2");
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.output.find("result identical to the serial one: yes"), std::string::npos) << run.output;
}

TEST(LoopCommand, NamesWhatThereIs) {
  std::string names = "increment blackscholes histogram boxfilter nbody heat2d strmatch heart knn eclat";
  std::ifstream script(STARPATH_SOURCE_DIR "/scripts/gpu-check.py");
  const std::string text(std::istreambuf_iterator<char>(script), {});
  EXPECT_NE(text.find("LOOPS = \"" + names + "\""), std::string::npos) << "what is checked on a GPU";
  for (std::size_t at = 0; (at = names.find(' ', at)) != std::string::npos; at += 2) names.replace(at, 1, ", ");
  const auto loop = shell("starpath loop increments 2>&1");
  EXPECT_EQ(loop.code, 2);
  EXPECT_NE(loop.output.find("there are: " + names), std::string::npos) << loop.output;
  const auto schedule = shell("starpath loop increment --n 10 --schedule fastest 2>&1");
  EXPECT_EQ(schedule.code, 2);
  EXPECT_NE(schedule.output.find("there are: hdss, gss"), std::string::npos) << schedule.output;
}

}  // namespace
}  // namespace starpath
