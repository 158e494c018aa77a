// The user's codelet behind a wall that stops exceptions.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <vector>

#include "loops/starpu/loop_end.hpp"
#include "loops/starpu/loop_pieces.hpp"

namespace starpath {

/// Tasks hold its address: it must not move, and must outlive them.
class PieceCodelet {
 public:
  /// `modes` are those of the buffers. Throws Error{usage} when there are more buffers than StarPU takes.
  PieceCodelet(const starpu_codelet& user, const std::vector<starpu_data_access_mode>& modes);
  PieceCodelet(const PieceCodelet&) = delete;
  PieceCodelet& operator=(const PieceCodelet&) = delete;

  /// The content of a task's cl_arg. An exception of the user's function fails the loop; then no piece is run any more.
  struct Call {
    const PieceCodelet* codelet;
    LoopPiece* piece;
    unsigned worker;
    LoopEnd* end;
  };

  starpu_codelet* get() { return &codelet_; }
  const char* name() const { return codelet_.name ? codelet_.name : ""; }
  bool writes(std::size_t buffer) const { return (codelet_.modes[buffer] & STARPU_W) != 0; }

 private:
  static void run_cpu(void* buffers[], void* call);
  static void run_cuda(void* buffers[], void* call);
  static void run_opencl(void* buffers[], void* call);
  template <class Functions>
  static void run(const Functions& functions, void* buffers[], const Call& call);

  const starpu_codelet user_;
  starpu_codelet codelet_;
};

}  // namespace starpath
