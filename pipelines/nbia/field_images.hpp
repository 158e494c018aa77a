// The pixels of a field, and its image at a level of the model.
#pragma once
#include <starpu.h>

#include <cstddef>

#include "io/slides/working_slide.hpp"
#include "pipelines/nbia/field_tasks.hpp"
#include "pipelines/nbia/fields.hpp"
#include "pipelines/nbia/model.hpp"
#include "pipelines/run/tile_buffer.hpp"

namespace starpath {

/// Keeps the pixels, so that a field is read once however many levels are looked at. For the thread that runs the
/// pipeline.
class FieldImages {
 public:
  FieldImages(const Field& field, const io::WorkingSlide& slide, const NbiaModel& model)
      : field_(field), slide_(slide), model_(model) {}
  ~FieldImages() { release(); }
  FieldImages(const FieldImages&) = delete;
  FieldImages& operator=(const FieldImages&) = delete;

  /// Submits the tasks that make `image` at a level of the model: a read unless the pixels are here, and a reduction
  /// unless the level's side is the field's. Throws Error{runtime} when no worker can run one.
  void prepare(FieldTasks& tasks, std::size_t level);
  /// Lets go of the buffers, once no task of this field is left. Receivers of the pixels may still use them.
  void release();

  TileBuffer image;  ///< owned unless it is the field's pixels; a caller may take it

 private:
  const Field& field_;
  const io::WorkingSlide& slide_;
  const NbiaModel& model_;
  starpu_data_handle_t pixels_ = nullptr;
};

}  // namespace starpath
