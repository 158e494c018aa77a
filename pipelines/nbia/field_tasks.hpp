// The tasks that NBIA is made of, submitted for one field.
#pragma once
#include <starpu.h>

#include <cstdint>
#include <functional>
#include <string>

#include "io/slides/working_slide.hpp"
#include "pipelines/nbia/model_data.hpp"
#include "pipelines/nbia/stage_graph.hpp"

namespace starpath {

/// "statistics_128": a stage at the level of this side.
std::string stage_name(FieldStage stage, int side);

/// A square image that StarPU allocates where it is first written.
starpu_data_handle_t square_image(int side);

/// Buffers are the caller's: it registers and unregisters them. Members that submit throw Error{runtime} when no worker
/// can run the task.
class FieldTasks : public StageTasks {
 public:
  /// Called on a thread of StarPU when a task has ended.
  using OnEnd = std::function<void(FieldStage, const TaskExecution&)>;
  /// `place` says where the field is, for people.
  FieldTasks(std::string place, OnEnd on_end);

  /// Reads the square at (x, y), in pixels of the slide, into `rgb`.
  void read(const io::WorkingSlide& slide, std::int64_t x, std::int64_t y, starpu_data_handle_t rgb);
  /// `reduced` becomes the area average of `rgb`.
  void reduce(starpu_data_handle_t rgb, starpu_data_handle_t reduced);
  /// Two tasks: `vote` becomes the vote of the model's level on `image`.
  void judge(starpu_data_handle_t image, const ModelData::Level& level, starpu_data_handle_t vote);

  /// The body of nbia_read_codelet, on a worker's thread.
  void read_pixels(View<Rgb> rgb);
  StageTasks& tasks() { return *this; }  // for host_codelet

 private:
  void submit_phase(FieldPhase phase);

  TaskArguments kernel_arguments_{&status, {}, &facts};
  Buffers<FieldBuffer, kFieldBufferCount> buffers_;
  const io::WorkingSlide* slide_ = nullptr;
  std::int64_t x_ = 0, y_ = 0;
};

}  // namespace starpath
