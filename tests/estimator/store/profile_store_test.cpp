// The profile: what goes in comes out, is bounded, and survives many processes.
#include "estimator/store/profile_store.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "tests/estimator/store/profile_fixture.hpp"

namespace starpath {
namespace {

using test::entry;
using test::group;
using Open = ProfileStore::Open;

class ProfileStoreTest : public test::ProfileTest {};

TEST_F(ProfileStoreTest, GivesBackWhatItWasGiven) {
  ProfileGroup given = group(2);
  given.samples[0].features = {};
  for (const double value : {0.1, -3.0, 1e300, 5e-324}) given.samples[0].features.add_numeric(value);
  given.samples[0].features.add_categorical(-7);
  given.samples[0].features.add_categorical(INT64_MAX);
  given.samples[0].seconds = 1.0 / 3.0;
  ProfileStore(file, Open::create).append(std::span(&given, 1));
  const auto found = ProfileStore(file, Open::existing).load();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].codelet, "blur");
  EXPECT_EQ(found[0].device_class, "cpu");
  EXPECT_EQ(found[0].numeric_names, given.numeric_names);
  EXPECT_EQ(found[0].categorical_names, given.categorical_names);
  EXPECT_EQ(found[0].offered, 2U);
  ASSERT_EQ(found[0].samples.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(found[0].samples[i].features, given.samples[i].features);
    EXPECT_EQ(found[0].samples[i].seconds, given.samples[i].seconds);
  }
}

TEST_F(ProfileStoreTest, SamplesWithoutFeaturesAreKept) {
  ProfileGroup given{.codelet = "",
                     .device_class = "cpu",
                     .numeric_names = {},
                     .categorical_names = {},
                     .samples = {{.features = {}, .seconds = 2}},
                     .offered = 1};
  ProfileStore(file, Open::create).append(std::span(&given, 1));
  EXPECT_EQ(ProfileStore(file, Open::existing).load().at(0).samples.at(0).seconds, 2);
}

TEST_F(ProfileStoreTest, TimesThatAreNoTimesAreLeftOut) {
  ProfileGroup given = group(1);
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    given.samples.push_back(entry(1, bad));
  ProfileStore(file, Open::create).append(std::span(&given, 1));
  EXPECT_EQ(samples(), 1U);
}

TEST_F(ProfileStoreTest, KeepsAnEvenChoiceUnderItsCap) {
  ProfileStore store(file, Open::create, {.capacity = 100});
  for (int batch = 0; batch < 20; ++batch) {
    const ProfileGroup given = group(50, 50.0 * batch);
    store.append(std::span(&given, 1));
  }
  const auto found = store.load();
  ASSERT_EQ(found.at(0).samples.size(), 100U);
  EXPECT_EQ(found[0].offered, 1000U);
  double sum = 0;
  for (const auto& sample : found[0].samples) sum += sample.features.numeric[0];
  // Uniform on 0..999: the mean of 100 has a standard deviation of 29; all early or all late ones are far off.
  EXPECT_NEAR(sum / 100, 500, 120);
}

TEST_F(ProfileStoreTest, ManyOffersWeighMoreThanTheSamplesTheyBring) {
  ProfileStore store(file, Open::create, {.capacity = 100});
  const ProfileGroup early = group(100, 0);
  store.append(std::span(&early, 1));
  ProfileGroup late = group(100, 1000);
  late.offered = 100000;
  store.append(std::span(&late, 1));
  const auto found = store.load();
  EXPECT_EQ(found.at(0).offered, 100100U);
  std::size_t fresh = 0;
  for (const auto& sample : found[0].samples) fresh += sample.features.numeric[0] >= 1000 ? 1U : 0U;
  EXPECT_GT(fresh, 50U);
}

