#include "pipelines/nbia/field_images.hpp"

namespace starpath {

void FieldImages::prepare(FieldTasks& tasks, std::size_t level) {
  if (pixels_ == nullptr) {
    pixels_ = square_image(model_.field());
    tasks.read(slide_, field_.x, field_.y, pixels_);
  }
  image = TileBuffer(pixels_, false);
  const int side = model_.levels[level].side;
  tasks.facts.set(Fact::level_pixels, static_cast<double>(side) * side);
  if (side == model_.field()) return;
  image = TileBuffer(square_image(side), true);
  tasks.reduce(pixels_, image.handle());
}

void FieldImages::release() {
  image = {};
  if (pixels_ != nullptr) starpu_data_unregister_submit(pixels_);
  pixels_ = nullptr;
}

}  // namespace starpath
