// results.sqlite as a database that is whole and holds other values: the input says which.
#include <fmt/format.h>
#include <fuzzer/FuzzedDataProvider.h>

#include <limits>

#include "base/sqlite.hpp"
#include "tests/fuzz/results.hpp"

namespace starpath::fuzz {
namespace {

constexpr const char* kColumns[] = {"tiles.tile",
                                    "tiles.x",
                                    "tiles.y",
                                    "tiles.width",
                                    "tiles.height",
                                    "tiles.state",
                                    "tiles.objects",
                                    "tiles.error",
                                    "objects.object",
                                    "objects.tile",
                                    "objects.first_x",
                                    "objects.first_y",
                                    "objects.x0",
                                    "objects.y0",
                                    "objects.x1",
                                    "objects.y1",
                                    "objects.centroid_x",
                                    "objects.centroid_y",
                                    "objects.pixels",
                                    "objects.role",
                                    "objects.contour",
                                    "features.object",
                                    "features.cytoplasm_sd",
                                    "run.key",
                                    "run.value",
                                    "accepted.y0",
                                    "accepted.object"};

/// A file of a few tiles, made once.
const std::string& whole_file() {
  static const std::string path = [] {
    const std::string file = (folder() / "whole.sqlite").string();
    {
      io::ResultStore store = io::ResultStore::create(file, io::testing::key(), io::testing::info());
      for (const auto& tile : io::testing::tiles(3, 2, 60, 5)) store.commit_tile(tile.record, tile.nuclei);
    }
    Database(file, Database::Open::existing).execute("DROP TABLE checksums");
    return file;
  }();
  return path;
}

std::string value_from(FuzzedDataProvider& input) {
  constexpr std::int64_t edges[] = {0,
                                    1,
                                    -1,
                                    63,
                                    64,
                                    127,
                                    2147483647,
                                    2147483648,
                                    -2147483648,
                                    4294967296,
                                    std::numeric_limits<std::int64_t>::max(),
                                    std::numeric_limits<std::int64_t>::min()};
  switch (input.ConsumeIntegralInRange(0, 6)) {
    case 0:
      return fmt::format("{}", input.PickValueInArray(edges));
    case 1:
      return fmt::format("{}", input.ConsumeIntegral<std::int16_t>());
    case 2:
      return input.PickValueInArray({"9e999", "-9e999", "NULL", "0.5", "1e300", "'text'", "'done'", "'failed'", "x''"});
    case 3: {
      std::string hex;
      for (const std::uint8_t byte : input.ConsumeBytes<std::uint8_t>(64)) hex += fmt::format("{:02x}", byte);
      return "x'" + hex + "'";
    }
    case 4: {
      std::string text;
      for (const char c : input.ConsumeRandomLengthString(40)) text += c == '\'' || c == '\0' ? 'q' : c;
      return "'" + text + "'";
    }
    case 5:  // one coordinate of a contour
      return fmt::format("CAST(substr(contour, 1, {0}) || x'{1:08x}' || substr(contour, {0} + 5) AS BLOB)",
                         4 * input.ConsumeIntegralInRange(0, 12), input.ConsumeIntegral<std::uint32_t>());
    default:
      return "zeroblob(4000)";
  }
}

/// Sets one column of one row. What SQLite itself refuses changes nothing.
void change_one(Database& database, FuzzedDataProvider& input) {
  const std::string place = input.PickValueInArray(kColumns);
  const std::size_t dot = place.find('.');
  const std::string table = place.substr(0, dot), column = place.substr(dot + 1);
  const std::string row = table == "run" ? "key" : table == "tiles" ? "tile" : table == "accepted" ? "id" : "object";
  const std::string sql =
      fmt::format("UPDATE {0} SET {1} = {2} WHERE {3} = (SELECT {3} FROM {0} ORDER BY {3} LIMIT 1 OFFSET {4})", table,
                  column, value_from(input), row, input.ConsumeIntegralInRange(0, 12));
  try {
    database.execute(sql);
  } catch (const DatabaseError&) {
  }
}

}  // namespace
}  // namespace starpath::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string file = (fuzz::folder() / "results.sqlite").string();
  std::filesystem::copy_file(fuzz::whole_file(), file, std::filesystem::copy_options::overwrite_existing);
  {
    FuzzedDataProvider input(data, size);
    Database database(file, Database::Open::existing);
    database.execute("PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON");
    while (input.remaining_bytes() > 0) fuzz::change_one(database, input);
  }
  fuzz::expect_errors_only([&] { fuzz::go_on(file); });
  fuzz::remove_journals(file);
  return 0;
}
