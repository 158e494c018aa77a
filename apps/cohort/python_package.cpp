// Finds the package, and calls exec.
#include "apps/cohort/python_package.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

/// Leaves the user's working folder out of the places of modules. Older Pythons than 3.11 do not know PYTHONSAFEPATH.
constexpr const char* kStart =
    "import sys\n"
    "if sys.path[0] == '':\n"
    "  del sys.path[0]\n"
    "if sys.version_info < (3, 9):\n"
    "  sys.stderr.write('starpath: %s is older than Python 3.9; name a newer one in STARPATH_PYTHON\\n' % "
    "sys.executable)\n"
    "  sys.exit(7)\n"
    "from starpath.__main__ import main\n"
    "main()\n";

std::string environment_or(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

/// The folder that holds the package `starpath`.
fs::path package_folder() {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {"../python", STARPATH_PYTHON_FROM_PROGRAM}) {
    const fs::path folder = (program / place).lexically_normal();
    if (fs::exists(folder / "starpath/__main__.py")) return folder;
  }
  throw Error(ErrorKind::runtime, fmt::format("the Python package of starpath is not in {}; install starpath again",
                                              (program / STARPATH_PYTHON_FROM_PROGRAM).lexically_normal().string()));
}

}  // namespace

void become_python_package(const std::vector<std::string>& arguments) {
  const std::string folder = package_folder().string(), path = environment_or("PYTHONPATH", "");
  ::setenv("PYTHONPATH", (path.empty() ? folder : folder + ":" + path).c_str(), 1);
  const std::string python = environment_or("STARPATH_PYTHON", "python3");
  std::vector<const char*> words = {python.c_str(), "-B", "-c", kStart};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  words.push_back(nullptr);
  sigset_t stops;  // Python's start would answer them with a traceback; the package lets them through
  ::sigemptyset(&stops);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&stops, signal);
  ::sigprocmask(SIG_BLOCK, &stops, nullptr);
  ::execvp(python.c_str(), const_cast<char* const*>(words.data()));
  throw Error(ErrorKind::runtime,
              fmt::format("{}: cannot be started ({}); `starpath {}` runs in Python: apt-get install python3-scipy "
                          "python3-pandas python3-matplotlib, or name a Python that has them in STARPATH_PYTHON",
                          python, std::strerror(errno), arguments.front()));
}

}  // namespace starpath::apps
