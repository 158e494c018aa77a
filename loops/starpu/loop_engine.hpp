// What all loops on StarPU's workers share: who takes part, one task a piece, times, failures, the end.
#pragma once
#include <starpu.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "loops/schedule.hpp"
#include "loops/starpu/parallel_for.hpp"

namespace starpath {

/// A part of a loop that one worker runs as one task.
struct LoopPiece {
  virtual ~LoopPiece() = default;
  virtual std::size_t iterations() const = 0;
  /// What the codelet gets as cl_arg.
  virtual void* argument() = 0;
  /// For messages: "iterations 5 to 9".
  virtual std::string text() const = 0;

  struct Buffer {
    starpu_data_handle_t handle = nullptr;
    bool own = false;  ///< made for this piece
  };
  std::vector<Buffer> buffers;
};

/// How a loop is divided. Calls that name different processors may come from different threads at once.
class LoopPieces {
 public:
  explicit LoopPieces(const loops::Schedule& schedule);
  virtual ~LoopPieces() = default;

  virtual std::vector<starpu_data_access_mode> modes() const = 0;
  /// Whether a piece that has run may make others ready, which then find its results in main memory.
  virtual bool dependent() const = 0;

  /// Brings the loop's data to main memory and keeps it there until release(). Throws Error{runtime}.
  virtual void acquire() = 0;
  virtual void release() = 0;

  /// Null when there is nothing for the processor, or nothing yet.
  virtual std::unique_ptr<LoopPiece> fetch(unsigned processor) = 0;
  virtual void finished(unsigned processor, const LoopPiece& piece, double microseconds) = 0;
  virtual void retire(unsigned processor) = 0;
  virtual void close() = 0;
  virtual std::size_t left() const = 0;

  const loops::Schedule& schedule() const { return schedule_; }
  /// Whether the next block still serves to learn the rates.
  bool adaptive() const;

 private:
  const loops::Schedule& schedule_;
};

/// StarPU's scheduling context that the calling thread submits to.
unsigned loop_context();

/// The workers of loop_context() that a loop may use. Throws Error{usage} when StarPU does not run, Error{runtime} when
/// there are none.
std::vector<unsigned> loop_workers(const starpu_codelet& codelet, const LoopOptions& options);

/// The schedule that `options` name, for these workers. Throws Error{usage}.
std::unique_ptr<loops::Schedule> loop_schedule(std::size_t iterations, const std::vector<unsigned>& workers,
                                               const LoopOptions& options);

/// Feeds workers with pieces until there are none. See Loop, which is this under a public name.
class LoopEngine {
 public:
  /// Throws Error{usage} for more buffers than StarPU takes, and what LoopPieces::acquire() throws.
  LoopEngine(const starpu_codelet& codelet, std::unique_ptr<LoopPieces> pieces, const std::vector<unsigned>& workers);

  LoopReport wait();
  void leave(unsigned worker);
  bool waited() const { return waited_; }

 private:
  struct Slot {
    unsigned worker = 0;
    unsigned processor = 0;
    unsigned ahead = 1;
    std::atomic<bool> hungry{false};  // asked in vain
    std::mutex mutex;                 // guards what follows, and the order of this processor's calls to the pieces
    unsigned held = 0;
    bool gone = false;
    double last_end = 0;
    LoopShare share;
    std::vector<starpu_data_handle_t> parts;
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
    double submitted = 0;
    std::vector<Result> results;
    std::atomic<std::size_t> away{0};  // results that are not in main memory yet, and one for who asks for them
  };

  void start();
  void feed(Slot& slot, unsigned most);
  void feed_hungry();
  bool serve(Slot& slot, unsigned most);
  void submit(Slot& slot, std::unique_ptr<LoopPiece> piece);
  void bring_home(PieceTask* task);
  void arrived(PieceTask* task);
  void finished(const PieceTask& task);
  void keep_or_drop_parts(const PieceTask& task);
  void fail(const std::string& reason);
  void drop_token();
  void close_data();
  LoopReport report();

  static void run_cpu(void* buffers[], void* arg);
  static void run_cuda(void* buffers[], void* arg);
  static void on_finished(void* arg);
  static void on_home(void* result);
  template <class Functions>
  static void run(const Functions& functions, void* buffers[], void* arg);

  const starpu_codelet user_;
  starpu_codelet codelet_;  // the user's, behind a wall that stops exceptions
  std::unique_ptr<LoopPieces> pieces_;
  std::vector<std::unique_ptr<Slot>> slots_;
  unsigned context_;
  double began_ = 0;
  std::atomic<std::size_t> adaptive_blocks_{0};
  std::atomic<std::size_t> tokens_{1};  // pieces that are submitted, and one for each who may still submit
  std::atomic<bool> failed_{false};
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool over_ = false;
  bool waited_ = false;
  std::string reason_;
};

}  // namespace starpath
