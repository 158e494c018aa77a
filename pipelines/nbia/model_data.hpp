// A model as StarPU sees it: every device that votes keeps a copy.
#pragma once
#include <starpu.h>

#include <array>
#include <cstddef>
#include <vector>

#include "pipelines/nbia/model.hpp"

namespace starpath {

/// Registers the samples of each level. The model must outlive it; StarPU must be running until it ends, and no task
/// may use it then.
class ModelData {
 public:
  explicit ModelData(const NbiaModel& model);
  ~ModelData();
  ModelData(const ModelData&) = delete;
  ModelData& operator=(const ModelData&) = delete;

  /// Mean, deviation, z, labels.
  using Level = std::array<starpu_data_handle_t, 4>;
  const Level& level(std::size_t number) const { return levels_[number]; }

 private:
  std::vector<Level> levels_;
};

}  // namespace starpath
