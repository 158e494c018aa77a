// A window of blocks on their way through StarPU.
#include "pipelines/clustering/kmeans.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "codelets/starpu/codelets.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/run/blocking_queue.hpp"
#include "pipelines/run/stage_tasks.hpp"
#include "pipelines/run/values_handle.hpp"

namespace starpath {
namespace {

constexpr std::int64_t kLeastOfBlock = 2048;  // points

enum class Operation { assign };
enum class Phase { assign };
enum class Buffer { points, centres, labels, sums };
using Row = PipelineRow<Operation, Phase, Buffer>;
using Handles = Buffers<Buffer, 4>;

/// A block of points and its task's results. Stays where it is.
class Block {
 public:
  /// `first` to `end`: its points. `ended` gets the block when its task has ended.
  Block(PointSource& source, std::int64_t first, std::int64_t end, int centres, BlockingQueue<Block*>& ended)
      : first_(first),
        columns_(source.numbers() + 2),
        values_(static_cast<std::size_t>(end - first) * static_cast<std::size_t>(source.numbers())),
        labels_(static_cast<std::size_t>(end - first)),
        sums_(static_cast<std::size_t>(centres) * static_cast<std::size_t>(columns_)),
        tasks_(fmt::format("points {} to {}", first, end), 0,
               [this, &ended](std::size_t, const TaskExecution&) { ended.push(this); }) {
    source.read(first, values_);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void submit(starpu_data_handle_t centres) {
    handles_[Buffer::points] = rows_handle(values_, columns_ - 2);
    handles_[Buffer::centres] = centres;
    handles_[Buffer::labels] = values_handle(labels_);
    handles_[Buffer::sums] = rows_handle(sums_, columns_);
    static const Row row{.operation = Operation::assign,
                         .name = "assign",
                         .codelet = &codelets::kmeans_assign,
                         .phase = Phase::assign,
                         .reads = {Buffer::points, Buffer::centres},
                         .writes = {Buffer::labels, Buffer::sums}};
    arguments_.status = &tasks_.status;
    tasks_.submit(row, handles_, &arguments_);
  }
  /// After its task has ended: brings the results home.
  void collect() {
    for (const Buffer buffer : {Buffer::points, Buffer::labels, Buffer::sums}) starpu_data_unregister(handles_[buffer]);
    if (tasks_.status.failed())
      throw Error(ErrorKind::runtime, fmt::format("{}: {}", tasks_.status.place(), tasks_.status.reason()));
  }

  std::int64_t first() const { return first_; }
  std::span<const std::uint8_t> labels() const { return labels_; }
  std::span<const std::int64_t> sums() const { return sums_; }

 private:
  const std::int64_t first_;
  const int columns_;
  std::vector<std::int16_t> values_;
  std::vector<std::uint8_t> labels_;
  std::vector<std::int64_t> sums_;
  TaskArguments arguments_;
  Handles handles_;
  StageTasks tasks_;
};

/// Keeps results that wait for blocks before them.
class InOrder {
 public:
  explicit InOrder(const OnLabels& on_labels) : on_labels_(on_labels) {}
  void take(const Block& block) {
    if (!on_labels_) return;
    waiting_[block.first()].assign(block.labels().begin(), block.labels().end());
    for (auto next = waiting_.begin(); next != waiting_.end() && next->first == at_; next = waiting_.erase(next)) {
      on_labels_(at_, next->second);
      at_ += static_cast<std::int64_t>(next->second.size());
    }
  }

 private:
  const OnLabels& on_labels_;
  std::int64_t at_ = 0;
  std::map<std::int64_t, std::vector<std::uint8_t>> waiting_;
};

CentreSums label_points_here(PointSource& points, const Points& centres, const OnLabels& on_labels) {
  const std::size_t window = std::size_t{3} * starpu_worker_get_count();
  const auto k = static_cast<int>(centres.count());
  CentreSums sums(k, points.numbers());
  InOrder in_order(on_labels);
  BlockingQueue<Block*> ended;
  std::map<Block*, std::unique_ptr<Block>> at_work;
  const starpu_data_handle_t shared = rows_handle(centres.values, centres.numbers);
  std::exception_ptr failure;
  const auto collect = [&] {
    Block* const block = ended.pop();
    try {
      block->collect();
      sums.add(block->sums());
      in_order.take(*block);
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
    at_work.erase(block);
  };
  // Few points are divided too, so that every worker has some.
  const std::int64_t length =
      std::clamp(points.count() / static_cast<std::int64_t>(window), kLeastOfBlock, kPointsOfBlock);
  for (std::int64_t first = 0; first < points.count() && !failure; first += length) {
    if (at_work.size() == window) collect();
    try {
      auto block = std::make_unique<Block>(points, first, std::min(points.count(), first + length), k, ended);
      Block* const place = block.get();
      place->submit(shared);
      at_work.emplace(place, std::move(block));
    } catch (...) {
      failure = std::current_exception();
    }
  }
  while (!at_work.empty()) collect();
  starpu_data_unregister(shared);
  if (failure) std::rethrow_exception(failure);
  return sums;
}

}  // namespace

CentreSums label_points(PointSource& points, const Points& centres, const OnLabels& on_labels, Team& team) {
  CentreSums sums(0, 0);
  team.together([&] { sums = label_points_here(points, centres, on_labels); });
  team.sum(sums.values());
  return sums;
}

void prepare_gpus_for_points(std::int64_t numbers, std::int64_t centres) {
  const auto stretches = kPointsOfBlock / 512 + 1;  // of the CUDA kernel
  codelets::prepare_gpu_workers(
      kPointsOfBlock * numbers,
      static_cast<std::size_t>(4 * kPointsOfBlock + 8 * centres * (numbers + 2) * stretches + 4096));
}

KmeansResult kmeans(PointSource& points, Points centres, int most_rounds, const OnRound& on_round, Team& team) {
  prepare_gpus_for_points(points.numbers(), static_cast<std::int64_t>(centres.count()));
  KmeansResult result{std::move(centres)};
  CentreSums sums = label_points(points, result.centres, {}, team);
  for (result.rounds = 1; result.rounds < most_rounds; ++result.rounds) {
    if (on_round) on_round(result.rounds, sums.spread());
    Points means = sums.means(result.centres);
    result.settled = means == result.centres;
    if (result.settled) break;
    result.centres = std::move(means);
    sums = label_points(points, result.centres, {}, team);
  }
  return result;
}

}  // namespace starpath
