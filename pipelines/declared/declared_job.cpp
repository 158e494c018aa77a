// Buffers and tasks of one tile.
#include "pipelines/declared/declared_job.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "codelets/starpu/kernel_codelet.hpp"
#include "pipelines/run/fetch.hpp"
#include "pipelines/run/pixel_facts.hpp"

namespace starpath {
namespace {

constexpr std::size_t kPixelData = 0;

std::int64_t whole(double bytes) { return bytes < 9e18 ? static_cast<std::int64_t>(bytes) : 9'000'000'000'000'000'000; }

/// A row of a table for StageTasks.
struct TaskRow {
  std::size_t operation;
  starpu_codelet* codelet;
  const std::vector<std::size_t> reads, writes;
};

/// As memory needs them: of the largest tile of so many pixels.
double pixels_of(const DeclaredPipeline& pipeline, const Portion& portion, std::int64_t tile_pixels) {
  const declare::Split& split = pipeline.declared().split;
  const auto side = [&](int parts) {
    return static_cast<double>((split.side + parts - 1) / parts) + 2.0 * static_cast<double>(split.halo);
  };
  const auto all = static_cast<double>(tile_pixels);
  return portion.is_whole() ? all : std::min(all, side(portion.columns) * side(portion.rows));
}

}  // namespace

// What the operations of a stage take stays until the stage is over.
MemoryNeed memory_need_of(const DeclaredPipeline& pipeline, std::int64_t pixels) {
  MemoryNeed need{0, 0, "tile", "let the module split slides into smaller tiles"};
  for (int stage = 0; stage < static_cast<int>(pipeline.workflow().size()); ++stage) {
    std::set<std::size_t> taken;
    for (const DeclaredOperation& operation : pipeline.operations()) {
      if (operation.stage != stage) continue;
      taken.insert(operation.buffers.begin(), operation.buffers.end());
      for (const std::size_t number : operation.buffers)
        taken.insert(pipeline.data()[number].parts.begin(), pipeline.data()[number].parts.end());
    }
    double bytes = 0;  // a module may claim more than integers hold
    for (const std::size_t number : taken) {
      const DeclaredData& data = pipeline.data()[number];
      const double size =
          static_cast<double>(data.data.element_bytes) *
          (data.data.elements > 0 ? static_cast<double>(data.elements()) : pixels_of(pipeline, data.portion, pixels));
      bytes += size;
      need.largest = std::max(need.largest, whole(size));
    }
    need.at_once = std::max(need.at_once, whole(bytes));
  }
  return need;
}

starpu_codelet declared_read_codelet = codelets::host_codelet<"declared_read", &PixelRead::read, "read">();

DeclaredJob::DeclaredJob(const Tile& tile, const DeclaredPipeline& pipeline, const io::WorkingSlide& slide,
                         TileLoop& loop)
    : tile_(tile),
      pipeline_(pipeline),
      slide_(slide),
      // Older tiles first: then few hold buffers half way.
      tasks_(
          place_of("tile", tile.index, tile.core), -static_cast<int>(tile.index),
          [this, &loop](std::size_t task, const TaskExecution& execution) {
            loop.post([this, &loop, task, execution] {
              loop.task_ended(*this, pipeline_.task_name(task), pipeline_.is_reading(task), execution);
            });
          },
          pipeline.tasks()),
      copies_(pipeline.tasks()),
      handles_(pipeline.data().size()),
      row_(pipeline.declared().result.columns.size()) {
  for (const DeclaredStage& stage : pipeline.stages()) {
    const auto [core, region, share] = place_in(tile, stage.portion, pipeline.declared().split.halo);
    told_.push_back({tile.index, core.x, core.y, core.width, core.height, region.x, region.y, region.width,
                     region.height, stage.portion.is_whole() ? 0 : stage.portion.number + 1});
  }
  for (const DeclaredOperation& operation : pipeline.operations())
    arguments_.push_back({&operation, &told_[static_cast<std::size_t>(operation.stage)], &tasks_.status});
  for (std::size_t number = 0; number < handles_.size(); ++number)
    reads_.push_back({this, place_of_data(number).region});
  tasks_.facts.set(Fact::pixels, static_cast<double>(tile.region.width * tile.region.height));
}

void PixelRead::read(View<Rgb> rgb) { job->read_pixels(region, rgb); }
StageTasks& PixelRead::tasks() { return job->tasks(); }

void DeclaredJob::read_pixels(const Rect& region, View<Rgb> rgb) {
  slide_.read(region.x, region.y, rgb);
  if (streams_) count_pixel_facts(rgb, tasks_.facts);
}

PortionPlace DeclaredJob::place_of_data(std::size_t number) const {
  return place_in(tile_, pipeline_.data()[number].portion, pipeline_.declared().split.halo);
}

void DeclaredJob::start(int stage) {
  const std::vector<int> stages = pipeline_.up_to(stage);
  std::vector<int> wanted{stage};
  for (std::size_t next = 0; next < wanted.size(); ++next)
    for (const int before : pipeline_.workflow().before(wanted[next]))
      if (!has_all_of(before) && std::ranges::count(wanted, before) == 0) wanted.push_back(before);
  for (const int each : stages) {
    if (std::ranges::count(wanted, each) == 0) continue;
    for (std::size_t number = 0; number < pipeline_.operations().size(); ++number)
      if (pipeline_.operations()[number].stage == each) submit(number);
  }
}

/// Whether what others need of the stage is here.
bool DeclaredJob::has_all_of(int stage) const {
  for (std::size_t number = 0; number < handles_.size(); ++number) {
    const DeclaredData& data = pipeline_.data()[number];
    if (data.writer == stage && data.travels && handles_[number] == nullptr) return false;
  }
  return true;
}

void DeclaredJob::submit(std::size_t number) {
  const DeclaredOperation& operation = pipeline_.operations()[number];
  for (const std::size_t data : operation.buffers) provide(data);
  try {
    tasks_.submit(TaskRow{number, const_cast<starpu_codelet*>(&operation.codelet), operation.buffers, {}}, handles_,
                  &arguments_[number]);
  } catch (const Error& error) {
    throw Error(error.kind(), error.what() + operation.if_it_fails);
  }
}

void DeclaredJob::provide(std::size_t number) {
  if (handles_[number] != nullptr) return;
  const DeclaredData& data = pipeline_.data()[number];
  if (data.is_pixels()) return submit_read(number);
  ensure(number);
  for (std::size_t i = 0; i < data.parts.size(); ++i)
    submit_copy(data.first_task + i, i == 0 ? declared_join_codelet : declared_join_more_codelet, data.parts[i], number,
                place_of_data(data.parts[i]).share);
}

/// Pixels of a part are cut out of those of the tile, if these are here.
void DeclaredJob::submit_read(std::size_t pixels) {
  ensure(pixels);
  const std::size_t task = pipeline_.data()[pixels].first_task;
  if (pixels != kPixelData && handles_[kPixelData] != nullptr)
    return submit_copy(task + DeclaredPipeline::kCut, declared_cut_codelet, kPixelData, pixels, reads_[pixels].region);
  tasks_.submit(TaskRow{task + DeclaredPipeline::kRead, &declared_read_codelet, {}, {pixels}}, handles_,
                &reads_[pixels]);
}

void DeclaredJob::submit_copy(std::size_t task, starpu_codelet& codelet, std::size_t from, std::size_t to,
                              const Rect& what) {
  const DeclaredData& copied = pipeline_.data()[from];
  copies_[task] = {&tasks_.status,
                   reads_[from].region,
                   reads_[to].region,
                   what,
                   copied.data.element_bytes,
                   copied.data.elements > 0,
                   std::size_t{copied.data.elements} * static_cast<std::size_t>(copied.portion.number)};
  tasks_.submit(TaskRow{task, &codelet, {from}, {to}}, handles_, &copies_[task]);
}

void DeclaredJob::read(int) {
  streams_ = true;
  submit_read(kPixelData);
}

TileBuffer DeclaredJob::buffer(int) {
  ensure(kPixelData);
  return {std::exchange(handles_[kPixelData], nullptr), true};
}

void DeclaredJob::judge(int, TileBuffer buffer) {
  handles_[kPixelData] = buffer.release();
  instance.stage = pipeline_.last_stage();
  start(instance.stage);
}

void DeclaredJob::ensure(std::size_t number) {
  starpu_data_handle_t& handle = handles_[number];
  if (handle != nullptr) return;
  const DeclaredData& data = pipeline_.data()[number];
  const Rect& region = reads_[number].region;
  const auto width = static_cast<std::uint32_t>(region.width), height = static_cast<std::uint32_t>(region.height);
  if (data.data.elements > 0)
    starpu_vector_data_register(&handle, kOnDemand, 0, data.elements(), data.data.element_bytes);
  else
    starpu_matrix_data_register(&handle, kOnDemand, 0, width, width, height, data.data.element_bytes);
}

std::size_t DeclaredJob::bytes_of(std::size_t number) const {
  const DeclaredData& data = pipeline_.data()[number];
  const Rect& region = reads_[number].region;
  return data.data.element_bytes *
         (data.data.elements > 0 ? data.elements() : static_cast<std::size_t>(region.width * region.height));
}

bool DeclaredJob::advance() {
  if (over()) fetch(handles_[pipeline_.result()], row_.data(), row_.size() * sizeof row_[0]);
  release_read();
  return false;
}

/// Lets go of what no later stage reads.
void DeclaredJob::release_read() {
  for (std::size_t number = 0; number < handles_.size(); ++number) {
    const DeclaredData& data = pipeline_.data()[number];
    const bool kept = !over() && (data.is_made_by_job() ? data.last_reader > instance.stage : data.travels);
    if (handles_[number] == nullptr || kept) continue;
    starpu_data_unregister_no_coherency(handles_[number]);
    handles_[number] = nullptr;
  }
}

void DeclaredJob::release() {
  for (starpu_data_handle_t& handle : handles_) {
    if (handle != nullptr) starpu_data_unregister_no_coherency(handle);
    handle = nullptr;
  }
}

std::optional<std::string> DeclaredJob::pack(int stage) {
  if (tasks_.status.failed() || !has_all_of(stage)) return std::nullopt;  // a task that failed has written nothing
  std::string bytes;
  for (std::size_t number = 0; number < handles_.size(); ++number) {
    const DeclaredData& data = pipeline_.data()[number];
    if (data.writer != stage || !data.travels) continue;
    const std::size_t begin = bytes.size();
    bytes.resize(begin + bytes_of(number));
    fetch(handles_[number], bytes.data() + begin, bytes_of(number));
  }
  return bytes;
}

void DeclaredJob::unpack(int stage, const std::string& bytes) {
  std::size_t at = 0;
  for (std::size_t number = 0; number < handles_.size(); ++number) {
    const DeclaredData& data = pipeline_.data()[number];
    if (data.writer != stage || !data.travels) continue;
    if (bytes.size() - at < bytes_of(number)) break;
    ensure(number);
    starpu_data_acquire(handles_[number], STARPU_W);
    std::memcpy(starpu_data_get_local_ptr(handles_[number]), bytes.data() + at, bytes_of(number));
    starpu_data_release(handles_[number]);
    at += bytes_of(number);
  }
  if (at != bytes.size() || !has_all_of(stage))
    throw Error(ErrorKind::mismatch,
                "another rank sent data that do not fit their tile: start every rank with the same module");
}

}  // namespace starpath
