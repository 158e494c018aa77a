// Maps in Zarr folders, as zarr-python writes them and as damage leaves them.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <thread>

#include "base/temporary_folder.hpp"
#include "io/maps/map_image.hpp"
#include "io/maps/zarr_folder.hpp"
#include "io/maps/zarr_reader.hpp"
#include "tests/io/map_numbers.hpp"
#include "tests/support/zarr_files.hpp"

#ifdef __SANITIZE_THREAD__
/// GDAL makes a mutex, and takes it, while it holds the one that guards all; nobody else knows the new one yet.
extern "C" const char* __tsan_default_suppressions() { return "deadlock:libgdal.so\n"; }
#endif

namespace starpath::io {
namespace {

using support::write_bytes;
using support::write_zarr;
using support::zarr_metadata;
using support::ZarrOptions;
using test::expect_numbers;
using test::numbers;
using test::said_of;

/// What folders say of arrays needs no library.
class ZarrFolders : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  void expect_said(const std::string& name, const std::vector<std::string>& words) const {
    const std::string said = said_of(path(name));
    for (const std::string& word : words) EXPECT_NE(said.find(word), std::string::npos) << word << " in: " << said;
  }
  void array(const std::string& name, const std::string& dtype = "<i4") const {
    write_bytes(path(name + "/.zarray"), zarr_metadata({30, 41}, {16, 16}, dtype));
  }
  NumberType type_of(const std::string& metadata, const std::string& file) const {
    write_bytes(path("typed/" + file), metadata);
    const NumberType type = find_zarr_array(path("typed")).type;
    std::filesystem::remove_all(path("typed"));
    return type;
  }

  const TemporaryFolder folder_;
};

/// With the library.
class ZarrMaps : public ZarrFolders {
 protected:
  void SetUp() override {
    if (std::string(STARPATH_ZARR_LIBRARY).empty()) GTEST_SKIP() << "built without GDAL";
    read_zarr_by(STARPATH_ZARR_LIBRARY);
  }
  void TearDown() override { read_zarr_by(""); }
};

TEST_F(ZarrFolders, NameTheTypesOfTheirNumbers) {
  const auto of_2 = [&](const std::string& dtype) { return type_of(zarr_metadata({4, 4}, {4, 4}, dtype), ".zarray"); };
  using enum NumberType;
  EXPECT_EQ(of_2("|b1"), boolean);
  EXPECT_EQ(of_2("|u1"), u8);
  EXPECT_EQ(of_2("<u8"), u64);
  EXPECT_EQ(of_2(">i4"), i32);
  EXPECT_EQ(of_2("<f2"), f16);
  const auto of_3 = [&](const std::string& type) {
    return type_of(R"({"zarr_format": 3, "node_type": "array", "shape": [4, 4], "data_type": ")" + type + "\"}",
                   "zarr.json");
  };
  EXPECT_EQ(of_3("bool"), boolean);
  EXPECT_EQ(of_3("int64"), i64);
  EXPECT_EQ(of_3("float16"), f16);
  for (const char* other : {"<c8", "<U5", "|O", "i4"}) {
    array("other.zarr", other);
    expect_said("other.zarr", {"other.zarr: holds \"" + std::string(other) + "\", which is not read", "int32"});
  }
  write_bytes(path("other.zarr/.zarray"), R"({"dtype": [["a", "<i4"], ["b", "<i4"]]})");
  expect_said("other.zarr", {"holds [[\"a\",\"<i4\"],[\"b\",\"<i4\"]], which is not read"});
}

TEST_F(ZarrFolders, AreKnownByTheirMetadataOrTheirName) {
  array("a");
  write_bytes(path("b/.zgroup"), R"({"zarr_format": 2})");
  write_bytes(path("c/zarr.json"), R"({"zarr_format": 3, "node_type": "group"})");
  write_bytes(path("pieces/0_0.npy"), "");
  for (const char* name : {"a", "b", "c", "none.zarr"}) EXPECT_TRUE(is_zarr(path(name))) << name;
  for (const char* name : {"pieces", "none", "a/.zarray"}) EXPECT_FALSE(is_zarr(path(name))) << name;
}

TEST_F(ZarrFolders, OfAGroupHoldOneArray) {
  write_bytes(path("g/.zgroup"), R"({"zarr_format": 2})");
  expect_said("g", {"g: is a group without an array of two or three axes"});
  array("g/cells");
  write_bytes(path("g/x/.zarray"), zarr_metadata({30}, {16}, "<f8"));
  write_bytes(path("g/notes/readme.txt"), "");
  EXPECT_EQ(find_zarr_array(path("g")).folder, path("g/cells"));
  array("g/nuclei");
  write_bytes(path("g/labels/.zgroup"), R"({"zarr_format": 2})");
  expect_said("g", {"g: is a group that holds cells, labels/, nuclei; give the folder of one array, as", "g/cells"});
}

