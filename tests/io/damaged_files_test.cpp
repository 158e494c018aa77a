// Thousands of randomly damaged files: each is read, or refused with one clear line; nothing else may happen.
#include <turbojpeg.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

// A few bytes changed, a piece cut out, doubled, or the end cut off.
std::string mutate(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  for (std::size_t changes = 1 + below(4); changes > 0 && bytes.size() > 16; --changes) {
    // Mostly near either end, where headers and directories are.
    const std::size_t near = below(std::min<std::size_t>(bytes.size(), 400));
    const std::size_t at = below(3) == 0 ? below(bytes.size()) : below(2) == 0 ? near : bytes.size() - 1 - near;
    switch (below(6)) {
      case 0:
        bytes.resize(at + 1);
        break;
      case 1:
        bytes.erase(at, 1 + below(8));
        break;
      case 2:
        bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(8)));
        break;
      case 3:
        bytes[at] = static_cast<char>(below(2) == 0 ? 0xff : 0);
        break;
      default:
        bytes[at] = static_cast<char>(random());
    }
  }
  return bytes;
}

struct Outcome {
  int read = 0, refused = 0;
};

// Opens and reads damaged versions of a file. Images that claim to be large are only read at their corners.
Outcome read_damaged(const std::string& valid, const std::string& path, int rounds) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  Outcome outcome;
  for (int round = 0; round < rounds; ++round) {
    write_bytes(path, mutate(valid, random));
    try {
      const auto slide = open_slide(path);
      for (std::size_t level = 0; level < slide->info().levels.size(); ++level) {
        const SlideLevel& size = slide->info().levels[level];
        read(*slide, static_cast<int>(level), 0, 0, 40, 40);
        read(*slide, static_cast<int>(level), size.width - 20, size.height - 20, 40, 40);
      }
      ++outcome.read;
    } catch (const Error& error) {
      EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::input)) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
      ++outcome.refused;
    }
  }
  return outcome;
}

void expect_survives(const std::string& valid, const std::string& name, int rounds) {
  const TempFolder folder;
  const Outcome outcome = read_damaged(valid, folder / name, rounds);
  EXPECT_GT(outcome.refused, rounds / 10);
  EXPECT_EQ(outcome.read + outcome.refused, rounds);
}

TEST(DamagedFiles, Png) {
  const TempFolder folder;
  write_png(folder / "a.png", pattern(24, 17));
  expect_survives(read_bytes(folder / "a.png"), "damaged.png", 500);
}

TEST(DamagedFiles, Jpeg) {
  tjhandle encoder = tjInitCompress();
  const Picture picture = pattern(40, 33);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  ASSERT_EQ(tjCompress2(encoder, &picture.pixels[0].r, 40, 0, 33, TJPF_RGB, &bytes, &size, TJSAMP_420, 80, 0), 0);
  expect_survives({reinterpret_cast<char*>(bytes), size}, "damaged.jpg", 500);
  tjFree(bytes);
  tjDestroy(encoder);
}

TEST(DamagedFiles, Tiff) {
  const TempFolder folder;
  const std::vector<TiffPage> pages = {rgb_page(pattern(64, 48)), rgb_page(pattern(32, 24))};
  for (const TiffOptions& options :
       {TiffOptions{.tile = 16, .compression = COMPRESSION_LZW}, TiffOptions{.compression = COMPRESSION_ADOBE_DEFLATE},
        TiffOptions{.tile = 32, .compression = COMPRESSION_JPEG, .photometric = PHOTOMETRIC_YCBCR},
        TiffOptions{.strip = 100}}) {
    write_tiff(folder / "a.tif", pages, options);
    expect_survives(read_bytes(folder / "a.tif"), "damaged.tif", 250);
  }
}

}  // namespace
}  // namespace starpath::io::test
