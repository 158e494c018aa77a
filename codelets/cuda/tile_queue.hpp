// A queue of tiles for kernels in which work makes work: irregular wavefront propagation (hybrid-pipelines, II).
#pragma once
#include <cstdint>

#include "codelets/cuda/seam.hpp"

namespace starpath::cuda {

/// Any block may take any tile, and a block that waits needs no block that has not started. So every grid of at most as
/// many blocks as there are tiles ends. One block at a time works on a tile, and a tile stands in the queue once at
/// most. All functions are for one thread of a block. After a block changed pixels, it calls __threadfence and
/// __syncthreads before that thread reports the tile here. After a block got a tile, it calls __syncthreads and
/// __threadfence before it reads the tile's pixels.
struct TileQueue {
  struct Counters {
    unsigned head, tail;  // places of the ring that were given out and filled, counted without end
    int outstanding;      // tiles that are queued or worked on
  };

  int tiles = 0;
  int* ring = nullptr;
  int* states = nullptr;
  Counters* counters = nullptr;
  static constexpr int kQueued = 1, kRunning = 2, kEmpty = -1;

  /// The next tile, or -1 once no tile is left and none can come. Waits in between, at the place of the ring that a
  /// ticket gives: a thread that waits disturbs no other.
  __device__ int take() const {
    int* const place = slot(atomicAdd(&counters->head, 1U));
    while (load_shared_with_others(place) == kEmpty) {
      if (load_shared_with_others(&counters->outstanding) <= 0) return -1;
      pause_thread();
    }
    const int tile = atomicExch(place, kEmpty);
    atomicExch(&states[tile], kRunning);
    return tile;
  }

  /// Something beside or on the tile changed: it has to be worked on, once more if it is just now.
  __device__ void mark(int tile) const {
    if (atomicOr(&states[tile], kQueued) != 0) return;
    atomicAdd(&counters->outstanding, 1);
    push(tile);
  }

  /// Work on a tile is done; tiles that it makes dirty were marked before.
  __device__ void finish(int tile) const {
    if (atomicCAS(&states[tile], kRunning, 0) == kRunning) {
      atomicAdd(&counters->outstanding, -1);
    } else {  // marked meanwhile
      atomicExch(&states[tile], kQueued);
      push(tile);
    }
  }

  __device__ int* slot(unsigned position) const { return &ring[position % static_cast<unsigned>(tiles)]; }
  __device__ void push(int tile) const {
    int* const place = slot(atomicAdd(&counters->tail, 1U));
    while (atomicCAS(place, kEmpty, tile) != kEmpty) pause_thread();  // its last reader still reads
  }
};

/// Takes memory for `tiles` and queues all of them.
inline TileQueue queue_tiles(const KernelContext& context, int tiles) {
  const auto count = static_cast<std::size_t>(tiles);
  const TileQueue queue{tiles, context.scratch.take<int>(count).data(), context.scratch.take<int>(count).data(),
                        context.scratch.take<TileQueue::Counters>(1).data()};
  for_items(context, "queue tiles", tiles, [=] __device__(std::int64_t i) {
    queue.ring[i] = static_cast<int>(i);
    queue.states[i] = TileQueue::kQueued;
    if (i == 0) *queue.counters = {0, static_cast<unsigned>(tiles), tiles};
  });
  return queue;
}

}  // namespace starpath::cuda
