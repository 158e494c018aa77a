// A tile as one task: the table's operations, one after the other, in the worker's thread.
#include <cstring>

#include "pipelines/segmentation/host_buffers.hpp"
#include "pipelines/segmentation/segmentation_job.hpp"

namespace starpath {

starpu_codelet whole_tile_codelet = codelets::host_codelet<"whole_tile", &SegmentationJob::compute_whole>();

void SegmentationJob::compute_whole() {
  HostBuffers buffers;
  for (const Buffer constant : {Buffer::stains, Buffer::colours, Buffer::network})
    if (buffers_[constant] != nullptr) buffers.point_to(constant, buffers_[constant]);
  for (const SegmentationOperation& row : kStageGraph) {
    compute(row, buffers);
    if (tasks_.status.failed()) return;
    if (row.operation == Operation::count_background) {
      std::memcpy(cells_.data(), buffers.data(Buffer::cells), cells_.size() * sizeof cells_[0]);
      all_glass_ = tissue().all_glass();
      if (all_glass_) return;
    }
    const bool counts = row.operation == Operation::bwlabel || row.operation == Operation::infer_labels ||
                        row.operation == Operation::read_labels;
    if (counts && !is_left_out(row.operation)) {
      std::memcpy(&object_count_, buffers.data(Buffer::count), sizeof object_count_);
      if (object_count_ == 0) return;
    }
  }
}

/// What submit_operation() does by tasks.
void SegmentationJob::compute(const SegmentationOperation& row, HostBuffers& buffers) {
  if (is_left_out(row.operation)) {
    if (row.operation == Operation::normalise) buffers.hand_on(Buffer::rgb, Buffer::normalised);
    if (family_of(row.operation)) buffers.make(*row.writes.begin(), kNoTable);
  } else {
    std::array<void*, STARPU_NMAXBUFS> interfaces{};
    std::size_t count = 0;
    for (const Buffer buffer : row.reads) interfaces[count++] = buffers.interface_of(buffer);
    for (const Buffer buffer : row.writes) {
      buffers.make(buffer, shape_of(buffer));
      interfaces[count++] = buffers.interface_of(buffer);
    }
    row.codelet->cpu_funcs[0](interfaces.data(), argument_of(row.operation));
  }
  for (const Buffer buffer : row.reads)
    if (is_last_reader(row.operation, buffer)) buffers.let_go(buffer);
  if (buffers.has(Buffer::recoloured)) buffers.hand_on(Buffer::recoloured, Buffer::rgb);
}

}  // namespace starpath
