// Self-scheduled loops on StarPU's workers.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "loops/starpu/tile_data.hpp"

namespace starpath {

/// The codelet's cl_arg: which iterations its buffers hold.
struct LoopBlock {
  std::size_t begin = 0;
  std::size_t size = 0;
  const void* argument = nullptr;  ///< LoopOptions::argument
};

/// A buffer of the codelet.
struct LoopData {
  starpu_data_handle_t handle = nullptr;
  starpu_data_access_mode mode = STARPU_R;
  /// false: a block gets its part of a vector, or of the rows of a matrix, whose length is a multiple of the number of
  /// iterations. The mode is STARPU_R, STARPU_W or STARPU_RW.
  /// true: every block gets all of it, with any mode that StarPU takes (STARPU_REDUX for sums).
  bool whole = false;
  /// Iterations on either side of the block that its part holds too, as far as there are any. With STARPU_R only.
  std::size_t halo = 0;
};

struct LoopOptions {
  std::string schedule = "hdss";  ///< see loops::schedule_names()
  std::size_t initial_block = 0;  ///< iterations; 0: the schedule's default
  std::size_t block_factor = 0;
  double growth = 1000;       ///< see loops::LoopSetup
  double guided_share = 0.5;  ///< see loops::LoopSetup
  bool lanes = false;         ///< see loops::Lanes; of wavefronts
  /// Known rates: iterations per microsecond of a worker, else 0. The adaptive phase starts from them.
  std::function<double(unsigned worker)> known_rate = {};
  const void* argument = nullptr;  ///< for the codelet; must live until the loop has ended
  /// The workers that may take part; empty: all. can_execute of the codelet is not asked.
  std::vector<unsigned> workers = {};
};

/// The work of one worker in a loop.
struct LoopShare {
  unsigned worker = 0;
  std::size_t iterations = 0;
  std::size_t blocks = 0;
  double finished = 0;  ///< microseconds from the start of the loop to the end of its last block
  double weight = 0;    ///< iterations per microsecond as the schedule saw it; 0: unknown
};

struct LoopReport {
  double microseconds = 0;  ///< until the last block had run
  std::vector<LoopShare> shares;
  std::size_t adaptive_blocks = 0;  ///< that were handed out before the weights were stable; 0 but for hdss
};

class LoopEngine;

/// A loop that runs. Each worker that can run the codelet fetches its next block when it becomes idle. A worker with
/// separate memory fetches one block ahead; the transfers of that block overlap the block that runs. Several loops may
/// run at once.
///
/// While it runs, the handles that are split belong to the loop (it holds them as starpu_data_acquire does). An
/// exception that the codelet throws ends the loop: no further block starts, and wait() reports the exception; values
/// that blocks had written by then stay. Not for the simulated flavours. Source: hdss-2013 section 3.1.
class Loop {
 public:
  /// Starts the loop. StarPU must be running; not to be called from a codelet or callback. Throws Error{usage} when
  /// the options, handles or modes make no sense, Error{runtime} when no worker can run the codelet.
  Loop(std::size_t iterations, const starpu_codelet& codelet, std::vector<LoopData> data,
       const LoopOptions& options = {});
  /// Starts a loop over rows and columns whose iterations depend on earlier ones. A tile starts once the tiles that it
  /// needs have run and their results are in main memory. Default stride (0): columns / (2 * workers), but at least 16.
  /// Default initial block (0): rows / (8 * workers) rows of one stride. Also throws Error{usage} when the dependencies
  /// allow no order. Source: hdss-2013 section 3.3.
  Loop(const loops::WavefrontSetup& wavefront, const starpu_codelet& codelet, std::vector<TileData> data,
       const LoopOptions& options = {});
  /// Waits, and drops the errors that wait() would have reported.
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Returns once all results are where the handles' owner expects them. Throws Error{runtime} naming the block and the
  /// worker when the codelet failed. Once only.
  LoopReport wait();

  /// The worker takes no further block of this loop, and still runs the blocks that it has. When it was the last one,
  /// the loop fails. Workers that are removed from the scheduling context in which the loop began leave by themselves.
  void leave(unsigned worker);

 private:
  std::unique_ptr<LoopEngine> engine_;
};

/// A codelet with one implementation, for CPU workers. `name` is not copied.
starpu_codelet cpu_codelet(starpu_cpu_func_t function, const char* name);

/// Runs the loop to its end.
LoopReport parallel_for(std::size_t iterations, const starpu_codelet& codelet, std::vector<LoopData> data,
                        const LoopOptions& options = {});
LoopReport wavefront_for(const loops::WavefrontSetup& wavefront, const starpu_codelet& codelet,
                         std::vector<TileData> data, const LoopOptions& options = {});

}  // namespace starpath
