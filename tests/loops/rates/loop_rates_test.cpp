// Rates from the profile: kept, found again, and an adaptive phase that starts from them.
#include "loops/rates/loop_rates.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "loops/hdss.hpp"
#include "support/loop_simulation.hpp"

namespace starpath {
namespace {

class LoopRatesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("starpath-loop-rates-" + std::to_string(::getpid()) + "-" +
                                                        testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  LoopRates open() {
    return {(folder_ / "my.profile").string(), [this](const std::string& line) { reports_.push_back(line); }};
  }

  std::filesystem::path folder_;
  std::vector<std::string> reports_;
};

TEST_F(LoopRatesTest, AreFoundAgain) {
  LoopRates first = open();
  EXPECT_EQ(first.rate("heat", "cpu", {1000, 100000}), 0) << "nothing is known yet";
  first.learn("heat", "cpu", {1000, 100000}, 2);
  first.learn("heat", "cuda Tesla K20", {50000, 100000}, 30);
  first.learn("heat", "cpu", {1000, 100000}, 0);
  first.save();
  const LoopRates second = open();
  EXPECT_DOUBLE_EQ(second.rate("heat", "cpu", {1000, 100000}), 2);
  EXPECT_DOUBLE_EQ(second.rate("heat", "cuda Tesla K20", {50000, 100000}), 30);
  EXPECT_EQ(second.rate("heat", "cuda Tesla K40", {50000, 100000}), 0);
  EXPECT_EQ(second.rate("cold", "cpu", {1000, 100000}), 0);
  EXPECT_TRUE(reports_.empty());
}

TEST_F(LoopRatesTest, DoWithoutAProfileThatIsDamaged) {
  std::ofstream(folder_ / "my.profile") << "no profile at all, but long enough to be looked at";
  EXPECT_EQ(open().rate("heat", "cpu", {1000, 100000}), 0);
  EXPECT_EQ(reports_.size(), 1U);
}

/// HDSS, and how many blocks it hands out before its weights are stable.
class Counted final : public loops::Schedule {
 public:
  Counted(const loops::LoopSetup& setup, unsigned& adaptive)
      : hdss_(setup), left_(setup.iterations), adaptive_(adaptive) {}
  std::size_t size(unsigned p, std::size_t left, std::size_t available) const override {
    return hdss_.size(p, left, available);
  }
  void taken(unsigned p, std::size_t n) override {
    if (hdss_.adaptive(left_)) ++adaptive_;
    left_ -= n;
    hdss_.taken(p, n);
  }
  void finished(unsigned p, std::size_t n, double microseconds) override { hdss_.finished(p, n, microseconds); }
  double weight(unsigned p) const override { return hdss_.weight(p); }

 private:
  loops::Hdss hdss_;
  std::size_t left_;
  unsigned& adaptive_;
};

TEST_F(LoopRatesTest, MakeTheAdaptivePhaseShorter) {
  constexpr std::size_t n = 50'000'000;
  const char* const classes[] = {"cuda", "cpu", "cpu"};
  // A device whose rate grows with the block, and two cores.
  const std::vector<loops::simulation::Processor> processors = {
      {.a = 4, .b = -20, .lowest = 0.5, .saturation = 2e6}, {.b = 0.8, .lowest = 0.8}, {.b = 0.8, .lowest = 0.8}};
  const auto run = [&](LoopRates& rates, unsigned& adaptive) {
    loops::LoopSetup setup{.iterations = n, .processors = {}};
    for (const char* device_class : classes)
      setup.processors.push_back({.known_rate = rates.rate("loop", device_class, {n / 3.0, n})});
    loops::Dispatcher dispatcher(n, std::make_unique<Counted>(setup, adaptive));
    const auto outcome = loops::simulation::run(dispatcher, processors);
    for (unsigned p = 0; p < 3; ++p) rates.learn("loop", classes[p], {n / 3.0, n}, dispatcher.schedule().weight(p));
    rates.save();
    return outcome;
  };
  unsigned cold = 0, warm = 0;
  LoopRates nothing = open();
  const auto first = run(nothing, cold);
  LoopRates known = open();
  EXPECT_NEAR(known.rate("loop", "cpu", {n / 3.0, n}), 0.8, 1e-6);
  const auto second = run(known, warm);
  EXPECT_GE(cold, 8U);
  EXPECT_LE(2 * warm, cold) << "a block each confirms the rates, and whoever is done early gets another";
  RecordProperty("cold", static_cast<int>(cold));
  RecordProperty("warm", static_cast<int>(warm));
  EXPECT_LE(second.makespan, first.makespan);
  EXPECT_LT(second.imbalance(), 0.001);
  EXPECT_EQ(second.iterations[0] + second.iterations[1] + second.iterations[2], n);
}

}  // namespace
}  // namespace starpath
