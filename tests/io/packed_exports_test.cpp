// Exports packed by gzip.
#include <zlib.h>

#include "io/exports/export_file.hpp"
#include "tests/io/exports_fixture.hpp"

namespace starpath::io {
namespace {

using testing::bytes_of;
using testing::kAll;
using PackedExports = testing::AcceptedNuclei;

/// What gzip makes of a file.
std::string text_of_gzip(const std::filesystem::path& file) {
  const gzFile packed = gzopen(file.c_str(), "rb");
  std::string text(1 << 20, '\0');
  const int size = gzread(packed, text.data(), static_cast<unsigned>(text.size()));
  gzclose(packed);
  return text.substr(0, static_cast<std::size_t>(std::max(size, 0)));
}

TEST_F(PackedExports, PackedFilesHoldTheSameText) {
  const ResultStore store = make(testing::info());
  export_geojson(store, folder / "g", kAll);
  export_geojson(store, folder / "g.gz", kAll, Compression::gzip);
  export_csv(store, folder / "c", kAll);
  export_csv(store, folder / "c.gz", kAll, Compression::gzip);
  for (const char* name : {"g", "c"}) {
    const auto packed = folder / (name + std::string(".gz"));
    EXPECT_EQ(text_of_gzip(packed), bytes_of(folder / name));
    EXPECT_LT(std::filesystem::file_size(packed), std::filesystem::file_size(folder / name) / 2);
  }
}

TEST_F(PackedExports, ATextOfSeveralBlocksIsPackedWhole) {
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += std::to_string(i % 10007 * 7919) + "\n";
  ASSERT_GT(text.size(), std::size_t{1} << 20);
  {
    ExportFile output(folder / "t.gz", Compression::gzip);
    for (std::size_t at = 0; at < text.size(); at += 1000) output.write(text.substr(at, 1000));
    output.commit();
  }
  const gzFile packed = gzopen((folder / "t.gz").c_str(), "rb");
  std::string read(text.size() + 1, '\0');
  ASSERT_EQ(gzread(packed, read.data(), static_cast<unsigned>(read.size())), static_cast<int>(text.size()));
  gzclose(packed);
  read.pop_back();
  EXPECT_TRUE(read == text);
}

}  // namespace
}  // namespace starpath::io