TEST_F(ZarrFolders, OfOmeZarrGiveTheFinestLevel) {
  const std::string levels = R"({"multiscales": [{"datasets": [{"path": "fine"}, {"path": "0"}]}]})";
  write_bytes(path("two/.zgroup"), R"({"zarr_format": 2})");
  write_bytes(path("two/.zattrs"), levels);
  array("two/fine");
  array("two/0");
  EXPECT_EQ(find_zarr_array(path("two")).folder, path("two/fine"));
  write_bytes(path("three/zarr.json"),
              R"({"zarr_format": 3, "node_type": "group", "attributes": {"ome": )" + levels + "}}");
  write_bytes(path("three/fine/zarr.json"),
              R"({"zarr_format": 3, "node_type": "array", "shape": [4, 4], "data_type": "uint16"})");
  EXPECT_EQ(find_zarr_array(path("three")).folder, path("three/fine"));
  for (const char* other : {"../two/fine", "missing", "/"}) {
    write_bytes(path("two/.zattrs"), R"({"multiscales": [{"datasets": [{"path": ")" + std::string(other) + R"("}]}]})");
    expect_said("two", {"its finest level, '" + std::string(other) + "', is no array"});
  }
}

TEST_F(ZarrFolders, SayWhatIsWrong) {
  expect_said("none.zarr", {"none.zarr: is no folder; check the path"});
  std::filesystem::create_directory(path("empty.zarr"));
  expect_said("empty.zarr", {"empty.zarr: holds none of .zarray, .zgroup and zarr.json"});
  write_bytes(path("cut.zarr/.zarray"), zarr_metadata({30, 41}, {16, 16}, "<i4").substr(0, 40));
  expect_said("cut.zarr", {"cut.zarr/.zarray: is damaged: it holds no JSON object"});
  write_bytes(path("cut.zarr/.zarray"), std::string(100000, '['));
  expect_said("cut.zarr", {"cut.zarr/.zarray: is damaged"});
  write_bytes(path("cut.zarr/.zarray"), "{}");
  expect_said("cut.zarr", {"cut.zarr: its metadata name no type of numbers"});
  array("whole.zarr");
  expect_said("whole.zarr", {"whole.zarr: is Zarr, and this Starpath was built without GDAL", "install libgdal-dev"});
  read_zarr_by(path("libnone.so"));
  try {
    const MapImage map(path("whole.zarr"));
    ADD_FAILURE() << "was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::runtime);
    EXPECT_NE(std::string(error.what()).find("libnone.so"), std::string::npos) << error.what();
  }
  read_zarr_by("");
}

TEST_F(ZarrMaps, OfOneArrayWhoseChunksPassOverItsEdges) {
  const std::vector<std::uint32_t> all = numbers<std::uint32_t>(41, 30, 1, false);
  const auto expect_written = [&](const ZarrOptions& options) {
    write_zarr(path("a.zarr"), {30, 41}, {16, 9}, all, options);
    const MapImage map(path("a.zarr"));
    EXPECT_EQ(map.channels(), 1);
    EXPECT_EQ(map.type(), NumberType::u32);
    EXPECT_EQ(map.extent(), (MapSize{41, 30}));
    EXPECT_FALSE(map.is_folder());
    expect_numbers(map, {0, 0, 41, 30});
    expect_numbers(map, {7, 11, 13, 5});
    expect_numbers(map, {40, 29, 1, 1});
    std::filesystem::remove_all(path("a.zarr"));
  };
  expect_written({});
  expect_written({.zlib = true});
  expect_written({.by_columns = true});
  expect_written({.big_endian = true});
  expect_written({.zlib = true, .by_columns = true, .big_endian = true, .separator = "/"});
}

