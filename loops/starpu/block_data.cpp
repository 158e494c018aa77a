#include "loops/starpu/block_data.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "loops/starpu/main_memory.hpp"

namespace starpath {
namespace {

std::size_t length_of(starpu_data_handle_t handle, bool matrix) {
  return matrix ? starpu_matrix_get_ny(handle) : starpu_vector_get_nx(handle);
}

}  // namespace

SplitData::SplitData(const LoopData& data, std::size_t iterations) : data_(data), iterations_(iterations) {
  if (!data.handle) throw Error(ErrorKind::usage, "loop: a handle is missing");
  const starpu_data_interface_id kind = starpu_data_get_interface_id(data.handle);
  if (kind != STARPU_VECTOR_INTERFACE_ID && kind != STARPU_MATRIX_INTERFACE_ID)
    throw Error(ErrorKind::usage, "loop: only vectors and matrices can be split; pass other handles whole");
  if (data.mode != STARPU_R && data.mode != STARPU_W && data.mode != STARPU_RW)
    throw Error(ErrorKind::usage, "loop: a handle that is split takes STARPU_R, STARPU_W or STARPU_RW");
  if (data.halo > 0 && data.mode != STARPU_R)
    throw Error(ErrorKind::usage, "loop: a halo belongs to several blocks, so it takes STARPU_R only");
  matrix_ = kind == STARPU_MATRIX_INTERFACE_ID;
  const std::size_t length = length_of(data.handle, matrix_);
  if (iterations > 0 && (length == 0 || length % iterations != 0))
    throw Error(ErrorKind::usage, "loop: " + std::to_string(length) + (matrix_ ? " rows" : " elements") +
                                      " cannot be divided among " + std::to_string(iterations) + " iterations");
  per_iteration_ = iterations > 0 ? length / iterations : 0;
}

void SplitData::acquire() {
  if (starpu_data_acquire(data_.handle, data_.mode) != 0)
    throw Error(ErrorKind::runtime, "loop: StarPU cannot bring a handle to main memory");
  acquired_ = true;
}

void SplitData::release() {
  if (acquired_) starpu_data_release(data_.handle);
  acquired_ = false;
}

starpu_data_handle_t SplitData::register_block(loops::Block block) const {
  const std::size_t begin = block.begin - std::min(block.begin, data_.halo);
  const std::size_t end = std::min(iterations_, block.end() + data_.halo);
  const std::size_t offset = begin * per_iteration_;
  const std::size_t length = (end - begin) * per_iteration_;
  starpu_data_handle_t part = nullptr;
  if (matrix_) {
    const std::size_t size = starpu_matrix_get_elemsize(data_.handle);
    const auto& whole = in_main_memory<starpu_matrix_interface>(data_.handle);
    const std::size_t ld = STARPU_MATRIX_GET_LD(&whole);
    const std::uintptr_t start = STARPU_MATRIX_GET_PTR(&whole) + offset * ld * size;
    starpu_matrix_data_register(&part, STARPU_MAIN_RAM, start, static_cast<std::uint32_t>(ld),
                                starpu_matrix_get_nx(data_.handle), static_cast<std::uint32_t>(length), size);
  } else {
    const std::size_t size = starpu_vector_get_elemsize(data_.handle);
    const auto& whole = in_main_memory<starpu_vector_interface>(data_.handle);
    const std::uintptr_t start = STARPU_VECTOR_GET_PTR(&whole) + offset * size;
    starpu_vector_data_register(&part, STARPU_MAIN_RAM, start, static_cast<std::uint32_t>(length), size);
  }
  return part;
}

}  // namespace starpath
