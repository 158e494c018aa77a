// A folder is tried before StarPU tries it.
#include "pipelines/run/starpu_home.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "base/one_line.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHome = "STARPU_HOME";

/// Why files cannot be made in `folder`; empty when they can.
std::string trouble_in(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return error.message();
  std::string name = folder / "starpath-XXXXXX";
  const int file = ::mkstemp(name.data());
  if (file < 0) return std::strerror(errno);
  const std::string block(4096, '\0');  // a full file system still makes empty files
  const bool written = ::write(file, block.data(), block.size()) == static_cast<ssize_t>(block.size());
  const std::string reason = written ? "" : std::strerror(errno);
  ::close(file);
  ::unlink(name.c_str());
  return reason;
}

/// Where StarPU keeps them in a home.
std::string trouble_in_home(const std::string& home) { return trouble_in(fs::path(home) / ".starpu" / "sampling"); }

std::string value_of(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The folder of this user, which nobody else can write to; empty where there is none.
std::string runtime_folder() {
  const std::string folder = value_of("XDG_RUNTIME_DIR");
  struct stat status {};
  if (folder.empty() || ::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return "";
  if (status.st_uid != ::geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "";
  const std::string home = fs::path(folder) / "starpath";
  return trouble_in_home(home).empty() ? home : "";
}

/// Whether the user has chosen a folder, which is then good.
bool is_chosen() {
  for (const char* name : {"XDG_CACHE_HOME", kHome}) {
    const char* home = std::getenv(name);
    if (home == nullptr) continue;
    const std::string trouble = trouble_in_home(home);
    if (trouble.empty()) return true;
    throw Error(ErrorKind::runtime,
                fmt::format("{}={}: StarPU cannot keep its models there ({}); set STARPU_HOME to a folder that can be "
                            "written",
                            name, home, trouble));
  }
  return false;
}

}  // namespace

void check_starpu_home() { is_chosen(); }

StarpuHome::StarpuHome() {
  if (is_chosen()) return;
  const std::string home = value_of("HOME");
  const std::string trouble = home.empty() ? "" : trouble_in_home(home);
  if (!home.empty() && trouble.empty()) return;
  std::string folder = runtime_folder();
  if (folder.empty()) folder = fresh_.emplace().path();
  replaced_ = true;
  ::setenv(kHome, folder.c_str(), 1);
  const std::string why =
      home.empty() ? "HOME is not set" : fmt::format("HOME={}: cannot be written ({})", home, trouble);
  std::fputs((one_line(fmt::format("starpath: warning: {}; StarPU keeps its models in {}; set STARPU_HOME to a folder "
                                   "of yours",
                                   why, folder)) +
              "\n")
                 .c_str(),
             stderr);
}

StarpuHome::~StarpuHome() {
  if (replaced_) ::unsetenv(kHome);
}

}  // namespace starpath
