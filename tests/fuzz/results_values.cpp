// results.sqlite as a database that is whole and holds other values.
#include "io/results/tile_store.hpp"
#include "tests/fuzz/results.hpp"
#include "tests/fuzz/values.hpp"

namespace starpath::fuzz {
namespace {

constexpr Column kColumns[] = {{"tiles", "tile", "tile"},
                               {"tiles", "x", "tile"},
                               {"tiles", "y", "tile"},
                               {"tiles", "width", "tile"},
                               {"tiles", "height", "tile"},
                               {"tiles", "state", "tile"},
                               {"tiles", "objects", "tile"},
                               {"tiles", "error", "tile"},
                               {"objects", "object", "object"},
                               {"objects", "tile", "object"},
                               {"objects", "first_x", "object"},
                               {"objects", "first_y", "object"},
                               {"objects", "x0", "object"},
                               {"objects", "y0", "object"},
                               {"objects", "x1", "object"},
                               {"objects", "y1", "object"},
                               {"objects", "centroid_x", "object"},
                               {"objects", "centroid_y", "object"},
                               {"objects", "pixels", "object"},
                               {"objects", "role", "object"},
                               {"objects", "contour", "object"},
                               {"features", "object", "object"},
                               {"features", "cytoplasm_sd", "object"},
                               {"run", "key", "key"},
                               {"run", "value", "key"},
                               {"accepted", "y0", "id"},
                               {"accepted", "object", "id"}};

/// A file of a few tiles, made once.
const std::string& whole_file() {
  static const std::string path = [] {
    const std::string file = (folder() / "whole.sqlite").string();
    {
      io::ResultStore store = io::ResultStore::create(file, io::testing::key(), io::testing::info());
      for (const auto& tile : io::testing::tiles(3, 2, 60, 5))
        io::TileStore(store).commit_tile(tile.record, tile.nuclei);
    }
    Database(file, Database::Open::existing).execute("DROP TABLE checksums; PRAGMA user_version = 2");
    return file;
  }();
  return path;
}

}  // namespace
}  // namespace starpath::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string file = (fuzz::folder() / "results.sqlite").string();
  std::filesystem::copy_file(fuzz::whole_file(), file, std::filesystem::copy_options::overwrite_existing);
  fuzz::change_values(file, fuzz::kColumns, data, size);
  fuzz::expect_errors_only([&] { fuzz::go_on(file); });
  fuzz::remove_journals(file);
  return 0;
}
