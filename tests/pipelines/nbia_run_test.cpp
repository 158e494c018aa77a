// NBIA in StarPU against the same decisions made field by field with the reference kernels, and its pure parts.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.hpp"
#include "codelets/kernels/area_average.hpp"
#include "codelets/kernels/nbia_statistics.hpp"
#include "pipelines/nbia/classify_field.hpp"
#include "pipelines/nbia/field_labels.hpp"
#include "pipelines/nbia/fields.hpp"
#include "pipelines/nbia/run_nbia.hpp"
#include "pipelines/run/run_info.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "pipelines/run/tile_list.hpp"
#include "pipelines/run/tile_run.hpp"
#include "support/images.hpp"
#include "tests/pipelines/apart_loop.hpp"
#include "tests/support/stubborn_slide.hpp"

namespace starpath {
namespace {

TEST(NbiaFields, CoverTheSlideAndStayInside) {
  const auto fields = cut_fields(1200, 600, 512, {});
  ASSERT_EQ(fields.size(), 6u);
  EXPECT_EQ(fields[2].core, (Rect{1024, 0, 176, 512}));
  EXPECT_EQ(fields[2].x, 1200 - 512);
  EXPECT_EQ(fields[5].core, (Rect{1024, 512, 176, 88}));
  EXPECT_EQ(fields[5].y, 600 - 512);
  const auto part = cut_fields(1200, 600, 512, {1100, 10, 1, 1});
  ASSERT_EQ(part.size(), 1u);
  EXPECT_EQ(part[0].index, 2);
  EXPECT_EQ(part[0].core, fields[2].core);
  EXPECT_THROW(cut_fields(511, 600, 512, {}), Error);
}

TEST(NbiaDecision, VotesDecideUnlessARateIsForced) {
  const NbiaVote clear{NbiaLabel::stroma_rich, 12, 0}, unclear{NbiaLabel::stroma_poor, 11, 0}, glass = kNbiaGlass;
  EXPECT_FALSE(is_recalculated(clear, 0, 0, kFreeRecalculation));
  EXPECT_TRUE(is_recalculated(unclear, 0, 0, kFreeRecalculation));
  EXPECT_FALSE(is_recalculated(glass, 0, 0, kFreeRecalculation));
  EXPECT_TRUE(decision_of(unclear, 512).low_confidence);
  EXPECT_FALSE(decision_of(glass, 32).low_confidence);
  const NbiaVote far{NbiaLabel::stroma_rich, 12, 4 * 512 * 512};
  EXPECT_EQ(decision_of(far, 32).distance, 2);
  EXPECT_TRUE(decision_of(far, 32, far.distance - 1).out_of_range);
  EXPECT_FALSE(decision_of(far, 32, far.distance).out_of_range);
  EXPECT_FALSE(decision_of(far, 32).out_of_range);
  EXPECT_FALSE(decision_of(glass, 32, 0).out_of_range);
  for (const double rate : {0.0, 0.04, 0.2, 0.5, 1.0}) {
    int first = 0, second = 0;
    for (std::int64_t index = 0; index < 10000; ++index) {
      const bool again = is_recalculated(clear, index, 0, rate);
      first += again;
      second += again && is_recalculated(unclear, index, 1, rate);
    }
    EXPECT_NEAR(first, 10000 * rate, 10) << rate;
    EXPECT_NEAR(second, 10000 * rate * rate, 10) << rate;
  }
}

class RunNbia : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<io::FieldRecord> run(const io::Slide& slide, const NbiaOptions& options, const std::string& name,
                                   int* rounds_apart = nullptr) {
    const io::WorkingSlide grid(slide, model_.mpp, 0);
    const io::RunInfo info = run_info(slide.info(), grid, io::stated_resolution(slide.info(), 0), {});
    const io::RunKey key = nbia_run_key(slide.info(), model_, options);
    io::FieldStore store(io::ResultStore::create(folder_ / name, key, info, io::kNbiaTables), kNbiaFieldLabels);
    const StarpuSession session(session_);
    const std::vector<std::int64_t> left = fields_left(grid, store, model_, options);
    TileList fields(left);
    const ProgressCallback on_progress = [&](const Progress&, const std::string& failure) { told_ += failure; };
    const MakeTileLoop loop =
        rounds_apart != nullptr ? test::apart(left, *rounds_apart) : tile_runs(fields, on_progress);
    progress_ = run_nbia_fields(grid, store, model_, options, loop, stop_);
    return store.fields();
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("starpath_run_nbia_" + std::to_string(getpid()));
  const NbiaModel& model_ = bundled_model();
  SessionOptions session_{.policy = "eager", .cpus = 2, .gpus = 0};
  std::atomic<bool> stop_{false};
  Progress progress_;
  std::string told_;
};

/// The decision by the reference kernels, level by level.
NbiaDecision reference_decision(const io::WorkingSlide& grid, const Field& field, const NbiaModel& model, double rate) {
  support::Image<Rgb> pixels(model.field(), model.field());
  grid.read(field.x, field.y, pixels.view());
  for (int level = 0;; ++level) {
    const NbiaLevel& known = model.levels[static_cast<std::size_t>(level)];
    support::TestContext context;
    support::Image<Rgb> reduced(known.side, known.side);
    reference::area_average(context, pixels.view(), reduced.view());
    NbiaCounts counts;
    reference::nbia_statistics(context, reduced.view(), &counts);
    NbiaVote vote{};
    reference::nbia_classify(context, counts, known.samples(), &vote);
    if (&known == &model.levels.back() || !is_recalculated(vote, field.index, level, rate))
      return decision_of(vote, known.side, known.range);
  }
}

TEST_F(RunNbia, FieldsThatWereReadElsewhereAreTheSame) {
  const auto slide = io::open_slide("synthetic:2300x1700,pattern=stroma,seed=21");
  const NbiaOptions options{.recalc_rate = 0.6};
  int rounds = 0;
  const auto here = run(*slide, options, "here"), apart = run(*slide, options, "apart", &rounds);
  EXPECT_GT(rounds, static_cast<int>(here.size())) << "levels are rounds";
  ASSERT_EQ(apart.size(), here.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(apart[i].label, here[i].label) << "field " << here[i].index;
    EXPECT_EQ(apart[i].votes, here[i].votes) << "field " << here[i].index;
    EXPECT_EQ(apart[i].level, here[i].level) << "field " << here[i].index;
  }
}

TEST_F(RunNbia, DecidesAsTheReferenceKernels) {
  const auto slide = io::open_slide("synthetic:2300x1700,pattern=stroma,seed=21");
  const io::WorkingSlide grid(*slide, model_.mpp, 0);
  for (const double rate : {kFreeRecalculation, 0.6}) {
    const auto fields = run(*slide, {.recalc_rate = rate}, "rate" + std::to_string(rate));
    const auto expected = cut_fields(grid.width(), grid.height(), 512, {});
    ASSERT_EQ(fields.size(), expected.size());
    support::TestContext context;
    std::vector<Rgb> pixels(512 * 512);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const NbiaDecision decision = reference_decision(grid, expected[i], model_, rate);
      EXPECT_EQ(fields[i].label, static_cast<int>(decision.label)) << i;
      EXPECT_EQ(fields[i].votes, decision.votes) << i;
      EXPECT_EQ(fields[i].level, decision.level) << i;
      EXPECT_EQ(fields[i].low_confidence, decision.low_confidence) << i;
      EXPECT_EQ(fields[i].out_of_range, decision.out_of_range) << i;
      EXPECT_TRUE(fields[i].distance == decision.distance || decision.label == NbiaLabel::background) << i;
      grid.read(expected[i].x, expected[i].y, {pixels.data(), 512, 512, 512});
      const NbiaDecision alone =
          classify_field(context.scratch, {pixels.data(), 512, 512, 512}, model_, expected[i].index, rate);
      EXPECT_EQ(alone.label, decision.label);
      EXPECT_EQ(alone.level, decision.level);
    }
    const NbiaSummary summary = summarise(fields, model_);
    EXPECT_EQ(summary.computed[0], static_cast<std::int64_t>(fields.size()));
    if (rate > 0) {
      EXPECT_NEAR(summary.recalculation_rate(0), rate, 0.1);
    }
  }
}

TEST_F(RunNbia, AFailingReadIsTriedAgainAndThenRecorded) {
  const auto slide = io::open_slide("synthetic:512x512,pattern=stroma,seed=2");
  EXPECT_FALSE(run(support::StubbornSlide(*slide, 2), {}, "again")[0].failed);
  const auto fields = run(support::StubbornSlide(*slide, 1000), {}, "never");
  ASSERT_EQ(fields.size(), 1u);
  EXPECT_TRUE(fields[0].failed);
  EXPECT_EQ(progress_.tiles_failed, 1);
  EXPECT_NE(told_.find("no luck"), std::string::npos) << told_;
}

TEST_F(RunNbia, NamesTheOption) {
  const auto slide = io::open_slide("synthetic:512x512,pattern=stroma");
  const io::WorkingSlide grid(*slide, model_.mpp, 0);
  const auto refused = [&](const NbiaOptions& options) -> std::string {
    try {
      check_nbia_options(grid, model_, options);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refused({}), "");
  EXPECT_NE(refused({.recalc_rate = 16}).find("--recalc-rate 16"), std::string::npos);
  EXPECT_NE(refused({.window = -1}).find("--window -1"), std::string::npos);
  EXPECT_NE(refused({.roi = {600, 0, 5, 5}}).find("--roi"), std::string::npos);
}

}  // namespace
}  // namespace starpath