TEST_F(ZarrMaps, OfAnArrayWithChannels) {
  write_zarr(path("last.zarr"), {30, 41, 3}, {16, 16, 3}, numbers<float>(41, 30, 3, false));
  write_zarr(path("apart.zarr"), {30, 41, 3}, {16, 16, 1}, numbers<std::int64_t>(41, 30, 3, false));
  write_zarr(path("first.zarr"), {3, 30, 41}, {1, 16, 16}, numbers<double>(41, 30, 3, true));
  write_zarr(path("ome.zarr"), {1, 3, 1, 30, 41}, {1, 1, 1, 16, 16}, numbers<std::uint16_t>(41, 30, 3, true));
  for (const char* name : {"last.zarr", "apart.zarr", "first.zarr", "ome.zarr"}) {
    const MapImage map(path(name));
    EXPECT_EQ(map.channels(), 3) << name;
    EXPECT_EQ(map.extent(), (MapSize{41, 30})) << name;
    expect_numbers(map, {7, 11, 13, 5});
  }
  write_zarr(path("plane.zarr"), {1, 1, 1, 30, 41}, {1, 1, 1, 16, 16}, numbers<std::int32_t>(41, 30, 1, true));
  EXPECT_EQ(MapImage(path("plane.zarr")).channels(), 1);
  expect_numbers(MapImage(path("plane.zarr")), {7, 11, 13, 5});
}

TEST_F(ZarrMaps, HoldTheFillValueWhereAChunkIsMissing) {
  const std::vector<float> all(16, 1);
  std::vector<double> got(16);
  write_zarr(path("seven.zarr"), {4, 4}, {2, 2}, all, {.fill = "7", .left_out = {"0.1"}});
  MapImage(path("seven.zarr")).read(0, {0, 0, 4, 4}, got.data(), 4);
  EXPECT_EQ(got, (std::vector<double>{1, 1, 7, 7, 1, 1, 7, 7, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(MapImage(path("seven.zarr")).chunks().missing, 1);
  EXPECT_EQ(MapImage(path("seven.zarr")).chunks().all, 4);
  write_zarr(path("none.zarr"), {4, 4}, {2, 2}, all, {.fill = "null", .left_out = {"0.0", "0.1", "1.0", "1.1"}});
  MapImage(path("none.zarr")).read(0, {0, 0, 4, 4}, got.data(), 4);
  EXPECT_EQ(got, std::vector<double>(16));
  EXPECT_EQ(MapImage(path("none.zarr")).chunks().missing, 4);
  write_zarr(path("all.zarr"), {5, 4, 2}, {2, 4, 1}, std::vector<float>(40));
  EXPECT_EQ(MapImage(path("all.zarr")).chunks().missing, 0);
  EXPECT_EQ(MapImage(path("all.zarr")).chunks().all, 6);
  write_zarr(path("nan.zarr"), {4, 4}, {2, 2}, all, {.fill = "\"NaN\"", .left_out = {"1.1"}});
  MapImage(path("nan.zarr")).read(0, {0, 0, 4, 4}, got.data(), 4);
  EXPECT_TRUE(std::isnan(got[15]));
  EXPECT_EQ(got[0], 1);
}

TEST_F(ZarrMaps, OfBlosc) {
  // numcodecs.Blosc().encode() of 16x16 uint32, 100 times their row.
  const std::string hex =
      "020121040004000000040000a400000014000000460000001b0001001b6401001bc801001b2c01001b9001001bf401001b5801001bbc0100"
      "1b2001001b8401001be801001b4c01001bb001001b1401001b78010016dc010050dcdcdcdcdc240000001f0001001c1f0101001c1f020100"
      "0c1f0301001c1f0401000c1f050100175005050505050b0000001f000100e75000000000000b0000001f000100e7500000000000";
  std::string chunk;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    chunk.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  std::string metadata = zarr_metadata({16, 16}, {16, 16}, "<u4");
  const std::string none = R"("compressor": null)";
  metadata.replace(metadata.find(none), none.size(),
                   R"("compressor": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0})");
  write_bytes(path("a.zarr/.zarray"), metadata);
  write_bytes(path("a.zarr/0.0"), chunk);
  std::vector<double> got(256);
  MapImage(path("a.zarr")).read(0, {0, 0, 16, 16}, got.data(), 16);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<double>(i / 16 * 100)) << i;
}

TEST_F(ZarrMaps, OfVersion3AreReadOrRefused) {
  write_bytes(path("a.zarr/zarr.json"), R"({"zarr_format": 3, "node_type": "array", "shape": [30, 41],
    "data_type": "uint32", "fill_value": 0, "attributes": {}, "storage_transformers": [],
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [30, 41]}},
    "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
    "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]})");
  const std::vector<std::uint32_t> all = numbers<std::uint32_t>(41, 30, 1, false);
  write_bytes(path("a.zarr/c/0/0"),
              std::string(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(std::uint32_t)));
  try {
    const MapImage map(path("a.zarr"));  // GDAL 3.12 reads it
    EXPECT_EQ(map.type(), NumberType::u32);
    expect_numbers(map, {0, 0, 41, 30});
  } catch (const Error& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("a.zarr: cannot be read: GDAL "), std::string::npos) << said;
    EXPECT_NE(said.find("write it as Zarr version 2"), std::string::npos) << said;
  }
}

