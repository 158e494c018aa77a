// Rows of a study that are written beside the work.
#include "pipelines/study/study_writer.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "tests/apps/command.hpp"

namespace starpath::apps {
namespace {

io::SlideSummary done() {
  io::SlideSummary summary;
  summary.state = io::SlideState::done;
  return summary;
}

class StudyWriterTest : public testing::Test {
 protected:
  StudyWriterTest() : store_(io::StudyStore::create(file_, "1", "{}")) {
    for (int i = 0; i < kSlides; ++i) slides_.push_back({.path = "s.svs", .folder = "s" + std::to_string(i)});
    store_.take(slides_);
  }
  std::vector<io::SlideState> states() const {
    std::vector<io::SlideState> states;
    for (const io::StudyRow& row : io::StudyStore::open(file_).rows()) states.push_back(row.summary.state);
    return states;
  }

  static constexpr int kSlides = 40;
  const test::TemporaryFolder folder_;
  const std::string file_ = folder_ / "study.sqlite";
  std::vector<io::StudySlide> slides_;
  io::StudyStore store_;
};

TEST_F(StudyWriterTest, WritesInOrderAndThenTells) {
  std::vector<std::int64_t> told;
  StudyWriter writer(store_);
  for (std::int64_t number = 1; number <= kSlides; ++number) {
    writer.push({number});
    writer.push({number, done()}, [&told, number] { told.push_back(number); });
  }
  writer.flush();
  std::vector<std::int64_t> all;
  for (std::int64_t number = 1; number <= kSlides; ++number) all.push_back(number);
  EXPECT_EQ(told, all);
  EXPECT_EQ(states(), std::vector(kSlides, io::SlideState::done));
}

TEST_F(StudyWriterTest, WritesWhatWaitsBeforeItEnds) {
  { StudyWriter(store_).push({2, done()}); }
  EXPECT_EQ(states()[1], io::SlideState::done);
}

TEST_F(StudyWriterTest, AFailureIsThrownToWhoeverComesNext) {
  StudyWriter writer(store_);
  bool told = false;
  io::SlideSummary twice = done();
  twice.features = {{"nucleus_area", 1, 1, 1, 1, 1}, {"nucleus_area", 1, 1, 1, 1, 1}};
  writer.push({1, twice}, [&told] { told = true; });
  EXPECT_THROW(writer.flush(), Error);
  EXPECT_THROW(writer.push({2}), Error);
  EXPECT_FALSE(told);
  EXPECT_EQ(states()[0], io::SlideState::waiting) << "the transaction is undone";
}

}  // namespace
}  // namespace starpath::apps
