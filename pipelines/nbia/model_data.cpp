// Registering a model with StarPU.
#include "pipelines/nbia/model_data.hpp"

#include "pipelines/run/values_handle.hpp"

namespace starpath {
ModelData::ModelData(const NbiaModel& model) {
  for (const NbiaLevel& level : model.levels)
    levels_.push_back({values_handle(level.mean), values_handle(level.deviation), values_handle(level.z),
                       values_handle(level.labels)});
}

ModelData::~ModelData() {
  for (const Level& level : levels_)
    for (const starpu_data_handle_t handle : level) starpu_data_unregister(handle);
}

}  // namespace starpath
