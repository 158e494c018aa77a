// Learners in libraries of others: the one of docs/write-an-estimator.md, and all that can be wrong with one.
#include "estimator/learners/learner_library.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/read_file.hpp"
#include "base/temporary_folder.hpp"
#include "estimator/learner_names.hpp"

namespace starpath {
namespace {

Sample task(double size, unsigned device_class, double seconds) {
  Sample made{.features = {}, .device_class = device_class, .seconds = seconds};
  made.features.add_numeric(size);
  made.features.add_categorical(0);
  return made;
}

Features of_size(double size) { return task(size, 0, 1).features; }

/// A library of this fault, loaded under a name of its own: a library that is loaded already is not loaded again.
class FaultyLibrary : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::copy_file(STARPATH_FAULTY_ESTIMATOR, path_); }
  void TearDown() override { ::unsetenv("STARPATH_TEST_FAULT"); }

  MakeLearner learner_of(const std::string& fault) {
    ::setenv("STARPATH_TEST_FAULT", fault.c_str(), 1);
    return named_learner(path_, {.k = 1}, [this](const std::string& line) { lines_.push_back(line); });
  }

  /// What an estimator says of a task of 3 s, of which one sample is known.
  double answer_of(const std::string& fault) {
    Estimator estimator(learner_of(fault));
    const unsigned codelet = estimator.codelet("a");
    EXPECT_TRUE(estimator.learn(codelet, task(10, 0, 3)));
    const auto first = estimator.seconds(codelet, 0, of_size(10));
    EXPECT_EQ(estimator.seconds(codelet, 0, of_size(10)), first);
    return first.value();
  }

  TemporaryFolder folder_;
  std::string path_ = (folder_.path() / "faulty.so").string();
  std::vector<std::string> lines_;
};

TEST_F(FaultyLibrary, WithoutAFaultItAnswers) {
  EXPECT_EQ(answer_of(""), 0.125);
  EXPECT_EQ(lines_, std::vector<std::string>{});
}

TEST_F(FaultyLibrary, WhereItCannotTellKnnAnswers) {
  EXPECT_EQ(answer_of("cannot tell"), 3);
  EXPECT_EQ(lines_, std::vector<std::string>{});
}

/// Each fault is one line that names the library, the function and the remedy, and kNN answers.
class EachFault : public FaultyLibrary, public testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(EachFault, IsOneLineAndKnnAnswers) {
  const auto& [fault, expected] = GetParam();
  EXPECT_EQ(answer_of(fault), 3);
  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_EQ(lines_[0].rfind("estimator " + path_ + ": " + expected, 0), 0U) << lines_[0];
  EXPECT_EQ(lines_[0].find('\n'), std::string::npos);
}

constexpr std::pair<const char*, const char*> kFaults[] = {
    {"other version", "was built with version 2 of starpath/estimator.h, and this is version 1; build it anew"},
    {"lacks create", "lacks the function 'create' in its starpath_estimator; correct the library, or name another"},
    {"lacks destroy", "lacks the function 'destroy'"},
    {"lacks learn", "lacks the function 'learn'"},
    {"lacks estimate", "lacks the function 'estimate'"},
    {"throws in create", "its function 'create' threw an exception (no licence: buy one); correct the library"},
    {"throws in learn", "its function 'learn' threw an exception (no licence: buy one)"},
    {"throws in estimate", "its function 'estimate' threw an exception (no licence: buy one)"},
    {"throws a number in estimate", "its function 'estimate' threw an exception that is no std::exception"},
    {"no learner", "its function 'create' returned NULL"},
    {"nan", "its function 'estimate' estimated nan seconds, which is no finite time above 0; correct the library"},
    {"infinite", "its function 'estimate' estimated inf seconds"},
    {"negative", "its function 'estimate' estimated -1 seconds"},
    {"zero", "its function 'estimate' estimated 0 seconds"},
    {"negative error", "its function 'estimate' stated an error of -1, which is no share from 0"},
    {"nan error", "its function 'estimate' stated an error of nan"},
    {"answers 7", "its function 'estimate' returned 7, which is neither 0 nor 1"}};

INSTANTIATE_TEST_SUITE_P(Library, EachFault, testing::ValuesIn(kFaults), [](const auto& fault) {
  std::string name = fault.param.first;
  std::ranges::replace(name, ' ', '_');
  return name;
});

TEST_F(FaultyLibrary, AnExceptionWhileItIsLoadedEndsTheProgram) {
  const auto load = [this] {
    try {
      learner_of("throws in load");
    } catch (const Error& error) {
      std::fputs(error.what(), stderr);
      std::_Exit(static_cast<int>(error.kind()));
    }
  };
  EXPECT_EXIT(load(), testing::ExitedWithCode(3),
              "faulty.so: throws an exception .no licence: buy one. while it is loaded, after which no program can go "
              "on; correct the library");
}

TEST_F(FaultyLibrary, AFaultAtTheEndIsALineToo) {
  EXPECT_EQ(answer_of("throws in destroy"), 0.125);
  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_NE(lines_[0].find("its function 'destroy' threw an exception"), std::string::npos) << lines_[0];
}

