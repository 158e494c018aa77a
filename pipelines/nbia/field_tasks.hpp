// The tasks that NBIA is made of, submitted for one field.
#pragma once
#include <starpu.h>

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

#include "codelets/starpu/task_status.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/nbia/model_data.hpp"
#include "pipelines/run/task_watch.hpp"

namespace starpath {

enum class FieldStage : unsigned char { read, reduce, statistics, classify };

/// "statistics_128": a stage at the level of this side.
std::string stage_name(FieldStage stage, int side);

/// A square image that StarPU allocates where it is first written.
starpu_data_handle_t square_image(int side);

/// Used by the thread that runs the pipeline. StarPU holds its address: it must not move, nor be destroyed before its
/// last task has ended. Members that submit throw Error{runtime} when no worker can run the task.
class FieldTasks {
 public:
  /// Called on a thread of StarPU when a task has ended.
  using OnEnd = std::function<void(FieldStage, const TaskRun&)>;
  /// `place` says where the field is, for people.
  FieldTasks(std::string place, OnEnd on_end) : status(std::move(place)), on_end_(std::move(on_end)) {}
  FieldTasks(const FieldTasks&) = delete;
  FieldTasks& operator=(const FieldTasks&) = delete;

  /// Reads the square at (x, y), in pixels of the slide, into `rgb`.
  void read(const io::WorkingSlide& slide, std::int64_t x, std::int64_t y, starpu_data_handle_t rgb);
  /// `reduced` becomes the area average of `rgb`.
  void reduce(starpu_data_handle_t rgb, starpu_data_handle_t reduced);
  /// Two tasks: `vote` becomes what the model's level says of `image`. They run on this worker of StarPU, if it can run
  /// them; -1 for whichever the policy gives them to.
  void judge(starpu_data_handle_t image, const ModelData::Level& level, starpu_data_handle_t vote, int worker = -1);

  TaskStatus status;  // which a failed task leaves
  int pending = 0;    // submitted; for the owner to count down

 private:
  struct Tag {
    FieldTasks* tasks;
    FieldStage stage;
    starpu_task* task;
  };
  void submit(FieldStage stage, starpu_codelet& codelet, void* argument,
              std::initializer_list<starpu_data_handle_t> data, int worker = -1);
  void read_pixels(View<Rgb> rgb);
  static void on_task_end(void* tag);

  const OnEnd on_end_;
  TaskArguments kernel_arguments_{&status};
  std::array<Tag, 4> tags_{};
  const io::WorkingSlide* slide_ = nullptr;
  std::int64_t x_ = 0, y_ = 0;
};

}  // namespace starpath
