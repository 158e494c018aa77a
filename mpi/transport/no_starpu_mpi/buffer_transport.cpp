// The transport of a build without StarPU-MPI.
#include "mpi/transport/buffer_transport.hpp"

#include "base/error.hpp"

namespace starpath::mpi {

struct BufferTransport::Impl {};

void BufferTransport::require() {
  throw Error(ErrorKind::usage,
              "the StarPU of this build has no MPI, which --streams and jobs that cluster nuclei need: install "
              "libopenmpi-dev, and let "
              "scripts/setup.sh build StarPU");
}
BufferTransport::BufferTransport(int) { require(); }
BufferTransport::~BufferTransport() = default;
void BufferTransport::send(starpu_data_handle_t, int, BufferId) {}
void BufferTransport::receive(starpu_data_handle_t, int, BufferId, std::function<void()>) {}

}  // namespace starpath::mpi
