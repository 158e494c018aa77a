// Slides that change while they are read, files that claim more than they hold, places that are found wrong too late.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/sqlite.hpp"
#include "tests/apps/command.hpp"
#include "tests/support/tiled_tiff.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::expect_says;
using test::shell;
using test::TemporaryFolder;

/// A chunk of a PNG: its length, its type and data, its checksum.
std::string chunk(const std::string& type_and_data) {
  const auto big_endian = [](std::uint32_t value) {
    std::string bytes;
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift);
    return bytes;
  };
  const auto size = static_cast<std::uint32_t>(type_and_data.size());
  const auto* bytes = reinterpret_cast<const Bytef*>(type_and_data.data());
  return big_endian(size - 4) + type_and_data + big_endian(static_cast<std::uint32_t>(crc32(0, bytes, size)));
}

TEST(ChangingInput, ASlideThatIsReplacedWhileItIsReadIsNoSuccess) {
  const TemporaryFolder folder;
  const std::string slide = folder / "slide.tif", out = folder / "out";
  support::write_tiled_tiff(slide);
  // The size and the bytes stay: that it was written again is enough.
  const auto run = shell("(while :; do touch " + slide + "; sleep 0.01; done) & touching=$!; starpath segment " +
                         slide + " --mpp 0.5 --preset paper --tile 256 --halo 64 --quiet --out " + out +
                         "; code=$?; kill $touching; wait; exit $code");
  expect_says(run, 3, {slide, "while it was read", "--overwrite"});
  EXPECT_FALSE(std::filesystem::exists(out + "/nuclei.csv"));
  EXPECT_EQ(shell("starpath segment " + slide + " --mpp 0.5 --preset paper --quiet --overwrite --out " + out).code, 0);
}

TEST(ChangingInput, APngThatClaimsMoreThanItHoldsTakesNoMemory) {
  const TemporaryFolder folder;
  const std::string slide = folder / "bomb.png";
  // 1 x 2147483647, 8-bit grey, and next to no pixels.
  std::ofstream(slide, std::ios::binary) << "\x89PNG\r\n\x1a\n"
                                         << chunk(std::string("IHDR\0\0\0\x01\x7f\xff\xff\xff\x08\0\0\0\0", 17))
                                         << chunk("IDATxxxx") << chunk("IEND");
#ifdef __SANITIZE_ADDRESS__
  const std::string limit;  // the sanitizer's own map of the memory is larger
#else
  const std::string limit = "ulimit -v 4000000; ";
#endif
  expect_one_line(shell(limit + "starpath info " + slide), 3, {slide, "1 x 2147483647", "can hold"});
}

TEST(Places, ARecordThatCannotBeWrittenIsNoticedFirst) {
  const TemporaryFolder folder;
  expect_one_line(shell("starpath segment synthetic:100x100 --quiet --record /nowhere/r.json --out " + folder / "out"),
                  4, {"/nowhere/r.json"});
  EXPECT_FALSE(std::filesystem::exists(folder / "out/results.sqlite"));
}

TEST(Places, ALimitOnFileSizesIsAFullDisk) {
  const TemporaryFolder folder;
  const auto run = shell(
      "ulimit -f 600; starpath segment synthetic:2048x2048,seed=8 --mpp 0.5 --tile 256 --halo 64 "
      "--quiet --out " +
      folder / "out");
  expect_one_line(run, 4, {"results.sqlite", "--resume"});
}

TEST(Places, CompareNamesAWrongOption) {
  expect_says(shell("starpath compare segment synthetic:50x50 -- --bogus"), 2, {"--bogus"});
}

TEST(Json, ThatNestsDeeplyIsRefused) {
  const TemporaryFolder folder;
  const std::string deep = folder / "deep.json";
  std::ofstream(deep) << std::string(100000, '[') << std::string(100000, ']');
  expect_one_line(shell("starpath nbia run synthetic:100x100 --model " + deep + " --out " + folder / "out"), 3,
                  {"100 levels"});
  expect_one_line(shell("starpath profile import " + deep + " --profile " + folder / "profile"), 3, {"100 levels"});
  ASSERT_EQ(shell("starpath segment synthetic:100x100 --quiet --out " + folder / "out").code, 0);
  {
    Database database(folder / "out/results.sqlite", Database::Open::existing);
    Statement change = database.prepare("UPDATE run SET value = ? WHERE key = 'parameters'");
    change.run("{\"a\":" + std::string(50000, '[') + std::string(50000, ']') + "}");
  }
  expect_one_line(shell("starpath segment synthetic:100x100 --quiet --resume --out " + folder / "out"), 5,
                  {"parameters"});
}

}  // namespace
}  // namespace starpath
