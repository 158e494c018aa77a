// Runs the `starpath` program as a user would and keeps what it says.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace starpath::test {

struct Outcome {
  int code;            // exit status, 128 + signal when killed
  std::string output;  // stdout and stderr together
};

/// Without the line that StarPU as Debian 13 packages it prints in every program (docs/installing.md).
inline std::string without_package_warning(const std::string& output) {
  const std::string mark = "[_perf_model_add_dir] Warning: directory <";
  std::string rest;
  for (std::size_t begin = 0; begin < output.size();) {
    const std::size_t end = std::min(output.find('\n', begin), output.size() - 1) + 1;
    const std::string line = output.substr(begin, end - begin);
    if (line.find(mark) == std::string::npos) rest += line;
    begin = end;
  }
  return rest;
}

/// Runs a shell command line in which `starpath` means the program under test. Its Python is the distribution's, for
/// which scripts/test.sh installs packages, unless STARPATH_PYTHON names another one.
inline Outcome shell(const std::string& line) {
  const std::string script =
      "export STARPATH_PYTHON=\"${STARPATH_PYTHON:-/usr/bin/python3}\"\nstarpath() { " STARPATH_PROGRAM " \"$@\"; }\n" +
      line;
  const auto file = std::filesystem::temp_directory_path() / ("starpath_test_" + std::to_string(getpid()) + ".sh");
  std::ofstream(file) << script << "\n";
  FILE* pipe = popen(("bash " + file.string() + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  Outcome outcome{};
  std::array<char, 4096> chunk{};
  while (const std::size_t got = fread(chunk.data(), 1, chunk.size(), pipe)) outcome.output.append(chunk.data(), got);
  const int status = pclose(pipe);
  outcome.output = without_package_warning(outcome.output);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::filesystem::remove(file);
  return outcome;
}

/// Expects this exit code and all of these words in what was said.
inline void expect_says(const Outcome& outcome, int code, const std::vector<std::string>& words) {
  EXPECT_EQ(outcome.code, code) << outcome.output;
  for (const std::string& word : words)
    EXPECT_NE(outcome.output.find(word), std::string::npos) << word << " not in: " << outcome.output;
}

/// The same in a single line.
inline void expect_one_line(const Outcome& outcome, int code, const std::vector<std::string>& words) {
  expect_says(outcome, code, words);
  EXPECT_EQ(std::ranges::count(outcome.output, '\n'), 1) << outcome.output;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int number = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("starpath_apps_" + std::to_string(getpid()) + "_" + std::to_string(number++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace starpath::test
