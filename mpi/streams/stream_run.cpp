// The loop that runs both ends of the streams on a rank.
#include "mpi/streams/stream_run.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>

#include "mpi/streams/stream_judge.hpp"
#include "mpi/streams/stream_reader.hpp"
#include "mpi/transport/buffer_transport.hpp"
#include "pipelines/run/blocking_queue.hpp"
#include "pipelines/run/memory_watch.hpp"
#include "pipelines/run/run_progress.hpp"
#include "pipelines/run/tile_intake.hpp"

namespace starpath::mpi {
namespace {

constexpr unsigned kStaticWindow = 4, kDynamicWindow = 64;

std::string introduction_of(const std::vector<StreamWorker>& workers) {
  nlohmann::json array = nlohmann::json::array();
  for (const StreamWorker& worker : workers) array.push_back({worker.device_class, worker.accelerator});
  return array.dump();
}

StreamTeam team_of(const std::vector<std::string>& introductions) {
  std::vector<std::vector<StreamWorker>> ranks;
  for (const std::string& introduction : introductions) {
    auto& workers = ranks.emplace_back();
    for (const auto& worker : nlohmann::json::parse(introduction)) workers.push_back({worker.at(0), worker.at(1)});
  }
  return StreamTeam(ranks);
}

class StreamRun : public TileLoop, public StreamSite {
 public:
  StreamRun(TilePipeline& pipeline, int attempts, const StreamOptions& streams,
            const std::vector<StreamWorker>& workers, Job& job, TileSource& source, const ProgressCallback& on_progress,
            StreamCounts& counts)
      : pipeline_(pipeline),
        attempts_(attempts),
        streams_(streams),
        workers_(workers),
        job_(job),
        source_(source),
        progress_(on_progress),
        counts_(counts),
        transport_(job.shared_communicator()) {
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
  }
  // Tasks hold addresses of jobs, so they end first, for any reason that ends the run.
  ~StreamRun() override { starpu_task_wait_for_all(); }

  // --- TileLoop ---

  Progress work(std::size_t total, std::size_t left, const std::atomic<bool>&) override {
    progress_.expect(total, left);
    need_ = pipeline_.memory_need();
    check_memory(need_);
    memory_.emplace(need_.largest);
    progress_.tell();
    progress_.tell_notes(pipeline_.prepare_gpus());
    const auto introductions = job_.begin(introduction_of(workers_), [this](int from, const StreamMessage& message) {
      post([this, from, message] { told(from, message); });
    });
    try {
      if (introductions) set_up(team_of(*introductions));
      intake_.emplace(source_, tiles_in_hand_,
                      [this](SourceEvent event) { post([this, known = std::move(event)] { handle(known); }); });
      if (judge_) judge_->start();
      while (!intake_->over()) {
        go_on();
        next_event()();
      }
    } catch (const std::exception& error) {
      job_.abort(error.what());  // the others would wait for this rank's answers
    }
    if (times_) times_->save();
    if (failure_) std::rethrow_exception(failure_);
    counts_.buffers = transport_.sent();
    return progress_.ended(intake_->over()->interrupted);
  }

  void post(std::function<void()> event) override { events_.push(std::move(event)); }

  void task_ended(TileJob& job, const std::string& stage, bool reading, const TaskExecution& task) override {
    progress_.task_ended(stage, task);
    (reading ? job.read_seconds : job.compute_seconds) += task.seconds();
    if (reader_ && reader_->has(job))
      reader_->task_ended(job);
    else
      judge_->task_ended(job, task.seconds());
  }

  void done(const TileDone& tile) override {
    ++counts_.stored;
    if (!judge_->stored(tile)) reader_->stored(tile);
  }

  void failed(const std::exception_ptr& reason) override {
    try {
      std::rethrow_exception(reason);
    } catch (...) {
      give_up();
    }
    judge_->drop_unstored();
    if (reader_) reader_->drop_unstored();
  }

 private:
  // --- StreamSite ---

  std::unique_ptr<TileJob> make_job(std::int64_t tile) override { return pipeline_.make_job(tile); }

  void tell(int rank, const StreamMessage& message) override {
    if (rank == job_.rank())
      post([this, rank, message] { told(rank, message); });
    else
      job_.tell(rank, message);
  }

  void send(int rank, const Announcement& announcement, TileBuffer buffer) override {
    const BufferId id = announcement.sent.buffer.id;
    if (rank == job_.rank()) {
      on_their_way_.emplace(id, OnItsWay{rank, announcement, make_job(announcement.tile), std::move(buffer)});
      return post([this, id] { arrived(id); });
    }
    transport_.send(buffer.handle(), rank, id);
    buffer.let_go();
    job_.tell(rank, announcement);
  }

  bool finish(TileJob& job, const std::string& error) override {
    if (failure_) return false;
    try {
      pipeline_.finish(job, error);
    } catch (...) {
      give_up();
      return false;
    }
    return true;
  }

