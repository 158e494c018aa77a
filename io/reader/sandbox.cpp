// rlimits, then landlock, then seccomp, which also forbids the calls that would loosen the other two.
#include "io/reader/sandbox.hpp"

#include <fcntl.h>
#include <link.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <system_error>

#include "base/cgroup.hpp"

namespace starpath::reader {
namespace {

namespace fs = std::filesystem;

// The sanitizers of GCC and Clang reserve terabytes of addresses.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasMemoryLimit = false;
#else
constexpr bool kHasMemoryLimit = true;
#endif

constexpr double kShareOfMemory = 0.5;  // as for pictures that are decoded whole (slide_backend.hpp)
constexpr std::size_t kMostLinks = 10'000;

void limit(decltype(RLIMIT_CORE) what, std::uint64_t most) {
  rlimit both{};
  if (::getrlimit(what, &both) != 0) return;
  both.rlim_max = std::min<rlim_t>(both.rlim_max, most);
  both.rlim_cur = std::min<rlim_t>(both.rlim_cur, both.rlim_max);
  ::setrlimit(what, &both);
}

void set_limits(std::uint64_t memory) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NPROC, 0);
  // Of memory that is written to. Not of addresses: libtiff maps files of any size.
  if (kHasMemoryLimit) limit(RLIMIT_DATA, memory);
}

// Landlock has no wrappers in the C library, and headers of Debian 11 do not know it. Numbers and structures are those
// of linux/landlock.h; all processors have these numbers of calls.
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr std::uint64_t kReadFile = 1 << 2, kReadFolder = 1 << 3;

struct RulesetAttributes {
  std::uint64_t handled;
};

struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed;
  std::int32_t parent;
};

/// All rights that this version of landlock can take away.
std::uint64_t handled_by(long version) {
  std::uint64_t rights = (1u << 13) - 1;  // execute, write, read, make and remove files
  if (version >= 2) rights |= 1u << 13;   // link or rename across folders
  if (version >= 3) rights |= 1u << 14;   // truncate
  if (version >= 5) rights |= 1u << 15;   // ioctl on devices
  return rights;
}

void allow_reading(int rules, const fs::path& path) {
  const int place = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (place < 0) return;
  std::error_code error;
  const PathBeneath rule{kReadFile | (fs::is_directory(path, error) ? kReadFolder : 0), place};
  ::syscall(kAddRule, rules, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0);
  ::close(place);
}

