// How a loop is divided into pieces that workers run.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "loops/schedule.hpp"

namespace starpath {

/// A piece of a loop: one worker runs it as one task.
struct LoopPiece {
  virtual ~LoopPiece() = default;
  virtual std::size_t iterations() const = 0;
  /// The codelet's cl_arg.
  virtual void* argument() = 0;
  /// For messages: "iterations 5 to 9".
  virtual std::string text() const = 0;

  struct Buffer {
    starpu_data_handle_t handle = nullptr;
    bool temporary = false;  ///< made for this piece
  };
  std::vector<Buffer> buffers;
};

/// Calls that name different processors may come from different threads at once.
class LoopPieces {
 public:
  explicit LoopPieces(const loops::Schedule& schedule) : schedule_(schedule) {}
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

  /// Whether the next piece still serves to learn the rates.
  bool adaptive() const { return schedule_.adaptive(left()); }
  /// Iterations per microsecond of the processor as measured; 0: unknown.
  double weight(unsigned processor) const { return schedule_.weight(processor); }

 private:
  const loops::Schedule& schedule_;
};

}  // namespace starpath
