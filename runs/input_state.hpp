// A slide that is replaced while it is read.
#pragma once
#include <sys/stat.h>

#include <string>

namespace starpath {

/// Which file the input is, its size and its time of change, as they are at construction. Inputs that are no file
/// always pass.
class InputState {
 public:
  explicit InputState(std::string input);
  /// Throws Error{input} when the file is another one than at construction, or has changed.
  void check_unchanged() const;
  /// A text that tells this state from others. Of a folder that of its files, as they are at the call. Empty for other
  /// inputs.
  std::string text() const;

 private:
  std::string input_;
  struct stat state_ {};
  bool is_file_;
};

}  // namespace starpath
