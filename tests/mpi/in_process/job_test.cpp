// What ranks do together, with all their threads in one process: the real Job over a network in memory.
#include "mpi/job/job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include "pipelines/run/blocking_queue.hpp"
#include "pipelines/run/tile_intake.hpp"
#include "tests/mpi/in_process/switchboard.hpp"

namespace starpath::mpi {
namespace {

const Agreement kAgreement{"1.0", "slide", "{}"};

/// A pipeline whose tiles take no time. Every seventh fails.
class Pipeline {
 public:
  explicit Pipeline(TileSource& source)
      : intake_(source, 5, [this](SourceEvent event) {
          if (std::holds_alternative<BeginNoTile>(event)) {
            told_to_drop_ = true;
            told_to_drop_.notify_all();
          }
          events_.push(std::move(event));
        }) {}

  /// Calls `after` after each tile.
  void run(const std::function<void()>& after = [] {}) {
    while (!intake_.over()) {
      while (intake_.has_next()) {
        done_.push_back(intake_.next().instance.tile);
        const bool failed = fails(done_.back());
        intake_.finished({done_.back(), failed, false, 1, failed ? "unreadable" : ""});
        after();
      }
      intake_.ask(0);
      intake_.idle();
      const SourceEvent event = events_.pop();
      if (const auto* elsewhere = std::get_if<TileDoneElsewhere>(&event))
        if (elsewhere->tile.failed) failures_elsewhere_.push_back(elsewhere->tile.failure);
      intake_.handle(event);
    }
  }
  /// Waits until it is told to leave what is not begun.
  void wait_for_drop() const { told_to_drop_.wait(false); }
  static bool fails(std::int64_t tile) { return tile % 7 == 3; }
  const std::vector<std::int64_t>& done() const { return done_; }
  const std::vector<std::string>& failures_elsewhere() const { return failures_elsewhere_; }
  bool interrupted() const { return intake_.over()->interrupted; }

