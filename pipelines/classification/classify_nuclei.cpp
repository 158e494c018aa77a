// A window of blocks on their way through StarPU.
#include "pipelines/classification/classify_nuclei.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "base/error.hpp"
#include "codelets/starpu/codelets.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/run/blocking_queue.hpp"
#include "pipelines/run/stage_tasks.hpp"
#include "pipelines/run/values_handle.hpp"

namespace starpath {
namespace {

enum class Operation { classify };
enum class Phase { classify };
enum class Buffer { points, samples, labels, votes };
using Row = PipelineRow<Operation, Phase, Buffer>;
using Handles = Buffers<Buffer, 4>;

/// A block of nuclei and what its task makes of it. Stays where it is.
class Block {
 public:
  /// `ended` is told of its number when its task has ended.
  Block(std::size_t number, std::vector<std::int16_t> rows, int width, BlockingQueue<std::size_t>& ended)
      : rows_(std::move(rows)),
        width_(width),
        votes_(rows_.size() / static_cast<std::size_t>(width)),
        tasks_(fmt::format("block {} of nuclei", number + 1), 0,
               [number, &ended](std::size_t, const TaskExecution&) { ended.push(number); }) {}
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void submit(starpu_data_handle_t samples, starpu_data_handle_t labels, int k) {
    handles_[Buffer::points] = rows_handle(rows_, width_);
    handles_[Buffer::samples] = samples;
    handles_[Buffer::labels] = labels;
    handles_[Buffer::votes] = values_handle(votes_);
    static const Row row{.operation = Operation::classify,
                         .name = "classify",
                         .codelet = &codelets::nearest_classes,
                         .phase = Phase::classify,
                         .reads = {Buffer::points, Buffer::samples, Buffer::labels},
                         .writes = {Buffer::votes}};
    arguments_.status = &tasks_.status;
    arguments_.numbers[0] = k;
    try {
      tasks_.submit(row, handles_, &arguments_);
    } catch (...) {
      release();
      throw;
    }
  }
  /// After its task has ended: brings the votes home.
  void collect() {
    release();
    rows_ = {};
  }
  void check() const {
    if (tasks_.status.failed())
      throw Error(ErrorKind::runtime, fmt::format("{}: {}", tasks_.status.place(), tasks_.status.reason()));
  }
  const std::vector<ClassVote>& votes() const { return votes_; }

 private:
  void release() {
    for (const Buffer buffer : {Buffer::points, Buffer::votes}) starpu_data_unregister(handles_[buffer]);
  }

  std::vector<std::int16_t> rows_;
  const int width_;
  std::vector<ClassVote> votes_;
  TaskArguments arguments_;
  Handles handles_;
  StageTasks tasks_;
};

}  // namespace

class NucleusClassifier::Impl {
 public:
  explicit Impl(const NucleusModel& model)
      : model_(model), samples_(model.sample_rows()), window_(std::size_t{3} * starpu_worker_get_count()) {
    codelets::prepare_gpu_workers(static_cast<std::int64_t>(kNucleiOfBlock) * model.row_numbers(), 4096);
    samples_handle_ = rows_handle(samples_, model.row_numbers());
    labels_handle_ = values_handle(model.labels);
  }
  ~Impl() {
    wait_for(0);
    starpu_data_unregister(samples_handle_);
    starpu_data_unregister(labels_handle_);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void add(std::span<const double> features) {
    const auto width = static_cast<std::size_t>(model_.row_numbers());
    rows_.resize(rows_.size() + width);
    model_.put_row(features, std::span(rows_).last(width));
    if (rows_.size() == kNucleiOfBlock * width) submit();
  }

  std::vector<ClassVote> finish() {
    if (!rows_.empty()) submit();
    wait_for(0);
    const std::deque<Block> blocks = std::exchange(blocks_, {});
    std::vector<ClassVote> votes;
    for (const Block& block : blocks) {
      block.check();
      votes.insert(votes.end(), block.votes().begin(), block.votes().end());
    }
    return votes;
  }

 private:
  void submit() {
    wait_for(window_ - 1);
    Block& block = blocks_.emplace_back(blocks_.size(), std::exchange(rows_, {}), model_.row_numbers(), ended_);
    block.submit(samples_handle_, labels_handle_, model_.k);
    ++at_work_;
  }

  /// Until no more than so many blocks are at work.
  void wait_for(std::size_t most) {
    for (; at_work_ > most; --at_work_) blocks_[ended_.pop()].collect();
  }

  const NucleusModel& model_;
  const std::vector<std::int16_t> samples_;
  const std::size_t window_;
  starpu_data_handle_t samples_handle_ = nullptr, labels_handle_ = nullptr;
  std::vector<std::int16_t> rows_;
  std::deque<Block> blocks_;  // all since the last finish()
  BlockingQueue<std::size_t> ended_;
  std::size_t at_work_ = 0;
};

NucleusClassifier::NucleusClassifier(const NucleusModel& model) : impl_(std::make_unique<Impl>(model)) {}
NucleusClassifier::~NucleusClassifier() = default;
void NucleusClassifier::add(std::span<const double> features) { impl_->add(features); }
std::vector<ClassVote> NucleusClassifier::finish() { return impl_->finish(); }

}  // namespace starpath