TEST_F(ProfileStoreTest, NamesGrow) {
  ProfileStore store(file, Open::create);
  ProfileGroup given = group(1);
  for (const auto& names : std::vector<std::vector<std::string>>{{"a"}, {"a", "b"}, {"a"}, {"p0", "b"}}) {
    given.numeric_names = names;
    store.append(std::span(&given, 1));
  }
  EXPECT_EQ(store.load().at(0).numeric_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(store.load().at(0).samples.size(), 4U);
}

TEST_F(ProfileStoreTest, SamplesOfOtherParametersMakeWay) {
  ProfileStore store(file, Open::create);
  ProfileGroup given = group(5);
  store.append(std::span(&given, 1));
  ProfileGroup other = group(7, 1, "blur", "cuda");
  store.append(std::span(&other, 1));
  given = group(2);
  given.numeric_names = {"pixels"};
  store.append(std::span(&given, 1));
  const auto found = store.load();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].numeric_names, std::vector<std::string>{"pixels"});
  EXPECT_EQ(found[0].samples.size(), 2U);
  EXPECT_EQ(found[0].offered, 2U);
  EXPECT_EQ(found[1].samples.size(), 7U);  // of another class: they go when the codelet is measured there
}

TEST_F(ProfileStoreTest, LoadsOneCodelet) {
  ProfileStore store(file, Open::create);
  const std::vector<ProfileGroup> given = {group(1, 1, "a"), group(2, 1, "b"), group(3, 1, "b", "gpu")};
  store.append(given);
  ASSERT_EQ(store.load("b").size(), 2U);
  EXPECT_EQ(store.load("b")[1].samples.size(), 3U);
  EXPECT_TRUE(store.load("c").empty());
  EXPECT_EQ(store.list().size(), 3U);
}

TEST_F(ProfileStoreTest, PruneKeepsSoManyOfEach) {
  ProfileStore store(file, Open::create);
  const std::vector<ProfileGroup> given = {group(30, 1, "a"), group(5, 1, "b")};
  store.append(given);
  EXPECT_EQ(store.prune(10), 20U);
  EXPECT_EQ(store.list().at(0).samples, 10U);
  EXPECT_EQ(store.list().at(1).samples, 5U);
  store.append(given);  // there is place again
  EXPECT_EQ(store.list().at(0).samples, 40U);
  EXPECT_EQ(store.load().at(0).samples.size(), 40U);
  EXPECT_EQ(store.prune(0), 50U);
  EXPECT_TRUE(store.list().empty());
}

TEST_F(ProfileStoreTest, TenProcessesAtOnceLoseNothing) {
  constexpr int processes = 10;
  constexpr int batches = 8;
  std::vector<pid_t> children;
  for (int p = 0; p < processes; ++p) {
    children.push_back(test::in_child([&] {
      for (int batch = 0; batch < batches; ++batch) {
        const ProfileGroup given = group(5, 1000.0 * p + 10.0 * batch);
        ProfileStore(file, Open::create).append(std::span(&given, 1));  // the file is made by all of them at once
      }
      return 0;
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(test::status_of(child), 0);
  const auto found = ProfileStore(file, Open::existing).load();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].offered, 400U);
  std::set<double> sizes;
  for (const auto& sample : found[0].samples) sizes.insert(sample.features.numeric[0]);
  EXPECT_EQ(sizes.size(), 400U);
}

TEST_F(ProfileStoreTest, AKilledProcessLeavesWholeBatches) {
  const pid_t child = test::in_child([&] {
    for (double batch = 0;; ++batch) {
      const ProfileGroup given = group(7, 7 * batch);
      ProfileStore(file, Open::create).append(std::span(&given, 1));
    }
    return 0;
  });
  while (!std::filesystem::exists(file)) ::usleep(1000);
  ::usleep(100000);
  ::kill(child, SIGKILL);
  test::status_of(child);
  ProfileStore store(file, Open::create);
  const auto found = store.load();
  EXPECT_EQ(found.empty() ? 0U : found[0].offered % 7, 0U);
  const ProfileGroup given = group(1, -1);
  store.append(std::span(&given, 1));
}

}  // namespace
}  // namespace starpath
