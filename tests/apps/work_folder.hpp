// A folder in which commands run, with files that none of them may replace.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/apps/command.hpp"

namespace starpath::test {

class WorkFolder : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text = "precious") const {
    std::filesystem::create_directories(std::filesystem::path(folder / name).parent_path());
    std::ofstream(folder / name) << text;
  }
  /// `starpath COMMAND` in the folder, with these variables.
  Outcome run(const std::string& command, const std::string& environment = "") const {
    return shell("cd " + folder / "" + " && " + environment + " starpath " + command);
  }
  void expect_done(const std::string& command, const std::string& environment = "") const {
    const auto outcome = run(command + " --quiet", environment);
    ASSERT_EQ(outcome.code, 0) << command << ": " << outcome.output;
  }
  /// The command ends with this code and one line that has these words, and `name` stays as it is.
  void expect_kept(const std::string& name, const std::string& command, int code, const std::vector<std::string>& words,
                   const std::string& environment = "") const {
    SCOPED_TRACE(command);
    const std::string before = read_file(folder / name);
    expect_one_line(run(command, environment), code, words);
    EXPECT_TRUE(read_file(folder / name) == before) << name << " was replaced";
  }

  const TemporaryFolder folder;
};

}  // namespace starpath::test
