// The loop that runs both ends of the streams on a rank.
#include "mpi/streams/nbia_stream.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <chrono>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "mpi/streams/field_judge.hpp"
#include "mpi/streams/field_reader.hpp"
#include "mpi/transport/buffer_transport.hpp"
#include "pipelines/run/blocking_queue.hpp"
#include "pipelines/run/memory_watch.hpp"
#include "pipelines/run/run_progress.hpp"

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

class StreamRun : public StreamSite {
 public:
  StreamRun(const io::WorkingSlide& the_slide, io::FieldStore& store, const NbiaModel& the_model,
            const NbiaOptions& the_options, const StreamOptions& streams, Job& job, TileSource& source,
            const ProgressCallback& on_progress)
      : StreamSite(the_slide, the_model, the_options),
        store_(store),
        streams_(streams),
        job_(job),
        source_(source),
        progress_(on_progress),
        transport_(job.shared_communicator()) {
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    FieldsToDo to_do = fields_to_do(slide, store, model, options);
    progress_.expect(to_do.total, to_do.fields.size());
    fields = std::move(to_do.fields);
  }
  // Tasks hold addresses of fields, so they end first, for any reason that ends the run.
  ~StreamRun() override { starpu_task_wait_for_all(); }

  StreamResult work(const std::vector<StreamWorker>& workers) {
    check_memory(need_);
    progress_.tell();
    progress_.tell_notes(prepare_gpus_for(model));
    const auto introductions = job_.begin(introduction_of(workers), [this](int from, const StreamMessage& message) {
      post(RankTold{from, message});
    });
    try {
      if (introductions) set_up(team_of(*introductions));
      intake_.emplace(source_, fields_in_hand_, [this](SourceEvent event) { post(std::move(event)); });
      if (judge_) judge_->start();
      while (!intake_->over()) {
        go_on();
        const StreamEvent event = next_event();
        std::visit([this](const auto& known) { handle(known); }, event);
      }
    } catch (const std::exception& error) {
      job_.abort(error.what());  // the others would wait for this rank's answers
    }
    if (times_) times_->save();
    if (failure_) std::rethrow_exception(failure_);
    return {progress_.ended(intake_->over()->interrupted), stored_, transport_.sent()};
  }

 private:
  // --- StreamSite ---

  void post(StreamEvent event) override { events_.push(std::move(event)); }

  void tell(int rank, const StreamMessage& message) override {
    if (rank == job_.rank())
      post(RankTold{rank, message});
    else
      job_.tell(rank, message);
  }

  void send(int rank, const Announcement& announcement, FieldImage image) override {
    const BufferId id = announcement.sent.buffer.id;
    if (rank == job_.rank()) {
      on_their_way_.emplace(id, OnItsWay{rank, announcement, image});
      return post(BufferArrived{id});
    }
    transport_.send(image.handle, rank, id);
    if (image.temporary) starpu_data_unregister_submit(image.handle);
    job_.tell(rank, announcement);
  }

  bool commit(const io::FieldRecord& field) override {
    if (failure_) return false;
    try {
      store_.commit(field);
    } catch (...) {
      give_up();
      return false;
    }
    ++stored_;
    return true;
  }

  void finished(const TileDone& field) override {
    intake_->finished(field);
    progress_.finished(field);
  }

  void count(FieldStage stage, int side, const TaskExecution& run) override {
    progress_.task_ended(stage_name(stage, side), run);
  }

  void give_up() override {
    if (failure_) return;
    failure_ = std::current_exception();
    job_.stop();
    judge_->leave();
  }

  // --- events ---

  StreamEvent next_event() {
    while (true) {
      if (auto event = events_.pop(std::chrono::seconds(1))) return std::move(*event);
      // A rank without tasks waits for other ranks.
      if (const int tasks = starpu_task_nsubmitted(); tasks > 0 && memory_.starved())
        end_run_without_memory(need_, fmt::format("{} tasks", tasks));
    }
  }

