// Making and locking a results file.
#include "io/results/results_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/output_file.hpp"

namespace starpath::io {
namespace {

/// Makes what the file holds durable.
void sync_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool good = file >= 0 && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!good) throw WriteError(path, error);
}

/// Puts the finished file under its name unless something is there already.
void publish(const std::filesystem::path& made, const std::filesystem::path& path) {
  int error = ::link(made.c_str(), path.c_str()) == 0 ? 0 : errno;
  // A file system without hard links: then the check for an existing file, or a link to none, is not atomic.
  if ((error == EPERM || error == EOPNOTSUPP || error == ENOSYS) && !exists(std::filesystem::symlink_status(path)))
    error = std::rename(made.c_str(), path.c_str()) == 0 ? 0 : errno;
  ::unlink(made.c_str());
  if (error == EEXIST)
    throw Error(ErrorKind::output,
                path.string() + ": exists already; continue it with --resume, move it away or choose another folder");
  if (error != 0) throw WriteError(path, error);
  // The name need not be durable yet: SQLite syncs the folder with the first journal that it makes there, that of the
  // first commit or of the change to WAL.
}

/// Removes what processes that were killed in here left: "<path>.<number>.new" of a process that is gone, and journals.
void remove_abandoned(const std::filesystem::path& path) {
  const std::string start = path.filename().string() + ".";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start)) continue;
    const std::size_t end = name.find_first_not_of("0123456789", start.size());
    if (end == start.size() || end == std::string::npos) continue;
    if (const std::string rest = name.substr(end); rest != ".new" && rest != ".new-journal") continue;
    const long process = std::strtol(name.c_str() + start.size(), nullptr, 10);
    if (::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH) ::unlink(entry.path().c_str());
  }
}

}  // namespace

void make_results_file(const std::string& path, const std::function<void(Database&)>& fill) {
  remove_abandoned(path);
  const std::string made = fmt::format("{}.{}.new", path, ::getpid());
  ::unlink(made.c_str());
  // Made here, for SQLite would follow a link of that name.
  const int empty = ::open(made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (empty < 0) throw WriteError(path, errno);
  ::close(empty);
  try {
    {
      Database database(made, Database::Open::existing);
      // Nobody knows of the file yet, and after a crash it goes: it need not be durable step by step.
      database.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;");
      fill(database);
    }
    sync_file(made);
  } catch (...) {
    ::unlink(made.c_str());
    ::unlink((made + "-journal").c_str());
    throw;
  }
  publish(made, path);
}

void lock_results_file(Database& database, Commits commits) {
  if (database.read_only()) throw database.error(SQLITE_READONLY);
  // The rollback journal keeps everything in one file, and for rows that are only added it costs less than WAL, which
  // writes every page twice, but asks the disk less often.
  database.execute(commits == Commits::few_large
                       ? "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA locking_mode = EXCLUSIVE;"
                       : "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  database.execute("BEGIN EXCLUSIVE; COMMIT");
}

void close_results_file(Database& database) {
  if (!database.read_only()) database.execute("PRAGMA journal_mode = DELETE");
}

}  // namespace starpath::io