TEST_F(ZarrMaps, AreReadByManyThreadsAtOnce) {
  write_zarr(path("a.zarr"), {300, 90, 2}, {16, 9, 1}, numbers<std::uint32_t>(90, 300, 2, false), {.zlib = true});
  const MapImage map(path("a.zarr"));
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&, i] { expect_numbers(map, {i, 30 * i, 80, 60}); });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ZarrMaps, StayAsTheyAreAndHaveAFingerprintOfEachChunk) {
  std::vector<std::uint16_t> all = numbers<std::uint16_t>(300, 200, 1, false);
  write_zarr(path("a.zarr"), {200, 300}, {100, 100}, all);
  const auto names = [&] {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path()))
      found.insert(entry.path().string());
    return found;
  };
  const std::set<std::string> before = names();
  const MapImage map(path("a.zarr"));
  expect_numbers(map, {0, 0, 300, 200});
  EXPECT_EQ(names(), before);
  EXPECT_EQ(MapImage(path("a.zarr")).fingerprint(), map.fingerprint());
  write_bytes(path("a.zarr/.zattrs"), R"({"seen": true})");
  EXPECT_EQ(MapImage(path("a.zarr")).fingerprint(), map.fingerprint());
  all[150 * 300 + 150] += 1;
  write_zarr(path("a.zarr"), {200, 300}, {100, 100}, all);
  EXPECT_NE(MapImage(path("a.zarr")).fingerprint(), map.fingerprint());
  std::filesystem::remove(path("a.zarr/1.1"));
  EXPECT_NE(MapImage(path("a.zarr")).fingerprint(), map.fingerprint());
}

TEST_F(ZarrMaps, SayWhatIsWrongWithAnArray) {
  const auto array = [&](const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& chunk) {
    write_bytes(path("a.zarr/.zarray"), zarr_metadata(shape, chunk, "<i4"));
  };
  array({30}, {16});
  expect_said("a.zarr", {"a.zarr: has the shape 30; save (height, width)"});
  array({3, 2, 30, 41}, {1, 1, 16, 16});
  expect_said("a.zarr", {"a.zarr: has the shape 3x2x30x41"});
  array({300, 2, 300}, {16, 2, 16});
  expect_said("a.zarr", {"a.zarr: has 300 channels; at most 256 are read"});
  array({60000, 60000}, {40000, 40000});
  expect_said("a.zarr", {"a.zarr: has chunks of 40000x40000 int32 numbers, 6104 MiB each", "in smaller chunks"});
  array({30, 41}, {0, 16});
  expect_said("a.zarr", {"a.zarr: cannot be read: GDAL ", "save it as .npy"});
  array({1, std::int64_t{1} << 31}, {1, 1024});
  expect_said("a.zarr", {"has 2147483648x1 pixels, and a side may have 2147483647"});
  std::string metadata = zarr_metadata({30, 41}, {16, 16}, "<i4", {.zlib = true});
  metadata.replace(metadata.find("zlib"), 4, "none_such");
  write_bytes(path("a.zarr/.zarray"), metadata);
  expect_said("a.zarr", {"a.zarr: cannot be read: GDAL ", "none_such", "Zarr version 2, with Blosc, Zlib or Zstd"});
}

TEST_F(ZarrMaps, SayWhatIsWrongWithAChunkAndNothingElse) {
  const std::vector<std::uint32_t> all = numbers<std::uint32_t>(41, 30, 1, false);
  for (const bool zlib : {false, true}) {
    write_zarr(path("a.zarr"), {30, 41}, {16, 16}, all, {.zlib = zlib});
    const MapImage map(path("a.zarr"));
    for (const std::uintmax_t left : {std::uintmax_t{0}, std::uintmax_t{40}}) {
      std::filesystem::resize_file(path("a.zarr/1.1"), left);
      std::vector<double> got(41 * 30);
      ::testing::internal::CaptureStderr();
      try {
        map.read(0, {0, 0, 41, 30}, got.data(), 41);
        ADD_FAILURE() << "was read";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        const std::string said = error.what();
        EXPECT_NE(said.find("a.zarr: cannot be read at x=0 y=0 41x30: GDAL "), std::string::npos) << said;
        EXPECT_NE(said.find("1.1"), std::string::npos) << said;
      }
      EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
      expect_numbers(map, {0, 0, 16, 30});  // other chunks
    }
  }
}

}  // namespace
}  // namespace starpath::io
