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

std::size_t bytes_of_data(const declare::Data& data, std::size_t pixels) {
  return data.element_bytes * (data.elements > 0 ? data.elements : pixels);
}

std::int64_t whole(double bytes) { return bytes < 9e18 ? static_cast<std::int64_t>(bytes) : 9'000'000'000'000'000'000; }

/// A row of a table for StageTasks; the task that reads has the number of operations.
struct OperationRow {
  std::size_t operation;
  starpu_codelet* codelet;
  const std::vector<std::size_t>& reads;
  const std::vector<std::size_t> writes = {};
};

}  // namespace

// What the operations of a stage take stays until the stage is over.
MemoryNeed memory_need_of(const DeclaredPipeline& pipeline, std::int64_t pixels) {
  MemoryNeed need{0, 0, "tile", "let the module split slides into smaller tiles"};
  for (int stage = 0; stage < static_cast<int>(pipeline.workflow().size()); ++stage) {
    std::set<std::size_t> taken;
    for (const DeclaredOperation& operation : pipeline.operations())
      if (operation.stage == stage) taken.insert(operation.buffers.begin(), operation.buffers.end());
    double bytes = 0;  // a module may claim more than integers hold
    for (const std::size_t number : taken) {
      const declare::Data& data = pipeline.data()[number].data;
      const double size = static_cast<double>(data.element_bytes) *
                          (data.elements > 0 ? static_cast<double>(data.elements) : static_cast<double>(pixels));
      bytes += size;
      need.largest = std::max(need.largest, whole(size));
    }
    need.at_once = std::max(need.at_once, whole(bytes));
  }
  return need;
}

starpu_codelet declared_read_codelet = codelets::host_codelet<"declared_read", &DeclaredJob::read_pixels, "read">();

DeclaredJob::DeclaredJob(const Tile& tile, const DeclaredPipeline& pipeline, const io::WorkingSlide& slide,
                         TileLoop& loop)
    : tile_(tile),
      pipeline_(pipeline),
      slide_(slide),
      told_{tile.index,    tile.core.x,   tile.core.y,       tile.core.width,   tile.core.height,
            tile.region.x, tile.region.y, tile.region.width, tile.region.height},
      // Older tiles first: then few hold buffers half way.
      tasks_(place_of("tile", tile.index, tile.core), -static_cast<int>(tile.index),
             [this, &loop](std::size_t task, const TaskExecution& execution) {
               loop.post([this, &loop, task, execution] {
                 const bool reading = task == pipeline_.operations().size();
                 loop.task_ended(*this, reading ? "read" : pipeline_.operations()[task].name, reading, execution);
               });
             }),
      handles_(pipeline.data().size()),
      row_(pipeline.declared().result.columns.size()) {
  for (std::size_t number = 0; number < pipeline.operations().size(); ++number)
    arguments_[number] = {&pipeline.operations()[number], &told_, &tasks_.status};
  tasks_.facts.set(Fact::pixels, static_cast<double>(tile.region.width * tile.region.height));
}

void DeclaredJob::read_pixels(View<Rgb> rgb) {
  slide_.read(tile_.region.x, tile_.region.y, rgb);
  if (streams_) count_pixel_facts(rgb, tasks_.facts);
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
  for (const std::size_t data : operation.buffers) {
    if (data == kPixelData && handles_[data] == nullptr) submit_read();
    ensure(data);
  }
  tasks_.submit(OperationRow{number, const_cast<starpu_codelet*>(&operation.codelet), operation.buffers}, handles_,
                &arguments_[number]);
}

void DeclaredJob::submit_read() {
  ensure(kPixelData);
  static const std::vector<std::size_t> nothing, pixels{kPixelData};
  tasks_.submit(OperationRow{pipeline_.operations().size(), &declared_read_codelet, nothing, pixels}, handles_, this);
}

void DeclaredJob::read(int) {
  streams_ = true;
  submit_read();
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
  const declare::Data& data = pipeline_.data()[number].data;
  const auto width = static_cast<std::uint32_t>(tile_.region.width);
  if (data.elements > 0)
    starpu_vector_data_register(&handle, kOnDemand, 0, data.elements, data.element_bytes);
  else
    starpu_matrix_data_register(&handle, kOnDemand, 0, width, width, static_cast<std::uint32_t>(tile_.region.height),
                                data.element_bytes);
}

std::size_t DeclaredJob::bytes_of(std::size_t number) const {
  return bytes_of_data(pipeline_.data()[number].data,
                       static_cast<std::size_t>(tile_.region.width * tile_.region.height));
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
    const bool kept = number == kPixelData ? data.last_reader > instance.stage && !over() : data.travels && !over();
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
