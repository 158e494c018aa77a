// Buffers and tasks of one tile.
#include "pipelines/segmentation/segmentation_job.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codelets/kernels/background.hpp"
#include "codelets/kernels/colour_deconvolution.hpp"
#include "codelets/kernels/feature_families.hpp"
#include "pipelines/run/fetch.hpp"

namespace starpath {
namespace {

TaskArguments::Numbers numbers_of(const SegmentationOperation& row, const Rect& region,
                                  const PixelParameters& parameters) {
  TaskArguments::Numbers numbers{};
  auto next = numbers.begin();
  if (row.operation == Operation::count_background || row.operation == Operation::detect) {
    *next++ = static_cast<int>(region.x);
    *next++ = static_cast<int>(region.y);
  }
  std::ranges::transform(row.numbers, next, [&](auto number) { return parameters.*number; });
  return numbers;
}

}  // namespace

starpu_codelet read_codelet = codelets::host_codelet<"read", &SegmentationJob::read_pixels>();
starpu_codelet infer_codelet = codelets::host_codelet<"infer", &SegmentationJob::infer>();
starpu_codelet infer_labels_codelet = codelets::host_codelet<"infer_labels", &SegmentationJob::infer_labels>();
starpu_codelet read_scores_codelet = codelets::host_codelet<"read_scores", &SegmentationJob::read_scores>();
starpu_codelet read_labels_codelet = codelets::host_codelet<"read_labels", &SegmentationJob::read_labels>();
starpu_codelet ownership_codelet = codelets::host_codelet<"ownership", &SegmentationJob::assign_roles>();
starpu_codelet collect_codelet = codelets::host_codelet<"collect", &SegmentationJob::collect>();

MemoryNeed memory_need_of(std::int64_t pixels, Normalised normalised, const FamilySet& families, Detection detection) {
  std::size_t now = 0, most = 0, largest = 0;
  std::array<bool, kBufferCount> held{};
  const auto hold = [&](Buffer buffer) { held[static_cast<std::size_t>(buffer)] = true; };
  const auto let_go = [&](Buffer buffer) { return std::exchange(held[static_cast<std::size_t>(buffer)], false); };
  for (const SegmentationOperation& row : kStageGraph) {
    const bool left_out = is_left_out(row.operation, families, normalised, detection);
    if (left_out && row.operation == Operation::normalise && let_go(Buffer::rgb))
      hold(Buffer::normalised);  // the pixels themselves
    for (const Buffer buffer : row.writes) {
      if (left_out) break;
      hold(buffer);
      now += bytes_per_pixel(buffer);
      largest = std::max(largest, bytes_per_pixel(buffer));
    }
    most = std::max(most, now);
    if (let_go(Buffer::recoloured)) now -= bytes_per_pixel(Buffer::rgb);  // whose place it takes
    for (const Buffer buffer : row.reads)
      if (is_last_reader(row.operation, buffer) && let_go(buffer)) now -= bytes_per_pixel(buffer);
  }
  return {static_cast<std::int64_t>(most) * pixels, static_cast<std::int64_t>(largest) * pixels, "tile",
          "use a smaller --tile"};
}

SegmentationJob::SegmentationJob(const Tile& tile, const SegmentationOptions& options,
                                 const PixelParameters& parameters, const RunData& data, const io::WorkingSlide& slide,
                                 TileLoop& loop)
    : tile_(tile),
      cell_(options.tiling.cell),
      tries_(options.attempts),
      gaps_fail_(options.gaps_fail),
      glass_share_(parameters.glass_share),
      families_(options.families),
      normalised_(data.normalised),
      detection_(detection_of(options)),
      maps_(options.maps.get()),
      instance_limits_{has_stars(options.parameters)
                           ? longest_star(options.tiling.halo, options.parameters.network->network().description)
                           : longest_instance(options.tiling.halo),
                       parameters.nucleus_min_area, parameters.nucleus_max_area},
      networks_(data.networks),
      non_pipelined_(options.non_pipelined),
      slide_(slide),
      // Older tiles first: then few hold buffers half way.
      tasks_(
          place_of("tile", tile.index, tile.core), -static_cast<int>(tile.index),
          [this, &loop](std::size_t operation, const TaskExecution& task) {
            loop.post([this, &loop, operation, task] {
              const auto which = static_cast<Operation>(operation);
              loop.task_ended(*this, row_of(which).name, which == Operation::read, task);
            });
          },
          kOperationCount + 1),  // and whole_tile
      cell_columns_((tile.region.right() - 1) / cell_ - tile.region.x / cell_ + 1),
      cell_rows_((tile.region.bottom() - 1) / cell_ - tile.region.y / cell_ + 1),
      cells_(static_cast<std::size_t>(cell_columns_ * cell_rows_)) {
  buffers_[Buffer::stains] = data.stains;
  buffers_[Buffer::colours] = data.colours;
  buffers_[Buffer::network] = data.network;
  for (const SegmentationOperation& row : kStageGraph)
    kernel_arguments_[static_cast<std::size_t>(row.operation)] = {
        &tasks_.status, numbers_of(row, tile.region, parameters), &tasks_.facts};
  tasks_.facts.set(Fact::pixels, static_cast<double>(tile.region.width * tile.region.height));
}

void SegmentationJob::start(int stage) {
  if (non_pipelined_) return tasks_.submit(kWholeTile, buffers_, this);
  if (stage == kSegmentation || buffers_[Buffer::labels] == nullptr) return submit(Phase::tissue);
  tasks_.facts.set(Fact::objects, object_count_);
  // Labels from another process come without pixels, which are read again here.
  if (buffers_[Buffer::rgb] == nullptr) {
    submit_operation(Operation::read);
    submit_operation(Operation::normalise_first);
  }
  submit(Phase::measure);
}

bool SegmentationJob::advance() {
  if (non_pipelined_) return false;
  switch (phase_) {
    case Phase::tissue:
      all_glass_ = fetch_glass();
      if (!all_glass_) submit(Phase::segment);
      return !all_glass_;
    case Phase::segment:
      if (!fetch_object_count() || instance.stage == kSegmentation) return false;
      submit(Phase::measure);
      return true;
    case Phase::measure:
      break;
  }
  return false;
}

void SegmentationJob::reset() {
  release();
  gaps_.clear();
  nuclei_lost_ = false;
  nuclei_.clear();
  rows_.reset();
  object_count_ = 0;
}

io::TileResult SegmentationJob::take_result(const std::string& error) {
  const Rect& core = tile_.core;
  const std::string missing = gaps_fail_ ? gaps_text() : "";
  const io::TileState state = !error.empty() || !missing.empty() ? io::TileState::failed
                              : all_glass_                       ? io::TileState::background
                                                                 : io::TileState::done;
  if (!error.empty()) {
    nuclei_.clear();
    rows_.reset();
  }
  const std::int64_t area = error.empty() && !all_glass_ ? tissue().area() : 0;
  return {{tile_.index, core.x, core.y, core.width, core.height, state, read_seconds, compute_seconds,
           error.empty() ? missing : error, area},
          std::move(nuclei_),
          std::move(rows_)};
}

void SegmentationJob::submit(Phase next) {
  phase_ = next;
  for (const SegmentationOperation& row : kStageGraph) {
    const bool is_read = row.operation == Operation::read && buffers_[Buffer::rgb] != nullptr;
    if (row.phase == next && !is_read) submit_operation(row);
  }
}

void SegmentationJob::infer(View<const Rgb> rgb, View<std::uint8_t> nucleus, View<std::uint8_t> core) {
  networks_->of_worker(starpu_worker_get_id()).score(rgb, tile_.region, slide_.width(), slide_.height(), nucleus, core);
}

void SegmentationJob::infer_labels(View<const Rgb> rgb, View<std::int32_t> labels, std::int32_t* count) {
  ScoredNetwork& network = networks_->of_worker(starpu_worker_get_id());
  const StarCandidates candidates =
      network.candidates(rgb, tile_.region, slide_.width(), slide_.height(), longest_ray(instance_limits_.longest));
  std::vector<std::int32_t> pixels(static_cast<std::size_t>(labels.pixels()));
  const View<std::int32_t> numbers{pixels.data(), labels.width, labels.height, labels.width};
  Scratch scratch;
  cpu::star_polygons(KernelContext{scratch}, candidates.stars(), network.description().overlap, tile_.region.x,
                     tile_.region.y, numbers);
  *count = label_instances(numbers, instance_limits_, labels);
}

BufferShape SegmentationJob::shape_of(Buffer buffer) const {
  using enum BufferShape::Kind;
  const auto objects = static_cast<std::uint32_t>(object_count_);
  const auto width = static_cast<std::uint32_t>(tile_.region.width),
             height = static_cast<std::uint32_t>(tile_.region.height);
  switch (buffer) {
    case Buffer::cells:
      return {matrix, static_cast<std::uint32_t>(cell_columns_), static_cast<std::uint32_t>(cell_rows_),
              sizeof(std::uint32_t)};
    case Buffer::count:
      return {variable, 1, 1, sizeof object_count_};
    case Buffer::boxes:
      return {vector, objects, 1, sizeof(ObjectBox)};
    case Buffer::roles:
      return {vector, objects, 1, sizeof(std::uint8_t)};
    case Buffer::places:
      return {vector, objects, 1, sizeof(MaskPlace)};
    case Buffer::masks:
      return {vector, static_cast<std::uint32_t>(mask_words(tile_.region.width * tile_.region.height)), 1,
              sizeof(std::uint64_t)};
    case Buffer::shape:
    case Buffer::intensity:
    case Buffer::gradient:
    case Buffer::edges:
    case Buffer::texture:
      return {matrix, static_cast<std::uint32_t>(columns_of(*family_of(buffer))), objects, sizeof(double)};
    case Buffer::channels:
      return {matrix, width, kStainChannels * height, sizeof(std::uint8_t)};
    default:
      return {matrix, width, height, bytes_per_pixel(buffer)};
  }
}

void SegmentationJob::register_buffer(Buffer buffer) {
  starpu_data_handle_t& target = buffers_[buffer];
  const BufferShape shape = shape_of(buffer);
  switch (shape.kind) {
    case BufferShape::Kind::variable:
      return starpu_variable_data_register(&target, kOnDemand, 0, shape.element);
    case BufferShape::Kind::vector:
      return starpu_vector_data_register(&target, kOnDemand, 0, shape.width, shape.element);
    case BufferShape::Kind::matrix:
      return starpu_matrix_data_register(&target, kOnDemand, 0, shape.width, shape.width, shape.height, shape.element);
  }
}

void* SegmentationJob::argument_of(Operation operation) {
  switch (operation) {
    case Operation::read:
    case Operation::infer:
    case Operation::infer_labels:
    case Operation::read_scores:
    case Operation::read_labels:
    case Operation::ownership:
    case Operation::collect:
      return this;
    default:
      return &kernel_arguments_[static_cast<std::size_t>(operation)];
  }
}

void SegmentationJob::submit_operation(const SegmentationOperation& row) {
  if (is_left_out(row.operation)) {
    leave_out(row);
  } else {
    for (const Buffer buffer : row.writes) register_buffer(buffer);
    tasks_.submit(row, buffers_, argument_of(row.operation));
  }
  let_go_after(row);
  if (row.operation == Operation::normalise_first && buffers_[Buffer::recoloured] != nullptr) take_recoloured();
}

void SegmentationJob::take_recoloured() {
  starpu_data_unregister_submit(buffers_[Buffer::rgb]);
  buffers_[Buffer::rgb] = std::exchange(buffers_[Buffer::recoloured], nullptr);
}

void SegmentationJob::leave_out(const SegmentationOperation& row) {
  static double nothing = 0;
  if (row.operation == Operation::normalise)
    buffers_[Buffer::normalised] = std::exchange(buffers_[Buffer::rgb], nullptr);
  else if (family_of(row.operation))
    starpu_matrix_data_register(&buffers_[*row.writes.begin()], STARPU_MAIN_RAM,
                                reinterpret_cast<std::uintptr_t>(&nothing), 1, 1, 1, sizeof nothing);
}

/// Count and cells are fetched between phases; release() lets go of them.
void SegmentationJob::let_go_after(const SegmentationOperation& row) {
  for (const Buffer buffer : row.reads) {
    if (!is_last_reader(row.operation, buffer) || buffers_[buffer] == nullptr) continue;
    starpu_data_unregister_submit(buffers_[buffer]);
    buffers_[buffer] = nullptr;
  }
}

bool SegmentationJob::fetch_glass() {
  fetch(buffers_[Buffer::cells], cells_.data(), cells_.size() * sizeof cells_[0]);
  return tissue().all_glass();
}

bool SegmentationJob::fetch_object_count() {
  fetch(buffers_[Buffer::count], &object_count_, sizeof object_count_);
  tasks_.facts.set(Fact::objects, object_count_);
  return object_count_ != 0;
}

void SegmentationJob::release() {
  for (std::size_t i = 0; i < kBufferCount; ++i) {
    starpu_data_handle_t& left = buffers_[static_cast<Buffer>(i)];
    if (left == nullptr || is_of_run(static_cast<Buffer>(i))) continue;
    starpu_data_unregister_no_coherency(left);
    left = nullptr;
  }
}

TissueMask SegmentationJob::tissue() const {
  return TissueMask(tile_, cell_, slide_.width(), slide_.height(), cells_, cell_columns_, glass_share_);
}

}  // namespace starpath