  void finished(const TileDone& tile) override {
    intake_->finished(tile);
    progress_.finished(tile);
  }

  void give_up() override {
    if (failure_) return;
    failure_ = std::current_exception();
    job_.stop();
    judge_->leave();
  }

  // --- events ---

  std::function<void()> next_event() {
    while (true) {
      if (auto event = events_.pop(std::chrono::seconds(1))) return std::move(*event);
      // A rank without tasks waits for other ranks.
      if (const int tasks = starpu_task_nsubmitted(); tasks > 0 && memory_->starved())
        end_run_without_memory(need_, fmt::format("{} tasks", tasks));
    }
  }

  void handle(const SourceEvent& event) {
    intake_->handle(event);
    if (const auto* done = std::get_if<TileDoneElsewhere>(&event)) progress_.finished(done->tile);
  }

  void arrived(BufferId id) {
    OnItsWay buffer = std::move(on_their_way_.extract(id).mapped());
    judge_->arrived(buffer.from, buffer.announcement, std::move(buffer.job), std::move(buffer.data));
  }

  void told(int from, const StreamMessage& message) {
    std::visit([&](const auto& known) { receive(from, known); }, message);
  }

  void receive(int from, const BufferRequest& message) { reader_->receive(from, message); }
  void receive(int from, const Farewell& message) { reader_->receive(from, message); }
  void receive(int, const Verdict& message) { reader_->judged(message); }
  void receive(int from, const NoBuffer& message) { judge_->receive(from, message); }
  void receive(int, const mpi::Note&) {}  // of other runs
  void receive(int from, const Announcement& message) {
    const BufferId id = message.sent.buffer.id;
    auto job = make_job(message.tile);
    TileBuffer data = job->buffer(message.round);
    data.note = message.note;
    const starpu_data_handle_t handle = data.handle();
    on_their_way_.emplace(id, OnItsWay{from, message, std::move(job), std::move(data)});
    transport_.receive(handle, from, id, [this, id] { post([this, id] { arrived(id); }); });
  }

  // --- the run ---

  struct OnItsWay {
    int from;
    Announcement announcement;
    std::unique_ptr<TileJob> job;
    TileBuffer data;
  };

  void set_up(const StreamTeam& team) {
    const std::size_t classes = team.classes().size();
    const unsigned given = static_cast<unsigned>(streams_.window);
    const StreamConsumerOptions windows{.window = given > 0 ? given : kStaticWindow,
                                        .most = given > 0 ? given : kDynamicWindow};
    judge_.emplace(*this, streams_.policy, classes, team.classes_of(job_.rank()), streams_.readers, windows);
    if (job_.rank() >= streams_.readers) return;
    times_.emplace(pipeline_.judging(), team.classes(), streams_.profile,
                   [this](const std::string& line) { progress_.tell_notes({line}); });
    reader_.emplace(*this, streams_.policy, classes, *times_, attempts_, job_.rank(), job_.size());
    const auto readers = static_cast<std::size_t>(streams_.readers);
    tiles_in_hand_ = (team.workers() * (windows.window + 1) + readers - 1) / readers;
  }

  void go_on() {
    if (reader_) read();
    if (judge_) judge_->feed_workers();
    if ((!reader_ || reader_->over()) && (!judge_ || judge_->over())) intake_->idle();
  }

  void read() {
    while (reader_->in_hand() < tiles_in_hand_ && intake_->has_next()) reader_->start(intake_->next().instance.tile);
    intake_->ask(reader_->in_hand());
    if (reader_->deserted()) {
      intake_->stop();
      reader_->abandon();
    }
    if (intake_->exhausted() && reader_->in_hand() == 0) reader_->end();
  }

  TilePipeline& pipeline_;
  const int attempts_;  // for a tile that fails
  const StreamOptions& streams_;
  const std::vector<StreamWorker>& workers_;
  Job& job_;
  TileSource& source_;
  MemoryNeed need_;                    // from work() on
  std::optional<MemoryWatch> memory_;  // the same
  RunProgress progress_;
  StreamCounts& counts_;
  std::exception_ptr failure_;  // why this rank takes leave of the others
  BlockingQueue<std::function<void()>> events_;
  std::size_t tiles_in_hand_ = 0;  // at most
  std::optional<TileIntake> intake_;
  std::unordered_map<BufferId, OnItsWay> on_their_way_;
  BufferTransport transport_;
  std::optional<JudgingTimes> times_;  // where there is a reader
  std::optional<StreamReader> reader_;
  std::optional<StreamJudge> judge_;
};

}  // namespace

MakeTileLoop stream_runs(const StreamOptions& streams, const std::vector<StreamWorker>& workers, Job& job,
                         TileSource& source, const ProgressCallback& on_progress, StreamCounts& counts) {
  return [&](TilePipeline& pipeline, const TileRunOptions& options) {
    return std::make_unique<StreamRun>(pipeline, options.attempts, streams, workers, job, source, on_progress, counts);
  };
}

}  // namespace starpath::mpi
