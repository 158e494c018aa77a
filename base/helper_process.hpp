// A program that answers this one: a socket for short messages, and memory that both see for all that is long.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace starpath {

/// File descriptors that the program finds open, besides the standard ones, which lead to /dev/null.
inline constexpr int kHelperSocket = 3;  ///< keeps the bounds of messages (SOCK_SEQPACKET)
inline constexpr int kHelperMemory = 4;  ///< of the size that was asked for; can become neither larger nor smaller

/// Not thread-safe: one thread at a time asks and waits.
class HelperProcess {
 public:
  /// Starts `program` with this process's id as its first argument, then `arguments`, and this process's environment.
  /// Throws Error{runtime} when it cannot be started, or where there is no memory of `shared` bytes to share.
  HelperProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments, std::size_t shared);
  /// Ends it.
  ~HelperProcess();
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;

  /// False when it has ended.
  bool tell(std::span<const std::byte> message) const;

  enum class Answer {
    came,       ///< a message of just this size
    ended,      ///< the program has ended, or hung up
    late,       ///< nothing came within the limit
    malformed,  ///< a message of another size
  };
  /// Waits for the next message. Time in which this process was stopped (Ctrl-Z) does not count.
  Answer hear(std::span<std::byte> message, std::chrono::milliseconds limit) const;

  /// What both see. The program may write to it at any moment: copy what is to be checked, then check the copy.
  std::span<const std::byte> shared() const { return {memory_, size_}; }

  /// Ends it, and says how it ended, behind "the process that …": "was ended by signal 11 (Segmentation fault)".
  std::string end();

  pid_t process() const { return process_; }

 private:
  void close_all();

  int socket_ = -1;
  std::byte* memory_ = nullptr;
  std::size_t size_ = 0;
  pid_t process_ = 0;  // 0: its end was waited for
};

/// For the program, at once after its start: it ends when `parent`, the process that started it, has ended, closes all
/// files but those above, and leaves the signals of a terminal and of a batch system to the process that started it.
void become_helper(pid_t parent);

}  // namespace starpath