bool restrict_files(const std::vector<fs::path>& folders) {
  const long version = ::syscall(kCreateRuleset, nullptr, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
  if (version < 1) return false;
  const RulesetAttributes attributes{handled_by(version)};
  const long rules = ::syscall(kCreateRuleset, &attributes, sizeof attributes, 0);
  if (rules < 0) return false;
  for (const fs::path& folder : folders) allow_reading(static_cast<int>(rules), folder);
  const bool restricted = ::syscall(kRestrictSelf, static_cast<int>(rules), 0) == 0;
  ::close(static_cast<int>(rules));
  return restricted;
}

/// Calls that read, compute, and ask about the process itself. Names that a version of libseccomp does not know, or a
/// processor does not have, are passed over.
constexpr const char* kHarmless[] = {"read",
                                     "pread64",
                                     "readv",
                                     "preadv",
                                     "lseek",
                                     "_llseek",
                                     "close",
                                     "fstat",
                                     "fstat64",
                                     "stat",
                                     "stat64",
                                     "lstat",
                                     "lstat64",
                                     "newfstatat",
                                     "fstatat64",
                                     "statx",
                                     "access",
                                     "faccessat",
                                     "faccessat2",
                                     "readlink",
                                     "readlinkat",
                                     "getdents",
                                     "getdents64",
                                     "getcwd",
                                     "fadvise64",
                                     "readahead",
                                     "brk",
                                     "mmap",
                                     "mmap2",
                                     "munmap",
                                     "mremap",
                                     "mprotect",
                                     "madvise",
                                     "futex",
                                     "futex_time64",
                                     "getrandom",
                                     "clock_gettime",
                                     "clock_gettime64",
                                     "clock_getres",
                                     "clock_getres_time64",
                                     "gettimeofday",
                                     "time",
                                     "nanosleep",
                                     "clock_nanosleep",
                                     "clock_nanosleep_time64",
                                     "sched_yield",
                                     "sched_getaffinity",
                                     "getpid",
                                     "getppid",
                                     "gettid",
                                     "getuid",
                                     "geteuid",
                                     "getgid",
                                     "getegid",
                                     "uname",
                                     "sysinfo",
                                     "getrlimit",
                                     "ugetrlimit",
                                     "rt_sigaction",
                                     "rt_sigprocmask",
                                     "rt_sigreturn",
                                     "sigreturn",
                                     "sigaltstack",
                                     "restart_syscall",
                                     "exit",
                                     "exit_group"};

/// What fcntl() may do: F_SETOWN and F_SETSIG, say, send signals to other processes.
constexpr int kHarmlessFcntl[] = {F_GETFD, F_SETFD, F_GETFL, F_GETLK, F_SETLK, F_DUPFD_CLOEXEC};

class Filter {
 public:
  Filter() : filter_(::seccomp_init(SCMP_ACT_ERRNO(EPERM)), ::seccomp_release) {}
  template <class... Condition>
  void allow(const char* name, Condition... conditions) {
    const int call = ::seccomp_syscall_resolve_name(name);
    if (filter_ && call != __NR_SCMP_ERROR)
      ::seccomp_rule_add(filter_.get(), SCMP_ACT_ALLOW, call, sizeof...(conditions), conditions...);
  }
  bool load() { return filter_ && ::seccomp_load(filter_.get()) == 0; }

 private:
  std::unique_ptr<void, void (*)(scmp_filter_ctx)> filter_;
};

bool restrict_calls(int socket) {
  constexpr scmp_datum_t writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY) | O_PATH;
  Filter filter;
  for (const char* name : kHarmless) filter.allow(name);
  filter.allow("open", SCMP_A1(SCMP_CMP_MASKED_EQ, writing, O_RDONLY));
  filter.allow("openat", SCMP_A2(SCMP_CMP_MASKED_EQ, writing, O_RDONLY));
  filter.allow("write", SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(socket)));
  for (const char* name : {"fcntl", "fcntl64"})
    for (const int command : kHarmlessFcntl)
      filter.allow(name, SCMP_A1(SCMP_CMP_EQ, static_cast<scmp_datum_t>(command)));
  filter.allow("prlimit64", SCMP_A2(SCMP_CMP_EQ, 0));                                   // asks, and sets nothing
  filter.allow("tgkill", SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(::getpid())));  // abort()
  return filter.load();
}

/// Where links in a folder lead.
void add_targets(const fs::path& folder, std::vector<fs::path>& places) {
  std::error_code error, ignored;
  std::size_t links = 0;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end && links < kMostLinks;
       entry.increment(error)) {
    if (!entry->is_symlink(ignored)) continue;
    ++links;
    if (fs::path target = fs::canonical(entry->path(), ignored); !target.empty()) places.push_back(std::move(target));
  }
}

int add_folder_of_library(dl_phdr_info* library, std::size_t /*size*/, void* places) {
  const fs::path path = library->dlpi_name;
  if (path.is_absolute()) static_cast<std::vector<fs::path>*>(places)->push_back(path.parent_path());
  return 0;
}

}  // namespace

Guards enter_sandbox(const std::vector<fs::path>& folders, int socket, std::uint64_t memory) {
  set_limits(memory);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {};
  Guards guards;
  guards.files = restrict_files(folders);
  guards.calls = restrict_calls(socket);
  return guards;
}

std::vector<fs::path> readable_for(const fs::path& path) {
  // The cache of the dynamic loader, and what libraries keep beside themselves: decoders of GDK-PixBuf, tables of
  // iconv, the dictionary of DCMTK.
  std::vector<fs::path> places = {"/etc/ld.so.cache", "/usr/share"};
  ::dl_iterate_phdr(add_folder_of_library, &places);
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code error;
  for (const fs::path& place : {folder, path, fs::canonical(path, error).parent_path()})
    if (!place.empty()) places.push_back(place);
  for (const fs::path& with_links : {folder, fs::path(path).replace_extension(), path})
    if (fs::is_directory(with_links, error)) add_targets(with_links, places);
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  return places;
}

std::uint64_t memory_of_reader() {
  std::int64_t bytes = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
  if (const auto container = cgroup_memory()) bytes = std::min(bytes, container->bytes);
  return static_cast<std::uint64_t>(kShareOfMemory * static_cast<double>(bytes));
}

}  // namespace starpath::reader