 private:
  BlockingQueue<SourceEvent> events_;
  std::vector<std::int64_t> done_;
  std::vector<std::string> failures_elsewhere_;
  std::atomic<bool> told_to_drop_{false};
  TileIntake intake_;
};

JobOptions options(const std::atomic<bool>* stop = nullptr) {
  return {600, stop, [](const std::string& what) { ADD_FAILURE() << what; }};
}

std::vector<std::int64_t> first(std::int64_t count) {
  std::vector<std::int64_t> tiles(static_cast<std::size_t>(count));
  std::iota(tiles.begin(), tiles.end(), 0);
  return tiles;
}

/// What a rank does: `body`, then its farewell; or it gives up. Returns why, if it did.
std::string run_rank(int rank, const std::function<void(Job&)>& body) {
  Job job(options());
  try {
    body(job);
    rank == 0 ? static_cast<void>(job.finish()) : job.bye("");
    return "";
  } catch (const Error& error) {
    job.fail(error.kind(), error.what());
    return error.what();
  }
}

TEST(RanksAsThreads, EachTileIsDoneOnceByAnyNumberOfRanks) {
  for (const int ranks : {1, 2, 4})
    for (const std::int64_t tiles : {0, 3, 200}) {
      SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(tiles) + " tiles");
      std::vector<std::vector<std::int64_t>> done(static_cast<std::size_t>(ranks));
      std::vector<RankResult> results;
      std::vector<std::string> failures_elsewhere;
      on_ranks(ranks, 1, [&](int rank) {
        Job job(options());
        Pipeline pipeline(rank == 0 ? job.manage(kAgreement, first(tiles)) : job.work(kAgreement));
        pipeline.run();
        done[static_cast<std::size_t>(rank)] = pipeline.done();
        if (rank != 0) return job.bye("books of " + std::to_string(rank));
        results = job.finish();
        failures_elsewhere = pipeline.failures_elsewhere();
      });
      std::vector<std::int64_t> all = done[0];
      std::vector<std::string> expected_failures;
      EXPECT_EQ(results[0].tiles, static_cast<std::int64_t>(done[0].size()));
      for (std::size_t rank = 1; rank < done.size(); ++rank) {
        const std::string number = std::to_string(rank);
        EXPECT_EQ(results[rank].tiles, static_cast<std::int64_t>(done[rank].size()));
        EXPECT_EQ(results[rank].books, "books of " + number);
        all.insert(all.end(), done[rank].begin(), done[rank].end());
        expected_failures.insert(expected_failures.end(),
                                 static_cast<std::size_t>(std::ranges::count_if(done[rank], Pipeline::fails)),
                                 "unreadable, rank " + number + " on node" + number);
      }
      std::ranges::sort(all);
      std::ranges::sort(failures_elsewhere);
      EXPECT_EQ(all, first(tiles));
      EXPECT_EQ(failures_elsewhere, expected_failures);
    }
}

TEST(RanksAsThreads, AllEndWhenOneFailsAmidTiles) {
  for (const int failing : {0, 2}) {
    SCOPED_TRACE("rank " + std::to_string(failing));
    std::string told;
    std::atomic<bool> failed{false};
    on_ranks(3, 2, [&](int rank) {
      const std::string why = run_rank(rank, [&](Job& job) {
        Pipeline pipeline(rank == 0 ? job.manage(kAgreement, first(100)) : job.work(kAgreement));
        pipeline.run([&] {
          if (rank != failing) return failed.wait(false);
          if (pipeline.done().size() < 20) return;
          failed = true;
          failed.notify_all();
          throw Error(ErrorKind::output, "the disk is full");
        });
      });
      if (rank == 0) told = why;
    });
    EXPECT_EQ(told, failing == 0 ? "the disk is full" : "rank 2 on node2: the disk is full");
  }
}

TEST(RanksAsThreads, OneThatDisagreesIsRefusedAndTheOthersEnd) {
  std::string told, refused;
  on_ranks(3, 3, [&](int rank) {
    const std::string why = run_rank(rank, [&](Job& job) {
      Pipeline pipeline(rank == 0   ? job.manage(kAgreement, first(100))
                        : rank == 1 ? job.work({"1.1", kAgreement.slide, kAgreement.parameters})
                                    : job.work(kAgreement));
      pipeline.run();
    });
    if (rank < 2) (rank == 0 ? told : refused) = why;
  });
  EXPECT_EQ(refused, "it runs starpath 1.1, rank 0 runs 1.0: install the same on every node");
  EXPECT_EQ(told, "rank 1 on node1: " + refused);
}

TEST(RanksAsThreads, BeginTogetherAndTellEachOther) {
  constexpr int ranks = 4;
  std::vector<std::vector<std::string>> introductions(ranks);
  std::vector<std::vector<std::int64_t>> heard(ranks);
  on_ranks(ranks, 5, [&](int rank) {
    const auto index = static_cast<std::size_t>(rank);
    Job job(options());
    Pipeline pipeline(rank == 0 ? job.manage(kAgreement, {}) : job.work(kAgreement));
    BlockingQueue<std::int64_t> told;
    const auto on_peer = [&](int from, const StreamMessage& message) {
      told.push(100 * from + std::get<Farewell>(message).requests);
    };
    introductions[index] = job.begin("this is " + std::to_string(rank), on_peer).value();
    for (int other = 0; other < ranks; ++other)
      if (other != rank) job.tell(other, Farewell{other});
    for (int other = 0; other + 1 < ranks; ++other) heard[index].push_back(told.pop());
    pipeline.run();
    EXPECT_GE(job.sent().messages, ranks - 1);
    EXPECT_GT(job.sent().bytes, 0);
    rank == 0 ? static_cast<void>(job.finish()) : job.bye("");
  });
  for (int rank = 0; rank < ranks; ++rank) {
    const auto index = static_cast<std::size_t>(rank);
    EXPECT_EQ(introductions[index], (std::vector<std::string>{"this is 0", "this is 1", "this is 2", "this is 3"}));
    std::ranges::sort(heard[index]);
    std::vector<std::int64_t> expected;
    for (int other = 0; other < ranks; ++other)
      if (other != rank) expected.push_back(100 * other + rank);
    EXPECT_EQ(heard[index], expected);
  }
}

TEST(RanksAsThreads, NobodyBeginsWhenOneCannot) {
  for (const int failing : {0, 2}) {
    SCOPED_TRACE("rank " + std::to_string(failing));
    std::atomic<int> taken_in{0}, cancelled{0};
    std::string told;
    on_ranks(3, 6, [&](int rank) {
      const std::string why = run_rank(rank, [&](Job& job) {
        Pipeline pipeline(rank == 0 ? job.manage(kAgreement, first(10)) : job.work(kAgreement));
        if (rank == failing) {
          for (int others = 0; others < 2; others = taken_in) taken_in.wait(others);
          throw Error(ErrorKind::runtime, "no worker");
        }
        ++taken_in;
        taken_in.notify_all();
        cancelled += !job.begin("", [](int, const StreamMessage&) {});
        pipeline.run();
      });
      if (rank == 0) told = why;
    });
    EXPECT_EQ(cancelled, 2);
    EXPECT_EQ(told, failing == 0 ? "no worker" : "rank 2 on node2: no worker");
  }
}

TEST(RanksAsThreads, NobodyBeginsWhenOneDisagreesBeforeRank0Manages) {
  bool begun = true;
  std::string told;
  on_ranks(2, 8, [&](int rank) {
    const std::string why = run_rank(rank, [&](Job& job) {
      if (rank == 1) job.work({"1.1", kAgreement.slide, kAgreement.parameters});
      std::this_thread::sleep_for(std::chrono::milliseconds(100));  // rank 1 has asked
      Pipeline pipeline(job.manage(kAgreement, first(10)));
      begun = job.begin("", [](int, const StreamMessage&) {}).has_value();
      pipeline.run();
    });
    if (rank == 0) told = why;
  });
  EXPECT_FALSE(begun);
  EXPECT_TRUE(told.starts_with("rank 1 on node1: it runs starpath 1.1")) << told;
}

TEST(RanksAsThreads, AStopOfOneEndsAllAfterWhatTheyHaveBegun) {
  std::atomic<bool> stop{false};
  bool interrupted = false;
  std::vector<RankResult> results;
  std::vector<std::size_t> done(3);
  on_ranks(3, 4, [&](int rank) {
    Job job(options(rank == 2 ? &stop : nullptr));
    Pipeline pipeline(rank == 0 ? job.manage(kAgreement, first(100)) : job.work(kAgreement));
    pipeline.run([&] {
      if (rank == 2 && pipeline.done().size() < 20) return;
      if (rank == 2) stop = true;
      pipeline.wait_for_drop();
    });
    done[static_cast<std::size_t>(rank)] = pipeline.done().size();
    if (rank != 0) return job.bye("");
    results = job.finish();
    interrupted = pipeline.interrupted();
  });
  EXPECT_TRUE(interrupted);
  for (std::size_t rank = 0; rank < done.size(); ++rank)
    EXPECT_EQ(results[rank].tiles, static_cast<std::int64_t>(done[rank]));
}

const workflow::AbstractWorkflow kTwo({{"segmentation", {}, {"labels"}}, {"features", {"labels"}}});

std::string labels_of(std::int64_t tile) { return "labels of " + std::to_string(tile) + "\n[0]"; }

/// A pipeline of two stages. The first takes no time, the second takes `turns` of events.
class TwoStages {
 public:
  TwoStages(TileSource& source, std::size_t window, int turns)
      : turns_(turns),
        window_(window),
        intake_(source, window, [this](SourceEvent event) { events_.push(std::move(event)); }) {}