  void handle(const SourceEvent& event) {
    intake_->handle(event);
    if (const auto* done = std::get_if<TileDoneElsewhere>(&event)) progress_.finished(done->tile);
  }
  void handle(const ReadingTaskEnded& event) { reader_->task_ended(event); }
  void handle(const JudgingTaskEnded& event) { judge_->task_ended(event); }
  void handle(const BufferArrived& event) {
    const OnItsWay buffer = on_their_way_.extract(event.buffer).mapped();
    judge_->arrived(buffer.from, buffer.announcement, buffer.image);
  }
  void handle(const RankTold& event) {
    std::visit([&](const auto& message) { told(event.from, message); }, event.message);
  }

  void told(int from, const BufferRequest& message) { reader_->receive(from, message); }
  void told(int from, const Farewell& message) { reader_->receive(from, message); }
  void told(int, const Verdict& message) { reader_->judged(message); }
  void told(int from, const NoBuffer& message) { judge_->receive(from, message); }
  void told(int, const mpi::Note&) {}  // of other runs
  void told(int from, const Announcement& message) {
    const BufferId id = message.sent.buffer.id;
    const FieldImage image{square_image(model.levels.at(static_cast<std::size_t>(message.level)).side), true};
    on_their_way_.emplace(id, OnItsWay{from, message, image});
    transport_.receive(image.handle, from, id, [this, id] { post(BufferArrived{id}); });
  }

  // --- the run ---

  struct OnItsWay {
    int from;
    Announcement announcement;
    FieldImage image;
  };

  void set_up(const StreamTeam& team) {
    const std::size_t classes = team.classes().size();
    const unsigned given = static_cast<unsigned>(streams_.window);
    const StreamConsumerOptions windows{.window = given > 0 ? given : kStaticWindow,
                                        .most = given > 0 ? given : kDynamicWindow};
    judge_.emplace(*this, streams_.policy, classes, team.classes_of(job_.rank()), streams_.readers, windows);
    if (job_.rank() >= streams_.readers) return;
    times_.emplace(team.classes(), streams_.profile, [this](const std::string& line) { progress_.tell_notes({line}); });
    reader_.emplace(*this, streams_.policy, classes, *times_, job_.rank(), job_.size());
    const auto readers = static_cast<std::size_t>(streams_.readers);
    fields_in_hand_ = (team.workers() * (windows.window + 1) + readers - 1) / readers;
  }

  void go_on() {
    if (reader_) read();
    if (judge_) judge_->feed_workers();
    if ((!reader_ || reader_->over()) && (!judge_ || judge_->over())) intake_->idle();
  }

  void read() {
    while (reader_->in_hand() < fields_in_hand_ && intake_->has_next()) reader_->start(intake_->next().instance.tile);
    intake_->ask(reader_->in_hand());
    if (reader_->deserted()) {
      intake_->stop();
      reader_->abandon();
    }
    if (intake_->exhausted() && reader_->in_hand() == 0) reader_->end();
  }

  io::FieldStore& store_;
  const StreamOptions& streams_;
  Job& job_;
  TileSource& source_;
  const MemoryNeed need_ = memory_need_of(model);
  MemoryWatch memory_{need_.largest};
  RunProgress progress_;
  std::int64_t stored_ = 0;
  std::exception_ptr failure_;  // why this rank takes leave of the others
  BlockingQueue<StreamEvent> events_;
  std::size_t fields_in_hand_ = 0;  // at most
  std::optional<TileIntake> intake_;
  std::unordered_map<BufferId, OnItsWay> on_their_way_;
  BufferTransport transport_;
  std::optional<JudgingTimes> times_;  // where there is a reader
  std::optional<FieldReader> reader_;
  std::optional<FieldJudge> judge_;
};

}  // namespace

StreamResult run_nbia_stream(const io::WorkingSlide& slide, io::FieldStore& store, const NbiaModel& model,
                             const NbiaOptions& options, const StreamOptions& streams,
                             const std::vector<StreamWorker>& workers, Job& job, TileSource& source,
                             const ProgressCallback& on_progress) {
  check_nbia_options(slide, model, options);
  return StreamRun(slide, store, model, options, streams, job, source, on_progress).work(workers);
}

}  // namespace starpath::mpi
