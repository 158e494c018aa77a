// A folder that goes away and samples to put into a profile.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "estimator/store/profile_store.hpp"

namespace starpath::test {

class ProfileTest : public ::testing::Test {
 protected:
  ProfileTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "starpath-profile-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    file = (folder / "profile.sqlite").string();
  }
  ~ProfileTest() override { std::filesystem::remove_all(folder); }

  void write(const std::string& text) const { std::ofstream(file, std::ios::binary) << text; }
  std::string text(const std::string& path) const {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t samples() const {
    std::size_t count = 0;
    for (const auto& own : ProfileStore(file, ProfileStore::Open::existing).list()) count += own.samples;
    return count;
  }

  std::filesystem::path folder;
  std::string file;
};

inline SampleSet::Entry entry(double size, double seconds) {
  SampleSet::Entry made{.features = {}, .seconds = seconds};
  made.features.add_numeric(size);
  made.features.add_categorical(0);
  return made;
}

/// `count` samples of sizes first, first + 1, ...
inline ProfileGroup group(std::size_t count, double first = 1, const std::string& codelet = "blur",
                          const std::string& device_class = "cpu") {
  ProfileGroup made{.codelet = codelet,
                    .device_class = device_class,
                    .numeric_names = {"width"},
                    .categorical_names = {"implementation"},
                    .samples = {},
                    .offered = count};
  for (std::size_t i = 0; i < count; ++i) made.samples.push_back(entry(first + static_cast<double>(i), 0.5));
  return made;
}

/// Runs `work` in a child process; returns its exit status, 99 when it threw.
inline pid_t in_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int status = 99;
  try {
    status = work();
  } catch (...) {
  }
  ::_exit(status);
}

inline int status_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace starpath::test
