// Buffers through StarPU-MPI.
#include "mpi/transport/buffer_transport.hpp"

#include <fmt/format.h>
#include <starpu_mpi.h>

#include <cstdlib>

#include "base/error.hpp"

namespace starpath::mpi {
namespace {

void check(int result, const char* what) {
  if (result != 0) throw Error(ErrorKind::runtime, fmt::format("StarPU-MPI failed to {} (error {})", what, result));
}

void call_and_forget(void* argument) {
  const std::unique_ptr<std::function<void()>> arrived(static_cast<std::function<void()>*>(argument));
  (*arrived)();
}

}  // namespace

struct BufferTransport::Impl {
  MPI_Comm comm;
};

void BufferTransport::require() {}

BufferTransport::BufferTransport(int communicator) : impl_(new Impl{MPI_Comm_f2c(communicator)}) {
  // Its thread is bound to where this process may run, not to the core of a worker, unless the user says where.
  if (std::getenv("STARPU_MPI_THREAD_CPUID") == nullptr && std::getenv("STARPU_MPI_THREAD_COREID") == nullptr)
    setenv("STARPU_MPI_NOBIND", "1", 0);
  check(starpu_mpi_init_comm(nullptr, nullptr, 0, impl_->comm), "start");
}

BufferTransport::~BufferTransport() { starpu_mpi_shutdown_comm(impl_->comm); }

void BufferTransport::send(starpu_data_handle_t buffer, int to, BufferId tag) {
  ++sent_.messages;
  sent_.bytes += static_cast<std::int64_t>(starpu_data_get_size(buffer));
  check(starpu_mpi_isend_detached(buffer, to, tag, impl_->comm, nullptr, nullptr), "send a buffer");
}

void BufferTransport::receive(starpu_data_handle_t buffer, int from, BufferId tag, std::function<void()> arrived) {
  auto argument = std::make_unique<std::function<void()>>(std::move(arrived));
  check(starpu_mpi_irecv_detached(buffer, from, tag, impl_->comm, call_and_forget, argument.get()), "receive a buffer");
  static_cast<void>(argument.release());
}

}  // namespace starpath::mpi
