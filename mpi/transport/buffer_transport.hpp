// Buffers from rank to rank, as StarPU data (with_starpu_mpi/, else no_starpu_mpi/).
#pragma once
#include <starpu.h>

#include <functional>
#include <memory>

#include "mpi/network/network.hpp"
#include "mpi/protocol/buffer_queue.hpp"

namespace starpath::mpi {

/// StarPU-MPI from start to stop; one at a time in a process. It has a thread, which sleeps while nothing is under way;
/// no worker of StarPU waits for a transfer. For one thread.
class BufferTransport {
 public:
  /// Throws Error{usage} when this StarPU was built without MPI; to be asked before a run leaves anything behind.
  static void require();

  /// StarPU must be running. `communicator`: Network::shared_communicator(). Throws as require() does.
  explicit BufferTransport(int communicator);
  /// Waits for transfers that are under way, not for other ranks.
  ~BufferTransport();
  BufferTransport(const BufferTransport&) = delete;
  BufferTransport& operator=(const BufferTransport&) = delete;

  /// Both return at once. Each buffer that is sent must be received, under the same tag, by a handle of the same shape.
  void send(starpu_data_handle_t buffer, int to, BufferId tag);
  /// `arrived` is called on a thread of StarPU-MPI.
  void receive(starpu_data_handle_t buffer, int from, BufferId tag, std::function<void()> arrived);

  Traffic sent() const { return sent_; }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  Traffic sent_;
};

}  // namespace starpath::mpi
