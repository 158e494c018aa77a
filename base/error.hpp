// The one exception type that our code throws, and the exit codes it maps to.
#pragma once
#include <stdexcept>
#include <string>

#include "base/one_line.hpp"

namespace starpath {

/// Kinds of failure; the value is the exit code of the `starpath` command (docs/robustness.md).
enum class ErrorKind : int {
  internal = 1,      // a bug of ours
  usage = 2,         // an option or argument that makes no sense
  input = 3,         // a slide that is missing, damaged or of an unknown kind
  output = 4,        // a place that cannot be written: full, read-only, missing rights
  mismatch = 5,      // --resume with results of another slide, version or parameters
  tiles_failed = 6,  // finished, but some tiles could not be read or processed, or an export could not read the slide
  runtime = 7,       // StarPU or a device failed
};

/// The exit code of a command that a signal stopped: no error.
inline constexpr int kExitInterrupted = 130;

/// `what()` is one line: what went wrong, where, and what to do about it. Control characters of the message, which may
/// quote what a file holds, become spaces.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind error_kind, const std::string& message) : std::runtime_error(one_line(message)), kind_(error_kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace starpath
