// How fast and how large exports of many nuclei are: the nuclei of a real run, repeated over a larger slide.
//   bench_exports --like results/results.sqlite --nuclei 1600000 FOLDER
// FOLDER gets a results.sqlite, which a second call finds again, and the exports. Exports use one thread.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "io/exports/exports.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/tile_store.hpp"

namespace {

using namespace starpath::io;
namespace fs = std::filesystem;

struct Options {
  std::string like, folder;
  std::int64_t nuclei = 1'600'000;
  std::vector<std::string> formats = {"geojson", "geojson.gz", "csv", "csv.gz", "parquet"};
  std::vector<std::string> features = {"basic"};
};

/// Moves a nucleus; `tile` is the copy's.
NucleusRecord moved(NucleusRecord nucleus, std::int64_t tile, std::int64_t dx, std::int64_t dy) {
  nucleus.tile = tile;
  nucleus.role = NucleusRole::owned;
  for (std::int64_t* x : {&nucleus.first_x, &nucleus.x0, &nucleus.x1}) *x += dx;
  for (std::int64_t* y : {&nucleus.first_y, &nucleus.y0, &nucleus.y1}) *y += dy;
  nucleus.centroid_x += static_cast<double>(dx);
  nucleus.centroid_y += static_cast<double>(dy);
  for (Point& point : nucleus.contour)
    point = {point.x + static_cast<std::int32_t>(dx), point.y + static_cast<std::int32_t>(dy)};
  return nucleus;
}

/// Copies of the slide side by side, a tile each, until there are enough nuclei. Each column of copies begins a little
/// lower than the one before: exports go by rows, and equal nuclei one behind the other would pack better than real
/// ones.
void make_results(const Options& options, const std::string& file) {
  const ResultStore source = ResultStore::open(options.like);
  std::vector<NucleusRecord> nuclei;
  NucleusStore(source).for_each_nucleus(true, [&](std::int64_t, const NucleusRecord& each) { nuclei.push_back(each); });
  RunInfo info = source.info();
  const std::int64_t width = info.width, height = info.height;
  const auto copies = static_cast<std::int64_t>(
      std::ceil(static_cast<double>(options.nuclei) / static_cast<double>(std::max<std::size_t>(nuclei.size(), 1))));
  const auto across = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(copies))));
  info.width = info.roi_width = across * width;
  info.height = info.roi_height = ((copies + across - 1) / across + 1) * height;
  ResultStore store = ResultStore::create(file, source.key(), info);
  for (std::int64_t tile = 0; tile < copies; ++tile) {
    const std::int64_t column = tile % across, dx = column * width,
                       dy = tile / across * height + column * height / across;
    std::vector<NucleusRecord> copy;
    for (const NucleusRecord& each : nuclei) copy.push_back(moved(each, tile, dx, dy));
    TileStore(store).commit_tile({tile, dx, dy, width, height, TileState::done, 0, 0, ""}, copy);
  }
  std::vector<std::int64_t> rows;
  NucleusStore(store).for_each_stored(false, [&](std::int64_t row, const NucleusRecord&) { rows.push_back(row); });
  NucleusStore(store).accept(rows);
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void measure(const Options& options, const ResultStore& store, const Export<Nuclei>& each) {
  const fs::path file = fs::path(options.folder) / each.file;
  const double began = processor_seconds();
  const auto clock = std::chrono::steady_clock::now();
  each.write({store, nullptr, {.features = options.features}}, file);
  const double cpu = processor_seconds() - began;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - clock;
  const auto bytes = static_cast<double>(fs::file_size(file)),
             nuclei = static_cast<double>(NucleusStore(store).nucleus_count());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%-12s %9.1f MB  %7.1f bytes a nucleus  %6.1f s cpu  %6.1f s wall  %8.0f nuclei/s  peak %ld MiB\n",
              each.name, bytes / 1e6, bytes / nuclei, cpu, wall.count(), nuclei / cpu, usage.ru_maxrss / 1024);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Speed and size of exports of many nuclei"};
  app.add_option("FOLDER", options.folder)->required();
  app.add_option("--like", options.like, "results.sqlite whose nuclei are repeated")->required();
  app.add_option("--nuclei", options.nuclei)->capture_default_str();
  app.add_option("--format", options.formats)->delimiter(',')->capture_default_str();
  app.add_option("--features", options.features)->delimiter(',')->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  fs::create_directories(options.folder);
  const std::string file = (fs::path(options.folder) / "results.sqlite").string();
  if (!fs::exists(file)) make_results(options, file);
  const ResultStore store = ResultStore::open(file);
  std::printf("%lld nuclei, results.sqlite %.1f MB\n", static_cast<long long>(NucleusStore(store).nucleus_count()),
              static_cast<double>(fs::file_size(file)) / 1e6);
  for (const Export<Nuclei>& each : kNucleiExports)
    if (std::ranges::find(options.formats, each.name) != options.formats.end()) measure(options, store, each);
}
