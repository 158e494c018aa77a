// Record locks on a file in the folder of results.
#include "io/results/output_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "base/output_file.hpp"

namespace starpath::io {
namespace {

constexpr off_t kToTheEnd = 0;  // as a length: every byte, and so every rank

struct flock record_lock(short type, off_t first, off_t length) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = first;
  lock.l_len = length;
  return lock;
}

bool set(int descriptor, struct flock lock) { return ::fcntl(descriptor, F_SETLK, &lock) == 0; }

/// Whether `file` is still the name of what was opened: a job that ends removes it.
bool is_current(int descriptor, const std::filesystem::path& file) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::stat(file.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

/// "process 4711", as far as the system knows: not in another container, nor always on another node.
std::string holder(int descriptor, struct flock lock) {
  const bool known = ::fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && lock.l_pid > 0;
  return known ? fmt::format("process {}", lock.l_pid) : "another process";
}

int open_to_write(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) throw WriteError(file.parent_path(), errno);
  return descriptor;
}

/// -1 where there is no file, and this process may not make one.
int open_to_read(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  return descriptor >= 0 ? descriptor : ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
}

/// Locks, and returns the descriptor that the lock hangs on; -1 and who has it when somebody else does.
std::pair<int, std::string> try_to_lock(const std::filesystem::path& file, int descriptor, struct flock wanted) {
  const int error = set(descriptor, wanted) ? 0 : errno;
  if (error == 0 && is_current(descriptor, file)) return {descriptor, ""};
  const std::string other = error == 0 ? "another process" : holder(descriptor, wanted);
  ::close(descriptor);
  if (error != 0 && error != EAGAIN && error != EACCES) throw WriteError(file, error);
  return {-1, other};
}

}  // namespace

OutputLock::OutputLock(const std::filesystem::path& folder, int rank) : OutputLock(folder, rank, Use::writing) {}

OutputLock OutputLock::for_reading(const std::filesystem::path& folder) { return {folder, 0, Use::reading}; }

OutputLock::OutputLock(const std::filesystem::path& folder, int rank, Use use)
    : file_(folder / "results.lock"), rank_(rank) {
  const struct flock wanted = record_lock(use == Use::reading ? F_RDLCK : F_WRLCK, rank, rank == 0 ? kToTheEnd : 1);
  using std::chrono::steady_clock;
  const auto end = steady_clock::now() + std::chrono::seconds(1);
  for (;;) {
    const int opened = use == Use::reading ? open_to_read(file_) : open_to_write(file_);
    if (opened < 0) return;
    const auto [descriptor, other] = try_to_lock(file_, opened, wanted);
    descriptor_ = descriptor;
    if (descriptor >= 0) break;
    if (steady_clock::now() >= end)
      throw Error(ErrorKind::output,
                  fmt::format("{}: in use by {}; wait until that has finished or choose another folder",
                              folder.string(), other));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  // No process of another job is left: this job's ranks may come.
  if (rank == 0 && use == Use::writing) set(descriptor_, record_lock(F_UNLCK, 1, kToTheEnd));
}

OutputLock::~OutputLock() {
  if (descriptor_ < 0) return;
  // A rank or a reader that is still there needs the file, so that the next job finds it.
  if (rank_ == 0 && set(descriptor_, record_lock(F_WRLCK, 0, kToTheEnd))) ::unlink(file_.c_str());
  ::close(descriptor_);
}

}  // namespace starpath::io
