// One field on its way through StarPU: its buffers, its tasks, its votes.
#pragma once
#include <starpu.h>

#include <variant>

#include "codelets/kernels/nbia_classify.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/run/blocking_queue.hpp"
#include "pipelines/nbia/field_tasks.hpp"
#include "pipelines/nbia/fields.hpp"
#include "pipelines/nbia/model.hpp"
#include "pipelines/nbia/model_data.hpp"
#include "pipelines/run/tile_intake.hpp"

namespace starpath {

class FieldJob;

/// One task of a field has ended.
struct FieldEvent {
  FieldJob* job;
  FieldStage stage;
  TaskRun run;
};

using FieldEventQueue = BlockingQueue<std::variant<FieldEvent, SourceEvent>>;

/// Used by the thread that runs the pipeline, and by one task at a time. Tasks hold its address: it must not move, and
/// must not be destroyed before its last event has come.
class FieldJob {
 public:
  FieldJob(const Field& field, const NbiaModel& model, const ModelData& data, const io::WorkingSlide& slide,
           FieldEventQueue& events);
  ~FieldJob() { release(); }
  FieldJob(const FieldJob&) = delete;
  FieldJob& operator=(const FieldJob&) = delete;

  /// Submits the tasks that judge the field at a level of the model, and before the first one the read. Each sends an
  /// event when it ends; after the last of them vote() is there. Throws Error{runtime} when no worker can run one.
  void look(std::size_t at_level);
  /// After the last event of a field that has not failed. Fetches the vote.
  NbiaVote vote();
  /// After the last event: lets go of the buffers, so that the field can be dropped or tried again.
  void release();

  const Field field;
  FieldTasks tasks;
  std::size_t level = 0;  // the last one looked at
  double read_seconds = 0, compute_seconds = 0;
  int attempts = 0;

 private:
  const NbiaModel& model_;
  const ModelData& data_;
  const io::WorkingSlide& slide_;
  NbiaVote vote_{};
  starpu_data_handle_t rgb_ = nullptr, voted_ = nullptr;
};

}  // namespace starpath
