// The command and the processes that decode its slides.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/apps/command.hpp"
#include "tests/io/scanner_files.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using namespace io::test;
using test::expect_one_line;
using test::expect_says;
using test::Outcome;
using test::shell;

class SlideDecoder : public testing::Test {
 protected:
  SlideDecoder() : tissue_(read_all(*io::open_slide("synthetic:768x640,seed=4,mpp=0.5"))) {}

  std::string slide(const std::string& name) const {
    write_scn(folder_ / name, tissue_, 75, 41, 1500, 1700);
    return folder_ / name;
  }

  /// The command beside another program that decodes; none: empty.
  std::string command_with(const std::string& reader) const {
    const fs::path program = STARPATH_PROGRAM, home = folder_ / "home";
    fs::create_directories(home / "apps");
    fs::create_directory_symlink(program.parent_path().parent_path() / "sched_policies", home / "sched_policies");
    std::error_code other_disk;
    fs::create_hard_link(program, home / "apps/starpath", other_disk);
    if (other_disk) fs::copy_file(program, home / "apps/starpath");
    if (!reader.empty()) fs::create_symlink(reader, home / "apps/starpath-read");
    return (home / "apps/starpath").string();
  }

  const TempFolder folder_;
  const Picture tissue_;
};

std::string without_decoder(const std::string& text) {
  const std::size_t begin = text.find("  decoded by");
  return begin == std::string::npos ? text : text.substr(0, begin) + text.substr(text.find('\n', begin));
}

TEST_F(SlideDecoder, IsNamedByInfo) {
  const std::string scn = slide("a.scn");
  const Outcome apart = shell("starpath info " + scn), here = shell("starpath info --trusted " + scn);
  expect_says(apart, 0, {"decoded by   a process of its own"});
  expect_says(here, 0, {"decoded by   this process"});
  EXPECT_EQ(without_decoder(apart.output), without_decoder(here.output));
  expect_says(shell("starpath info --json " + scn), 0, {"\"decoded_by\": \"a process of its own"});
}

TEST_F(SlideDecoder, OrThisProcessGiveTheSameNuclei) {
  const std::string scn = slide("a.scn");
  for (const char* trusted : {"", "--trusted"})
    expect_says(shell(fmt::format("starpath segment {} {} --quiet --export csv --tile 256 --out {}", scn, trusted,
                                  folder_ / (std::string("out") + trusted))),
                0, {});
  EXPECT_EQ(test::read_file(folder_ / "out/nuclei.csv"), test::read_file(folder_ / "out--trusted/nuclei.csv"));
}

TEST_F(SlideDecoder, ThatDiesCostsThePieceItDiesOf) {
  const std::string starpath = command_with(STARPATH_FAULTY_READER), scn = slide("dies.scn");
  const Outcome run = shell(
      fmt::format("{} segment {} --preset paper --export none --tile 256 --out {}", starpath, scn, folder_ / "o"));
  expect_says(run, 6,
              {"dies.scn: cannot read level 0, region x=", "the process that decodes it was ended by signal 11",
               "4 of 9 tiles failed"});  // with those whose margins reach there
  expect_says(shell(fmt::format("{} segment {} --preset paper --export none --tile 256 --out {} --resume --trusted",
                                starpath, scn, folder_ / "o")),
              0, {});
}

TEST_F(SlideDecoder, IsMissedByOneLine) {
  const std::string starpath = command_with(""), scn = slide("a.scn");
  expect_one_line(shell(starpath + " info " + scn), 7, {"cannot start ", "starpath-read: No such file", "install"});
  expect_says(shell(starpath + " info --trusted " + scn), 0, {});
}

TEST_F(SlideDecoder, EndsWithACommandThatIsKilled) {
  const std::string starpath = command_with(STARPATH_FAULTY_READER), scn = slide("hangs.scn");
  // A process that nobody waits for stays as a zombie (Z) in a container without init.
  const Outcome run = shell(fmt::format(R"({} segment {} --quiet --export none --out {} &
parent=$!
for i in $(seq 1200); do
  child=$(cat /proc/$parent/task/*/children 2>/dev/null | tr ' ' '\n' | head -1)
  [[ -z $child ]] || grep -q hangs.scn /proc/$child/cmdline && [[ $child ]] && break
  sleep 0.05
done
echo "child ${{child:?none was started}}"
sleep 0.5
kill -0 $child && echo "it reads"
kill -9 $parent
for i in $(seq 200); do
  state=$(sed 's/.*) //; s/ .*//' /proc/$child/stat 2>/dev/null) || break
  [[ $state && $state != Z ]] || break
  sleep 0.05
done
[[ -z $state || $state == Z ]] && echo "it is gone")",
                                        starpath, scn, folder_ / "o"));
  expect_says(run, 0, {"it reads", "it is gone"});
}

}  // namespace
}  // namespace starpath
