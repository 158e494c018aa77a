// Files that tests in several processes read. CTest runs each test in a process of its own; what takes long to make is
// made once for all of them.
#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

namespace starpath::test {

/// A folder that no test changes once it is made. Under CTest all processes share the folder of a `name`: the first
/// that needs it makes it, and others wait. A process that CTest did not start makes its own and removes it at its end.
class SharedFolder {
 public:
  /// make() fills the folder. What a failed test made is made again by the next. `name` has no spaces: shells read it.
  SharedFolder(const std::string& name, const std::function<void(const SharedFolder&)>& make) {
    const char* shared = std::getenv("STARPATH_SHARED_FOLDER");  // CTest empties it first (tests/CMakeLists.txt)
    is_own_ = shared == nullptr;
    const std::filesystem::path top =
        is_own_ ? std::filesystem::temp_directory_path() / ("starpath_made_" + std::to_string(getpid())) : shared;
    path_ = top / name;
    std::filesystem::create_directories(top);
    const int lock = ::open((path_.string() + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (lock < 0 || ::flock(lock, LOCK_EX) != 0) throw std::runtime_error("cannot lock " + path_.string());
    const std::string made = path_.string() + ".made";
    if (!std::filesystem::exists(made)) {
      std::filesystem::remove_all(path_);
      std::filesystem::create_directory(path_);
      make(*this);
      if (!testing::Test::HasFailure()) std::ofstream(made) << "made\n";
    }
    ::close(lock);
  }
  ~SharedFolder() {
    if (is_own_) std::filesystem::remove_all(path_.parent_path());
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
  bool is_own_ = false;
};

}  // namespace starpath::test
