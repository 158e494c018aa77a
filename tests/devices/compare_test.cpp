// `starpath compare` with two real classes of workers.
#include <map>

#include "tests/devices/devices.hpp"

namespace starpath {
namespace {

using test::devices;
using test::shell;

TEST(CompareOnDevices, TellsWhoRanWhatAndWhatMoved) {
  const auto outcome =
      shell(devices("pthread") +
            "starpath compare segment synthetic:1100x900,seed=3 --policy fcfs,pats,apex,dmda --repeat 1 "
            "--json --quiet -- --cpus 1 --gpus 1 --tile 300 --halo 64");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const auto report = nlohmann::json::parse(outcome.output);
  ASSERT_EQ(report["classes"].size(), 2U);
  EXPECT_EQ(report["workers"], (std::vector<int>{1, 1}));
  std::map<std::string, nlohmann::json> who;
  for (const auto& own : report["policies"]) {
    EXPECT_TRUE(own["failures"].empty()) << own;
    EXPECT_GT(own["moved_bytes"].get<double>(), 0) << own["policy"];
    int on_device = 0, at_all = 0;
    for (const auto& stage : own["ran"]) {
      on_device += stage[0].get<int>();
      at_all += stage[0].get<int>() + stage[1].get<int>();
    }
    EXPECT_GT(on_device, 0) << own["policy"];
    EXPECT_LT(on_device, at_all) << own["policy"] << ": reading is for cores alone";
    who[own["policy"]] = own["ran"];
  }
  EXPECT_NE(who["fcfs"], who["pats"]) << "who ran what does not depend on the policy";
}

}  // namespace
}  // namespace starpath