  /// `after` is called after each instance.
  void run(const std::function<void()>& after = [] {}) {
    while (!intake_.over()) {
      while (intake_.has_next() && slow_.size() < window_) start(intake_.next(), after);
      intake_.ask(slow_.size());
      if (slow_.empty()) intake_.idle();
      // While something is slow, time passes without events.
      const auto event = slow_.empty() ? std::optional(events_.pop()) : events_.pop(std::chrono::microseconds(50));
      if (event) handle(*event);
      if (!slow_.empty() && --slow_.front().second <= 0) end(after);
    }
  }
  std::vector<std::int64_t> finished;
  int came = 0;  // labels of other ranks

 private:
  void start(const GivenInstance& given, const std::function<void()>& after) {
    const auto [tile, stage] = given.instance;
    if (stage == 0) {
      kept_.insert(tile);
      intake_.finished({tile, false, false, 0, "", 0, false});
      return after();
    }
    if (kept_.erase(tile) == 0) {
      ASSERT_EQ(given.inputs.size(), 1u);
      EXPECT_EQ(given.inputs[0].bytes, labels_of(tile));
      ++came;
    }
    slow_.emplace_back(tile, turns_);
  }
  void end(const std::function<void()>& after) {
    finished.push_back(slow_.front().first);
    intake_.finished({slow_.front().first, false, false, 1, "", 1, true});
    slow_.pop_front();
    after();
  }
  void handle(const SourceEvent& event) {
    if (const auto* forget = std::get_if<ForgetTile>(&event)) kept_.erase(forget->tile);
    if (const auto* wanted = std::get_if<DataWanted>(&event))
      intake_.send(
          wanted->instance, wanted->by,
          kept_.contains(wanted->instance.tile) ? std::optional(labels_of(wanted->instance.tile)) : std::nullopt);
    intake_.handle(event);
  }

