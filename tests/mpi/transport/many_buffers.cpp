// Two ranks of one worker each that send each other many buffers: more than StarPU-MPI sends at a time (ten), each
// larger than MPI sends unasked, after a task has written it. Rank 0 asks for its buffers in the order of the tags and
// ends its transport at once. Rank 1 asks late, and in the opposite order. Each rank reads what came in further tasks.
// A transport that met the other rank at its end, in MPI's barrier, would stop the thread that sends: rank 1 would wait
// for ever.
#include <starpu.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "mpi/transport/buffer_transport.hpp"

namespace {

using namespace starpath;

constexpr std::int64_t kBuffers = 200;
constexpr std::uint32_t kNumbers = 1 << 14;  // of a buffer: 64 KiB
std::atomic<int> mistakes = 0, looked_at = 0;

int content(int from, std::int64_t tag) { return static_cast<int>(1000 * (from + 1) + tag); }

/// Writes `content`, given as the argument.
void fill(void** buffers, void* argument) {
  int value = 0;
  starpu_codelet_unpack_args(argument, &value);
  auto* const numbers = reinterpret_cast<int*>(STARPU_VECTOR_GET_PTR(buffers[0]));
  for (std::uint32_t i = 0; i < kNumbers; ++i) numbers[i] = value;
}

/// Counts buffers that do not hold what the argument says.
void look(void** buffers, void* argument) {
  int value = 0;
  starpu_codelet_unpack_args(argument, &value);
  const auto* const numbers = reinterpret_cast<const int*>(STARPU_VECTOR_GET_PTR(buffers[0]));
  mistakes += numbers[0] != value || numbers[kNumbers - 1] != value;
  ++looked_at;
}

starpu_codelet codelet(starpu_cpu_func_t function, starpu_data_access_mode mode, const char* name) {
  starpu_codelet made;
  starpu_codelet_init(&made);
  made.cpu_funcs[0] = function;
  made.nbuffers = 1;
  made.modes[0] = mode;
  made.name = name;
  return made;
}

void insert(starpu_codelet& codelet, starpu_data_access_mode mode, starpu_data_handle_t handle, int value) {
  if (starpu_task_insert(&codelet, mode, handle, STARPU_VALUE, &value, sizeof value, 0) != 0) ++mistakes;
}

starpu_data_handle_t buffer() {
  starpu_data_handle_t handle = nullptr;
  starpu_vector_data_register(&handle, -1, 0, kNumbers, sizeof(int));
  return handle;
}

/// Nothing but the end of the transport waits for what is sent.
void exchange(mpi::Network& network, std::vector<starpu_data_handle_t>& handles) {
  const int rank = network.rank(), other = 1 - rank;
  starpu_codelet filling = codelet(fill, STARPU_W, "fill"), looking = codelet(look, STARPU_R, "look");
  mpi::BufferTransport transport(network.shared_communicator());
  for (std::int64_t tag = 0; tag < kBuffers; ++tag) {
    handles.push_back(buffer());
    insert(filling, STARPU_W, handles.back(), content(rank, tag));
    transport.send(handles.back(), other, tag);
  }
  if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  for (std::int64_t i = 0; i < kBuffers; ++i) {
    const std::int64_t tag = rank == 0 ? i : kBuffers - 1 - i;
    handles.push_back(buffer());
    transport.receive(handles.back(), other, tag, [] {});
    insert(looking, STARPU_R, handles.back(), content(other, tag));
  }
}

}  // namespace

int main() {
  mpi::Network network(mpi::MpiUse::shared);
  // Data may outlive StarPU-MPI only without its cache, which buffers do not use.
  setenv("STARPU_MPI_CACHE", "0", 1);
  if (starpu_init(nullptr) != 0) return 1;
  std::vector<starpu_data_handle_t> handles;
  exchange(network, handles);
  starpu_task_wait_for_all();
  for (starpu_data_handle_t const handle : handles) starpu_data_unregister(handle);
  std::printf("rank %d: %d buffers read, %d of them wrong\n", network.rank(), looked_at.load(), mistakes.load());
  starpu_shutdown();
  return looked_at == kBuffers && mistakes == 0 ? 0 : 1;
}
