// Registering a model with StarPU.
#include "pipelines/nbia/model_data.hpp"

namespace starpath {
namespace {

template <class T>
starpu_data_handle_t shared(const std::vector<T>& values) {
  starpu_data_handle_t handle = nullptr;
  starpu_vector_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(values.data()),
                              static_cast<std::uint32_t>(values.size()), sizeof(T));
  return handle;
}

}  // namespace

ModelData::ModelData(const NbiaModel& model) {
  for (const NbiaLevel& level : model.levels)
    levels_.push_back({shared(level.mean), shared(level.deviation), shared(level.z), shared(level.labels)});
}

ModelData::~ModelData() {
  for (const Level& level : levels_)
    for (const starpu_data_handle_t handle : level) starpu_data_unregister(handle);
}

}  // namespace starpath
