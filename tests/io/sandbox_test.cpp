// What a process cannot do any more that has given up its rights.
#include "io/reader/sandbox.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "slide_files.hpp"

namespace starpath::reader {
namespace {

namespace fs = std::filesystem;
using io::test::TempFolder;
using io::test::write_bytes;

constexpr int kNoGuard = 255;  // an exit code; others are values of errno

/// In a child of this process, in the sandbox: 0 when `call` succeeds, else its errno; kNoGuard where the sandbox says
/// that it lacks the guard `needs`.
int outcome_of(const std::string& slide, bool Guards::*needs, const std::function<long()>& call) {
  int socket[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, socket), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const Guards guards = enter_sandbox(readable_for(slide), socket[1], std::uint64_t{1} << 30);
    if (!(guards.*needs)) ::_exit(kNoGuard);
    errno = 0;
    ::_exit(call() >= 0 ? 0 : errno);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(socket[0]);
  ::close(socket[1]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

class Sandbox : public ::testing::Test {
 protected:
  Sandbox() {
    fs::create_directories(folder_ / "slides/a");
    fs::create_directories(folder_ / "elsewhere");
    for (const char* name : {"slides/a.mrxs", "slides/a/Data.dat", "slides/b.svs", "elsewhere/secret"})
      write_bytes(folder_ / name, "bytes");
    fs::create_symlink(folder_ / "elsewhere/secret", folder_ / "slides/a/Linked.dat");
    write_bytes(folder_ / "elsewhere/other", "bytes");
  }

  int calls(const std::function<long()>& call) const { return outcome_of(slide_, &Guards::calls, call); }
  int opens(const std::string& name, int flags) const {
    return calls([&] { return ::open((folder_ / name).c_str(), flags, 0600); });
  }
  const TempFolder folder_;
  const std::string slide_ = folder_ / "slides/a.mrxs";
};

/// By the kernel's own word.
struct Kernel {
  static bool has_calls() {
    std::uint32_t refuses = 0x00050000;  // SECCOMP_RET_ERRNO
    return ::syscall(SYS_seccomp, 2 /* SECCOMP_GET_ACTION_AVAIL */, 0, &refuses) == 0;
  }
  static bool has_files() { return ::syscall(444 /* landlock_create_ruleset */, nullptr, 0, 1 /* version */) >= 1; }
};

#define SKIP_WITHOUT(guard) \
  if (!Kernel::has_##guard()) GTEST_SKIP() << "this kernel does not guard " #guard

TEST_F(Sandbox, FilesOfTheSlideAreRead) {
  SKIP_WITHOUT(calls);
  for (const char* name : {"slides/a.mrxs", "slides/a/Data.dat", "slides/a/Linked.dat"})
    EXPECT_EQ(opens(name, O_RDONLY), 0) << name;
  EXPECT_EQ(opens("slides/a", O_RDONLY | O_DIRECTORY), 0);
  EXPECT_EQ(opens("slides/none", O_RDONLY), ENOENT);
}

TEST_F(Sandbox, OtherFilesAreNot) {
  SKIP_WITHOUT(files);
  SKIP_WITHOUT(calls);
  for (const char* name : {"elsewhere/other", "elsewhere"}) EXPECT_EQ(opens(name, O_RDONLY), EACCES) << name;
  EXPECT_EQ(calls([] { return ::open("/etc/passwd", O_RDONLY); }), EACCES);
  EXPECT_EQ(calls([] { return ::open("/proc/self/environ", O_RDONLY); }), EACCES);
}

TEST_F(Sandbox, NoFileIsOpenedForWriting) {
  SKIP_WITHOUT(calls);
  for (const int flags : {O_WRONLY, O_RDWR, O_RDONLY | O_TRUNC, O_RDONLY | O_CREAT, O_WRONLY | O_APPEND}) {
    EXPECT_EQ(opens("slides/a.mrxs", flags), EPERM) << flags;
    EXPECT_EQ(opens("slides/new", flags | O_CREAT), EPERM) << flags;
  }
  EXPECT_FALSE(fs::exists(folder_ / "slides/new"));
  const std::string name = folder_ / "slides/a.mrxs", other = folder_ / "slides/other";
  EXPECT_EQ(calls([&] { return ::unlink(name.c_str()); }), EPERM);
  EXPECT_EQ(calls([&] { return ::rename(name.c_str(), other.c_str()); }), EPERM);
  EXPECT_EQ(calls([&] { return ::mkdir(other.c_str(), 0700); }), EPERM);
  EXPECT_EQ(calls([&] { return ::chmod(name.c_str(), 0777); }), EPERM);
  EXPECT_EQ(calls([&] { return ::truncate(name.c_str(), 0); }), EPERM);
}

TEST_F(Sandbox, AFileThatIsOpenIsNotWrittenTo) {
  SKIP_WITHOUT(calls);
  const int file = ::open((folder_ / "elsewhere/other").c_str(), O_RDWR);
  EXPECT_EQ(calls([&] { return ::write(file, "x", 1); }), EPERM);
  EXPECT_EQ(calls([&] { return ::pwrite(file, "x", 1, 0); }), EPERM);
  ::close(file);
}

TEST_F(Sandbox, ThereIsNoNetwork) {
  SKIP_WITHOUT(calls);
  for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK})
    EXPECT_EQ(calls([&] { return ::socket(family, SOCK_STREAM, 0); }), EPERM) << family;
}

TEST_F(Sandbox, NoOtherProcessIsStartedOrReached) {
  SKIP_WITHOUT(calls);
  EXPECT_EQ(calls([] { return ::execl("/bin/true", "/bin/true", nullptr); }), EPERM);
  EXPECT_EQ(calls([] { return ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr); }), EPERM);
  const pid_t parent = ::getpid();
  EXPECT_EQ(calls([&] { return ::kill(parent, 0); }), EPERM);
  EXPECT_EQ(calls([&] { return ::syscall(SYS_tgkill, parent, parent, 0); }), EPERM);
  EXPECT_EQ(calls([&] { return ::syscall(SYS_ptrace, 16 /* PTRACE_ATTACH */, parent, nullptr, nullptr); }), EPERM);
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  EXPECT_EQ(calls([&] { return ::fcntl(pipe[0], F_SETOWN, parent); }), EPERM) << "the kernel would signal it";
}

TEST_F(Sandbox, LimitsAreNotRaised) {
  SKIP_WITHOUT(calls);
  const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
  EXPECT_EQ(calls([&] { return ::setrlimit(RLIMIT_DATA, &all); }), EPERM);
}

TEST_F(Sandbox, AnAbortEndsTheProcess) {
  SKIP_WITHOUT(calls);
  EXPECT_EQ(calls([]() -> long { ::abort(); }), 1000 + SIGABRT);
}

TEST_F(Sandbox, MemoryIsLimited) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need all addresses";
#else
  SKIP_WITHOUT(calls);
  const auto map = [](std::size_t bytes) {
    return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1L : 0L;
  };
  EXPECT_EQ(calls([&] { return map(std::size_t{1} << 20); }), 0);
  EXPECT_EQ(calls([&] { return map(std::size_t{2} << 30); }), ENOMEM);
#endif
}

}  // namespace
}  // namespace starpath::reader