TEST_F(FaultyLibrary, AfterAFaultItIsNotCalledForOtherCodeletsEither) {
  Estimator estimator(learner_of(""));
  for (const char* name : {"a", "b"}) estimator.learn(estimator.codelet(name), task(10, 0, 3));
  EXPECT_EQ(estimator.seconds(0, 0, of_size(10)), 0.125);
  ::setenv("STARPATH_TEST_FAULT", "nan", 1);
  EXPECT_EQ(estimator.seconds(0, 0, of_size(10)), 3);
  ::unsetenv("STARPATH_TEST_FAULT");
  EXPECT_EQ(estimator.seconds(1, 0, of_size(10)), 3);
  EXPECT_EQ(lines_.size(), 1U);
}

TEST_F(FaultyLibrary, WhoHearsOfTroubleMayThrow) {
  ::setenv("STARPATH_TEST_FAULT", "nan", 1);
  Estimator estimator(named_learner(path_, {}, [](const std::string& line) { throw std::runtime_error(line); }));
  EXPECT_THROW(estimator.seconds(estimator.codelet("a"), 0, of_size(1)), std::runtime_error);
}

/// The library notices calls that overlap, and so does a sanitizer: its learners are not guarded.
TEST_F(FaultyLibrary, CallsForOneLearnerDoNotOverlap) {
  Estimator estimator(learner_of(""));
  for (const char* name : {"a", "b"}) estimator.learn(estimator.codelet(name), task(10, 0, 3));
  const Estimator& shared = estimator;
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread)
    threads.emplace_back([&shared, thread] {
      for (int i = 0; i < 2000; ++i) EXPECT_EQ(shared.seconds(thread % 2, 0, of_size(10)), 0.125);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lines_, std::vector<std::string>{});
}

TEST(LearnerLibraries, AFileThatIsNoneIsOneLine) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "missing.so").string();
  const std::map<std::string, std::string> cases = {
      {missing, "cannot be loaded (" + missing + ": cannot open shared object file: No such file or directory); "},
      {folder.path().string(), "cannot be loaded ("},
      {STARPATH_SOURCE_DIR "/README.md", "defines no starpath_estimator; "},
      {STARPATH_NO_ESTIMATOR, "defines no starpath_estimator; its source needs starpath/estimator.h"}};
  for (const auto& [path, expected] : cases) {
    std::vector<std::string> lines;
    Estimator estimator(named_learner(path, {}, [&](const std::string& line) { lines.push_back(line); }));
    estimator.learn(estimator.codelet("a"), task(10, 0, 3));
    EXPECT_EQ(estimator.seconds(0, 0, of_size(1)), 3);
    ASSERT_EQ(lines.size(), 1U) << path;
    EXPECT_EQ(lines[0].rfind("estimator " + path + ": " + expected, 0), 0U) << lines[0];
  }
  EXPECT_EQ(dlopen(STARPATH_NO_ESTIMATOR, RTLD_LAZY | RTLD_NOLOAD), nullptr) << "its initialisers have not run";
}

TEST(LearnerLibraries, ANameWithoutASlashIsNoPath) {
  EXPECT_TRUE(is_learner("knn"));
  EXPECT_TRUE(is_learner("linear"));
  EXPECT_TRUE(is_learner("./libmine.so"));
  for (const char* name : {"libmine.so", "libm.so.6", "", "KNN"}) EXPECT_FALSE(is_learner(name)) << name;
}

TEST(WriteAnEstimator, ThePageShowsTheExampleAsItIs) {
  const std::string example = read_file(STARPATH_SOURCE_DIR "/tests/estimator/learners/example_estimator.c");
  EXPECT_NE(read_file(STARPATH_SOURCE_DIR "/docs/write-an-estimator.md").find("```c\n" + example + "```\n"),
            std::string::npos);
}

TEST(WriteAnEstimator, TheExampleDoesWhatItSays) {
  std::vector<std::string> lines;
  Estimator estimator(
      named_learner(STARPATH_EXAMPLE_ESTIMATOR, {}, [&](const std::string& line) { lines.push_back(line); }));
  const unsigned codelet = estimator.codelet("a");
  EXPECT_EQ(estimator.estimate(codelet, 0, of_size(1)), std::nullopt);
  estimator.learn(codelet, task(99, 0, 2));
  EXPECT_DOUBLE_EQ(estimator.seconds(codelet, 0, of_size(49)).value(), 1);
  EXPECT_EQ(estimator.estimate(codelet, 1, of_size(49)), std::nullopt);
  estimator.learn(codelet, task(99, 0, 1));  // half of what was expected: a fifth of the way there
  const TimeEstimate found = estimator.estimate(codelet, 0, of_size(99)).value();
  EXPECT_DOUBLE_EQ(found.seconds, 1.8);
  EXPECT_DOUBLE_EQ(found.error, 1);
  for (int i = 0; i < 100; ++i) estimator.learn(codelet, task(199, 0, 2));
  EXPECT_NEAR(estimator.seconds(codelet, 0, of_size(99)).value(), 1, 1e-6);
  EXPECT_LT(estimator.estimate(codelet, 0, of_size(99)).value().error, 1e-6);
  EXPECT_EQ(lines, std::vector<std::string>{});
}

}  // namespace
}  // namespace starpath
