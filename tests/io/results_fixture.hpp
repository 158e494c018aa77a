// A folder that goes away, a made-up run and its nuclei, and a child process to be killed or robbed of its rights.
#pragma once
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>

#include "base/error.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_store.hpp"
#include "io/results/tile_store.hpp"
#include "tests/io/random_blobs.hpp"

namespace starpath::io::testing {

class Results : public ::testing::Test {
 protected:
  Results() {
    std::string pattern = (std::filesystem::temp_directory_path() / "starpath-results-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    file = (folder / "results.sqlite").string();
  }
  ~Results() override { std::filesystem::remove_all(folder); }

  std::filesystem::path folder;
  std::string file;
};

inline RunKey key() { return {"f00d", "1.2.3", R"({"tile":4096,"halo":64,"limits":{"min":21,"max":1000}})"}; }

inline RunInfo info(std::int64_t width = 200, std::int64_t height = 160) {
  return {"/slides/a \"b\".svs",
          2 * width,
          2 * height,
          0.25,
          width,
          height,
          0.5,
          2,
          0,
          0,
          width,
          height,
          {"nucleus_area", "mean, \"H\"", "cytoplasm_sd"}};
}

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// How many temporary files of exports are in a folder.
inline std::ptrdiff_t parts_in(const std::filesystem::path& folder) {
  return std::count_if(std::filesystem::directory_iterator(folder), {},
                       [](const auto& entry) { return entry.path().extension() == ".part"; });
}

/// The nuclei of `image` whose top left pixel on the grid is (x, y).
inline std::vector<NucleusRecord> nuclei_of(LabelImage& image, std::int64_t tile, std::int64_t x, std::int64_t y) {
  std::vector<NucleusRecord> nuclei;
  for (std::int32_t label = 1; label <= image.count; ++label) {
    const auto [first_x, first_y] = image.first[static_cast<std::size_t>(label - 1)];
    NucleusRecord n{};
    n.tile = tile;
    n.first_x = x + first_x;
    n.first_y = y + first_y;
    n.x0 = n.y0 = INT32_MAX;
    n.contour = trace_contour(image.view(), label, first_x, first_y);
    for (const auto& run : pixel_runs(n.contour)) {
      n.area += run.x1 - run.x0;
      for (int px = run.x0; px < run.x1; ++px) n.centroid_x += px + 0.5;
      n.centroid_y += (run.x1 - run.x0) * (run.y + 0.5);
    }
    n.centroid_x = n.centroid_x / n.area + static_cast<double>(x);
    n.centroid_y = n.centroid_y / n.area + static_cast<double>(y);
    for (Point& p : n.contour) {
      p = {p.x + static_cast<std::int32_t>(x), p.y + static_cast<std::int32_t>(y)};
      n.x0 = std::min<std::int64_t>(n.x0, p.x);
      n.y0 = std::min<std::int64_t>(n.y0, p.y);
      n.x1 = std::max<std::int64_t>(n.x1, p.x);
      n.y1 = std::max<std::int64_t>(n.y1, p.y);
    }
    n.role = label % 5 != 0 ? NucleusRole::owned : NucleusRole::candidate;
    n.features = {static_cast<double>(n.area), n.centroid_x / 3, -1e-17 * label};
    nuclei.push_back(n);
  }
  return nuclei;
}

struct Tile {
  TileRecord record;
  std::vector<NucleusRecord> nuclei;
};

/// `across` x `down` tiles of `side` pixels with a margin, so that nuclei of different tiles do not touch.
inline std::vector<Tile> tiles(int across, int down, int side, std::uint32_t seed) {
  std::vector<Tile> result;
  for (int i = 0; i < across * down; ++i) {
    const std::int64_t x = i % across * side, y = i / across * side;
    LabelImage image = random_blobs(side - 1, side - 1, 30, seed + static_cast<std::uint32_t>(i));
    result.push_back(
        {{i, x, y, side, side, TileState::done, 0.25, 0.5, "", side * side - i}, nuclei_of(image, i, x, y)});
  }
  return result;
}

/// Every owned nucleus.
inline void accept_owned(ResultStore& store) {
  std::vector<std::int64_t> accepted;
  NucleusStore(store).for_each_stored(false, [&](std::int64_t row, const NucleusRecord& n) {
    if (n.role == NucleusRole::owned) accepted.push_back(row);
  });
  NucleusStore(store).accept(accepted);
}

/// Whether `message` is one line that begins with `begin` and holds every part.
inline ::testing::AssertionResult says(const std::string& message, const std::string& begin,
                                       const std::vector<std::string>& parts = {}) {
  bool good = message.starts_with(begin) && message.find('\n') == std::string::npos;
  for (const std::string& part : parts) good = good && message.find(part) != std::string::npos;
  return (good ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << "the message is: " << message;
}

/// Runs `work` and returns what it threw as "<kind>: <message>", empty when it threw nothing.
inline std::string failure(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.kind())) + ": " + error.what();
  }
  return "";
}

/// The same in a child process, which may lower its own limits and rights.
inline std::string failure_in_child(const std::function<void()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string message = failure(work);
    _exit(::write(ends[1], message.data(), message.size()) < 0);
  }
  ::close(ends[1]);
  std::string message(4096, '\0');
  const ssize_t size = ::read(ends[0], message.data(), message.size());
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return message.substr(0, size < 0 ? 0 : static_cast<std::size_t>(size));
}

}  // namespace starpath::io::testing
