// Feeds workers with the pieces of a loop until there are none.
#pragma once
#include <starpu.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "loops/starpu/loop_end.hpp"
#include "loops/starpu/loop_pieces.hpp"
#include "loops/starpu/parallel_for.hpp"
#include "loops/starpu/piece_codelet.hpp"

namespace starpath {

/// See Loop, which is this under a public name.
class LoopEngine {
 public:
  /// Throws Error{usage} for more buffers than StarPU takes, and every error of LoopPieces::acquire().
  LoopEngine(const starpu_codelet& codelet, std::unique_ptr<LoopPieces> pieces, const std::vector<unsigned>& workers);

  LoopReport wait();
  void leave(unsigned worker);
  bool waited() const { return end_.waited(); }

 private:
  /// A worker as a processor of this loop.
  struct Slot {
    unsigned worker = 0;
    unsigned processor = 0;
    unsigned ahead = 1;               // pieces that it may hold
    std::atomic<bool> hungry{false};  // asked in vain
    std::mutex mutex;                 // guards the members below, and the order of this processor's calls to the pieces
    unsigned held = 0;
    bool gone = false;
    double last_end = 0;
    LoopShare share;
    std::vector<starpu_data_handle_t> handles;  // temporary ones, until the loop is over
    std::vector<starpu_task*> tasks;
  };

  struct PieceTask;
  struct Result {  // a handle that a piece wrote, on its way to main memory
    PieceTask* task;
    starpu_data_handle_t handle;
  };
  struct PieceTask {
    LoopEngine* loop = nullptr;
    Slot* slot = nullptr;
    std::unique_ptr<LoopPiece> piece;
    PieceCodelet::Call call{};
    double submitted = 0;
    std::vector<Result> results;
    std::atomic<std::size_t> away{0};  // results not in main memory yet, and one for the asking thread
  };

  void start();
  void feed(Slot& slot, unsigned most);
  void feed_hungry();
  bool serve(Slot& slot, unsigned most);
  void submit(Slot& slot, std::unique_ptr<LoopPiece> piece);
  starpu_task* task_for(PieceTask& made);
  void bring_home(PieceTask* task);
  void arrived(PieceTask* task);
  void finished(const PieceTask& task);
  void close_data();
  LoopReport report();

  static void on_finished(void* task);
  static void on_home(void* result);

  std::unique_ptr<LoopPieces> pieces_;
  LoopEnd end_;
  PieceCodelet codelet_;
  std::vector<std::unique_ptr<Slot>> slots_;
  unsigned context_;
  double began_ = 0;
  std::atomic<std::size_t> adaptive_blocks_{0};
};

}  // namespace starpath
