// posix_spawn() instead of the fork() of child_process.cpp: it copies no page tables, which are large beside StarPU and
// CUDA, and runs no handlers of MPI.
#include "base/helper_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include "base/child_process.hpp"
#include "base/error.hpp"

namespace starpath {
namespace {

using Clock = std::chrono::steady_clock;

/// Above those that the program gets, so that none is overwritten before it is handed over.
constexpr int kFirstFree = kHelperMemory + 1;
/// A wait that takes longer than this was no wait, but a process that was stopped.
constexpr std::chrono::milliseconds kOneWait{1000};

[[noreturn]] void fail(const char* what) {
  throw Error(ErrorKind::runtime,
              fmt::format("{}: {}; close other programs, or raise the limits of this one", what, std::strerror(errno)));
}

class Descriptor {
 public:
  /// Takes `number` over, under a number that is free in the program. Throws Error{runtime} where there is none.
  Descriptor(int number, const char* what) {
    if (number < 0) fail(what);
    number_ = ::fcntl(number, F_DUPFD_CLOEXEC, kFirstFree);
    ::close(number);
    if (number_ < 0) fail(what);
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

/// Starts programs for all threads. The system ends a program with the *thread* that started it (PR_SET_PDEATHSIG), and
/// threads that read slides come and go: this one lives as long as the process.
class Starter {
 public:
  static Starter& only() {
    static Starter& starter = *new Starter;  // outlives the destructors of statics, as its thread does
    return starter;
  }

  /// Returns what posix_spawn() does.
  int start(pid_t& process, const char* program, const posix_spawn_file_actions_t& files,
            const posix_spawnattr_t& attributes, char* const* arguments) {
    std::packaged_task<int()> task(
        [&] { return ::posix_spawn(&process, program, &files, &attributes, arguments, environ); });
    std::future<int> result = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
    return result.get();
  }

 private:
  Starter() {
    sigset_t all, before;  // handlers run on other threads
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([this] { work(); }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  [[noreturn]] void work() {
    while (true) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return !tasks_.empty(); });
      std::packaged_task<int()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::packaged_task<int()>> tasks_;
};

/// What the program gets and what it does not.
class Inheritance {
 public:
  Inheritance(int socket, int memory) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    // Libraries write lines of their own there.
    for (const int out : {STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&files_, out, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files_, socket, kHelperSocket);
    ::posix_spawn_file_actions_adddup2(&files_, memory, kHelperMemory);
    ::posix_spawnattr_init(&attributes_);
    sigset_t signals;
    ::sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Inheritance() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Inheritance(const Inheritance&) = delete;
  Inheritance& operator=(const Inheritance&) = delete;
  const posix_spawn_file_actions_t& files() const { return files_; }
  const posix_spawnattr_t& attributes() const { return attributes_; }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

pid_t start(const std::filesystem::path& program, const std::vector<std::string>& arguments, int socket, int memory) {
  std::vector<std::string> words = {program.string(), std::to_string(::getpid())};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const Inheritance inheritance(socket, memory);
  pid_t process = 0;
  const int problem =
      Starter::only().start(process, program.c_str(), inheritance.files(), inheritance.attributes(), pointers.data());
  if (problem != 0)
    throw Error(ErrorKind::runtime,
                fmt::format("cannot start {}: {}; install starpath again", program.string(), std::strerror(problem)));
  return process;
}

/// Seals, so that the program cannot take away memory that this process reads, which would end this process.
void give_size(int memory, std::size_t size) {
  if (::ftruncate(memory, static_cast<off_t>(size)) != 0 ||
      ::fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    fail("no memory can be shared with another process");
}

std::string text_of_end(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("ended by itself with exit status {}", WEXITSTATUS(status));
}

}  // namespace

HelperProcess::HelperProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                             std::size_t shared)
    : size_(shared) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) fail("no socket can be made");
  Descriptor ours(ends[0], "no socket can be made"), theirs(ends[1], "no socket can be made");
  const Descriptor memory(::memfd_create("starpath-helper", MFD_CLOEXEC | MFD_ALLOW_SEALING),
                          "no memory can be shared with another process");
  give_size(memory.number(), shared);
  void* const place = ::mmap(nullptr, shared, PROT_READ, MAP_SHARED, memory.number(), 0);
  if (place == MAP_FAILED) fail("no memory can be shared with another process");
  memory_ = static_cast<std::byte*>(place);
  try {
    process_ = start(program, arguments, theirs.number(), memory.number());
  } catch (...) {
    close_all();
    throw;
  }
  socket_ = ours.release();
}

HelperProcess::~HelperProcess() {
  end();
  close_all();
}

void HelperProcess::close_all() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (memory_ != nullptr) ::munmap(std::exchange(memory_, nullptr), size_);
}

bool HelperProcess::tell(std::span<const std::byte> message) const {
  ssize_t sent = 0;
  do sent = ::send(socket_, message.data(), message.size(), MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(message.size());
}

HelperProcess::Answer HelperProcess::hear(std::span<std::byte> message, std::chrono::milliseconds limit) const {
  while (limit.count() > 0) {
    const auto begin = Clock::now();
    pollfd socket{socket_, POLLIN, 0};
    const int ready = ::poll(&socket, 1, static_cast<int>(std::min(limit, kOneWait).count()));
    const auto waited = std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - begin);
    limit -= std::min(waited, kOneWait);
    if (ready < 0 && errno != EINTR && errno != EAGAIN) return Answer::ended;
    if (ready <= 0) continue;
    const ssize_t got = ::recv(socket_, message.data(), message.size(), MSG_DONTWAIT | MSG_TRUNC);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return Answer::ended;
    return got == static_cast<ssize_t>(message.size()) ? Answer::came : Answer::malformed;
  }
  return Answer::late;
}

std::string HelperProcess::end() {
  if (process_ <= 0) return "has ended";
  ::kill(process_, SIGKILL);  // changes nothing about a process that is ending: its status is already that of its end
  int status = 0;
  pid_t ended = 0;
  do ended = ::waitpid(process_, &status, 0);
  while (ended < 0 && errno == EINTR);
  process_ = 0;
  return ended < 0 ? "has ended" : text_of_end(status);  // no status where SIGCHLD is ignored
}

void become_helper(pid_t parent) {
  end_with_parent(parent, SIGKILL);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ, SIGPIPE}) ::signal(signal, SIG_IGN);
  // What its parent forgot to close on exec: sockets of MPI, devices.
  if (::syscall(SYS_close_range, static_cast<unsigned>(kFirstFree), ~0u, 0u) == 0) return;
  for (int number = kFirstFree; number < static_cast<int>(std::min(::sysconf(_SC_OPEN_MAX), 1L << 16)); ++number)
    ::close(number);  // a kernel before 5.9
}

}  // namespace starpath