  const int turns_;
  const std::size_t window_;
  BlockingQueue<SourceEvent> events_;
  std::set<std::int64_t> kept_;
  std::deque<std::pair<std::int64_t, int>> slow_;
  TileIntake intake_;
};

TEST(RanksAsThreads, StagesGoWhereTheirDataAreAndDataGoToRanksWithLessToDo) {
  int came = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::vector<std::vector<std::int64_t>> done(3);
    std::atomic<int> moved{0};
    on_ranks(3, seed, [&](int rank) {
      Job job(options());
      // Rank 1 is slow.
      TwoStages pipeline(rank == 0 ? job.manage(kAgreement, first(30), 0, kTwo) : job.work(kAgreement), 8,
                         rank == 1 ? 100 : 1);
      pipeline.run();
      done[static_cast<std::size_t>(rank)] = pipeline.finished;
      moved += pipeline.came;
      rank == 0 ? static_cast<void>(job.finish()) : job.bye("");
    });
    std::vector<std::int64_t> all;
    for (const auto& tiles : done) all.insert(all.end(), tiles.begin(), tiles.end());
    std::ranges::sort(all);
    EXPECT_EQ(all, first(30)) << "seed " << seed;
    came += moved;
  }
  EXPECT_GT(came, 0);
}

TEST(RanksAsThreads, ARankThatFailsBetweenStagesTakesWhatItKeptWithIt) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::string told;
    std::vector<std::vector<std::int64_t>> done(3);
    std::atomic<bool> failed{false};
    on_ranks(3, seed, [&](int rank) {
      const std::string why = run_rank(rank, [&](Job& job) {
        TwoStages pipeline(rank == 0 ? job.manage(kAgreement, first(60), 0, kTwo) : job.work(kAgreement), 8,
                           rank == 1 ? 100 : 1);
        int instances = 0;
        try {
          pipeline.run([&] {
            if (++instances < 6) return;
            if (rank != 1) return failed.wait(false);
            failed = true;
            failed.notify_all();
            throw Error(ErrorKind::output, "the disk is full");
          });
        } catch (...) {
          done[static_cast<std::size_t>(rank)] = pipeline.finished;
          throw;
        }
        done[static_cast<std::size_t>(rank)] = pipeline.finished;
      });
      if (rank == 0) told = why;
    });
    EXPECT_EQ(told, "rank 1 on node1: the disk is full");
    std::set<std::int64_t> once;
    for (const auto& tiles : done)
      for (const std::int64_t tile : tiles) EXPECT_TRUE(once.insert(tile).second) << "tile " << tile << " twice";
  }
}

}  // namespace
}  // namespace starpath::mpi
