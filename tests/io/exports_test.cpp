// GeoJSON and CSV: read back by other means, they hold exactly the accepted nuclei.
#include "io/exports/exports.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/sqlite.hpp"
#include "io/exports/export_file.hpp"
#include "io/exports/number_text.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io {
namespace {

using testing::bytes_of;
using testing::failure_in_child;
using testing::says;

class ExportsTest : public testing::Results {
 protected:
  /// A store with accepted nuclei; tiles committed in an order that `seed` shuffles.
  ResultStore make(const RunInfo& info, std::uint32_t seed = 1) {
    ResultStore store = ResultStore::create(file + std::to_string(seed), testing::key(), info);
    auto tiles = testing::tiles(4, 3, 50, 17);
    tiles[0].nuclei[0].features = {std::nan(""), std::numeric_limits<double>::infinity(), 0.1};
    std::shuffle(tiles.begin(), tiles.end(), std::mt19937(seed));
    for (auto& tile : tiles) {
      tile.record.compute_seconds = seed;
      store.commit_tile(tile.record, tile.nuclei);
    }
    testing::accept_owned(store);
    return store;
  }
};

const ExportOptions kAll{.features = {"all"}};

std::map<std::int64_t, NucleusRecord> accepted(const ResultStore& store) {
  std::map<std::int64_t, NucleusRecord> all;
  store.for_each_nucleus(true, [&](std::int64_t id, const NucleusRecord& n) { all.emplace(id, n); });
  return all;
}

/// Pixels whose centre lies inside one of the rings, by casting a ray from each.
std::set<std::pair<std::int64_t, std::int64_t>> pixels_inside(const nlohmann::json& polygons, double scale,
                                                              const NucleusRecord& n) {
  std::set<std::pair<std::int64_t, std::int64_t>> inside;
  for (std::int64_t y = n.y0 - 1; y <= n.y1; ++y)
    for (std::int64_t x = n.x0 - 1; x <= n.x1; ++x) {
      const double px = (static_cast<double>(x) + 0.5) * scale, py = (static_cast<double>(y) + 0.5) * scale;
      for (const auto& polygon : polygons) {
        const auto& ring = polygon.at(0);
        bool odd = false;
        for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
          const double ax = ring[i][0], ay = ring[i][1], bx = ring[i + 1][0], by = ring[i + 1][1];
          if ((ay > py) != (by > py) && ax + (py - ay) * (bx - ax) / (by - ay) > px) odd = !odd;
        }
        if (odd) inside.emplace(y, x);
      }
    }
  return inside;
}

TEST_F(ExportsTest, GeoJsonHoldsEveryNucleusAsAValidDetection) {
  const ResultStore store = make(testing::info());
  export_geojson(store, folder / "nuclei.geojson");
  const auto json = nlohmann::json::parse(bytes_of(folder / "nuclei.geojson"));
  EXPECT_EQ(json.at("type"), "FeatureCollection");
  const auto all = accepted(store);
  ASSERT_EQ(json.at("features").size(), all.size());
  std::set<std::string> ids;
  std::size_t touching = 0, feature_index = 0;
  for (const auto& [id, nucleus] : all) {
    SCOPED_TRACE(id);
    const auto& feature = json["features"][feature_index++];
    EXPECT_EQ(feature.at("type"), "Feature");
    EXPECT_EQ(feature.at("properties").at("objectType"), "detection");
    const std::string uuid = feature.at("id");
    EXPECT_TRUE(ids.insert(uuid).second);
    EXPECT_TRUE(uuid.size() == 36 && uuid[8] == '-' && uuid[13] == '-' && uuid[14] == '8' && uuid[18] == '-' &&
                uuid[23] == '-');

    const auto& geometry = feature.at("geometry");
    EXPECT_EQ(geometry.at("type"), "Polygon");
    const nlohmann::json polygons = nlohmann::json::array({geometry.at("coordinates")});
    std::set<std::pair<int, int>> corners;
    for (const Point& p : nucleus.contour) touching += !corners.emplace(p.x, p.y).second;
    for (const auto& polygon : polygons) {
      ASSERT_EQ(polygon.size(), 1U);
      EXPECT_EQ(polygon[0].front(), polygon[0].back()) << "the ring is open";
      std::set<std::pair<double, double>> vertices;
      for (std::size_t i = 1; i < polygon[0].size(); ++i)
        EXPECT_TRUE(vertices.emplace(polygon[0][i][0], polygon[0][i][1]).second);
    }
    std::set<std::pair<std::int64_t, std::int64_t>> expected;
    for (const auto& run : pixel_runs(nucleus.contour))
      for (int x = run.x0; x < run.x1; ++x) expected.emplace(run.y, x);
    EXPECT_EQ(pixels_inside(polygons, 2, nucleus), expected);
  }
  EXPECT_GT(touching, 0U) << "no nucleus touches itself at a corner: too easy";
}

TEST_F(ExportsTest, RoundedPlacesHoldTheSamePixelsAtAnyResolution) {
  RunInfo info = testing::info();
  info.scale = 1.98765432;
  const ResultStore store = make(info);
  export_geojson(store, folder / "nuclei.geojson");
  const auto json = nlohmann::json::parse(bytes_of(folder / "nuclei.geojson"));
  std::size_t feature_index = 0;
  for (const auto& [id, nucleus] : accepted(store)) {
    std::set<std::pair<std::int64_t, std::int64_t>> expected;
    for (const auto& run : pixel_runs(nucleus.contour))
      for (int x = run.x0; x < run.x1; ++x) expected.emplace(run.y, x);
    const auto& feature = json["features"][feature_index++];
    const auto& polygon = feature.at("geometry").at("coordinates");
    EXPECT_EQ(pixels_inside(nlohmann::json::array({polygon}), info.scale, nucleus), expected) << id;
    EXPECT_EQ(feature.at("properties").at("metadata"), (nlohmann::json{{"id", std::to_string(id)}}));
  }
}

TEST_F(ExportsTest, GeoJsonMeasurementsAreTheSinglePrecisionNumbersAndFinite) {
  const ResultStore store = make(testing::info());
  export_geojson(store, folder / "nuclei.geojson", kAll);
  const auto json = nlohmann::json::parse(bytes_of(folder / "nuclei.geojson"));
  const std::vector<std::string> names = testing::info().feature_names;
  std::size_t missing = 0, feature_index = 0;
  for (const auto& [id, nucleus] : accepted(store)) {
    const auto& measurements = json["features"][feature_index++].at("properties").at("measurements");
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (std::isfinite(nucleus.features[i])) {
        EXPECT_EQ(measurements.at(names[i]).get<float>(), static_cast<float>(nucleus.features[i]));
      } else {
        EXPECT_FALSE(measurements.contains(names[i]));
        ++missing;
      }
    }
  }
  EXPECT_EQ(missing, 2U);
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        result.back() += line[i++];
      } else {
        quoted = !quoted;
      }
    } else if (line[i] == ',' && !quoted) {
      result.emplace_back();
    } else {
      result.back() += line[i];
    }
  }
  return result;
}

std::vector<std::vector<std::string>> csv_rows(const std::filesystem::path& file) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(bytes_of(file));
  for (std::string line; std::getline(in, line);) {
    EXPECT_EQ(line.back(), '\r');
    line.pop_back();
    rows.push_back(fields(line));
  }
  return rows;
}

TEST_F(ExportsTest, CsvHasARowANucleusInLevel0PixelsAndMicrometres) {
  const ResultStore store = make(testing::info());
  export_csv(store, folder / "nuclei.csv", {.features = {"all"}, .digits = 17});
  const auto rows = csv_rows(folder / "nuclei.csv");
  const auto all = accepted(store);
  ASSERT_EQ(rows.size(), all.size() + 1);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"id", "centroid_x", "centroid_y", "centroid_x_um", "centroid_y_um", "x0",
                                               "y0", "x1", "y1", "pixels", "nucleus_area_um2", "nucleus_area",
                                               "mean, \"H\"", "cytoplasm_sd"}));
  for (const auto& [id, n] : all) {
    const auto& row = rows[static_cast<std::size_t>(id)];
    ASSERT_EQ(row.size(), rows[0].size());
    EXPECT_EQ(std::stoll(row[0]), id);
    EXPECT_NEAR(std::stod(row[1]), n.centroid_x * 2, 0.00051);
    EXPECT_NEAR(std::stod(row[4]), n.centroid_y * 2 * 0.25, 0.00051);
    EXPECT_EQ(std::stod(row[7]), static_cast<double>(n.x1) * 2);
    EXPECT_EQ(std::stoi(row[9]), n.area);
    EXPECT_EQ(row[10].empty(), std::isnan(n.features[0]));
    EXPECT_EQ(row[11].empty(), std::isnan(n.features[0]));
    if (!row[10].empty()) {
      EXPECT_EQ(std::stod(row[10]), n.features[0] / 4);
    }
    EXPECT_EQ(std::stod(row[12]), n.features[1]);
  }
}

TEST_F(ExportsTest, LengthsAndAreasAreInMicrometresToo) {
  RunInfo info = testing::info();  // of 0.5 um
  info.feature_names = {"nucleus_area", "nucleus_perimeter", "cytoplasm_area"};
  const ResultStore store = make(info, 5);
  export_geojson(store, folder / "nuclei.geojson", kAll);
  export_csv(store, folder / "nuclei.csv", kAll);
  const auto json = nlohmann::json::parse(bytes_of(folder / "nuclei.geojson"));
  const std::string csv = bytes_of(folder / "nuclei.csv");
  EXPECT_NE(csv.find(",pixels,nucleus_area_um2,nucleus_perimeter_um,cytoplasm_area_um2,nucleus_area,"),
            std::string::npos);
  const auto all = accepted(store);
  const auto& last = all.rbegin()->second;
  const auto& measured = json["features"].back()["properties"]["measurements"];
  EXPECT_EQ(measured["Area um^2"].get<float>(), static_cast<float>(last.features[0] / 4));
  EXPECT_EQ(measured["Perimeter um"].get<float>(), static_cast<float>(last.features[1] / 2));
  EXPECT_EQ(measured["Cytoplasm area um^2"].get<float>(), static_cast<float>(last.features[2] / 4));
}

TEST_F(ExportsTest, TheViewOfNucleiHasThemInMicrometresOrNothing) {
  for (const double mpp : {0.5, 0.0}) {
    RunInfo info = testing::info();
    info.mpp = mpp;
    std::int64_t nuclei = 0;
    {
      const ResultStore store = make(info, mpp > 0 ? 7 : 8);
      nuclei = store.nucleus_count();
    }
    const Database database(file + (mpp > 0 ? "7" : "8"), Database::Open::existing);
    const std::string same = mpp > 0 ? "nucleus_area_um2 = nucleus_area / 4 AND centroid_x_um = centroid_x / 2"
                                     : "nucleus_area_um2 IS NULL AND centroid_y_um IS NULL";
    EXPECT_EQ(database.integer("SELECT count(*) FROM nuclei WHERE nucleus_area IS NULL OR (" + same + ")"), nuclei);
  }
}

TEST_F(ExportsTest, WithoutAResolutionTheColumnsInMicrometresAreThereAndEmpty) {
  RunInfo info = testing::info();
  info.slide_mpp = info.mpp = 0;
  const ResultStore store = make(info, 6);
  export_geojson(store, folder / "nuclei.geojson");
  export_csv(store, folder / "nuclei.csv", kAll);
  EXPECT_EQ(bytes_of(folder / "nuclei.geojson").find("um^2"), std::string::npos);
  const auto rows = csv_rows(folder / "nuclei.csv");
  EXPECT_EQ(rows[0][3], "centroid_x_um");
  EXPECT_EQ(rows[0][10], "nucleus_area_um2");
  ASSERT_EQ(rows[2].size(), rows[0].size());
  for (const std::size_t column : {3u, 4u, 10u}) EXPECT_EQ(rows[2][column], "");
  EXPECT_NE(rows[2][11], "");
}

TEST_F(ExportsTest, TheSameNucleiGiveTheSameBytes) {
  std::string first;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const ResultStore store = make(testing::info(), seed);
    std::string bytes;
    for (const Export<Nuclei>& each : kNucleiExports) {
      if (each.reads_slide) continue;
      each.write({store, nullptr, kAll}, folder / "f");
      bytes += bytes_of(folder / "f");
    }
    if (seed == 1) first = bytes;
    EXPECT_EQ(bytes, first);
  }
}

TEST_F(ExportsTest, AFullOrMissingPlaceIsReportedAndLeavesNothingHalf) {
  const ResultStore store = make(testing::info());
  for (const Export<Nuclei>& each : kNucleiExports) {
    if (each.reads_slide) continue;
    SCOPED_TRACE(each.name);
    const auto write = [&](const ResultStore& from, const std::filesystem::path& to) {
      each.write({from, nullptr, kAll}, to);
    };
    const auto path = folder / "out";
    std::ofstream(path) << "older";
    EXPECT_TRUE(says(failure_in_child([&] {
                       ::signal(SIGXFSZ, SIG_IGN);
                       const rlimit limit{100, 100};
                       ::setrlimit(RLIMIT_FSIZE, &limit);
                       write(store, path);
                     }),
                     "4: " + path.string(), {"File too large", "free some space"}));
    EXPECT_EQ(bytes_of(path), "older");
    EXPECT_EQ(testing::parts_in(folder), 0);
    EXPECT_TRUE(says(testing::failure([&] { write(store, folder / "none" / "out"); }),
                     "4: ", {"No such file", "make the folder"}));
  }
}

/// What gzip makes of a file.
std::string unpacked(const std::filesystem::path& file) {
  const gzFile packed = gzopen(file.c_str(), "rb");
  std::string text(1 << 20, '\0');
  const int size = gzread(packed, text.data(), static_cast<unsigned>(text.size()));
  gzclose(packed);
  return text.substr(0, static_cast<std::size_t>(std::max(size, 0)));
}

TEST_F(ExportsTest, PackedFilesHoldTheSameText) {
  const ResultStore store = make(testing::info());
  export_geojson(store, folder / "g", kAll);
  export_geojson(store, folder / "g.gz", kAll, Compression::gzip);
  export_csv(store, folder / "c", kAll);
  export_csv(store, folder / "c.gz", kAll, Compression::gzip);
  for (const char* name : {"g", "c"}) {
    const auto packed = folder / (name + std::string(".gz"));
    EXPECT_EQ(unpacked(packed), bytes_of(folder / name));
    EXPECT_LT(std::filesystem::file_size(packed), std::filesystem::file_size(folder / name) / 2);
  }
}

TEST_F(ExportsTest, ATextOfSeveralBlocksIsPackedWhole) {
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

TEST_F(ExportsTest, OnlyTheFeaturesThatWereAskedFor) {
  const ResultStore store = make(testing::info());
  const auto shown = [&](std::vector<std::string> features) {
    export_geojson(store, folder / "g", {.features = std::move(features)});
    std::vector<std::string> names;
    const auto json = nlohmann::json::parse(bytes_of(folder / "g"));
    for (const auto& item : json["features"].back()["properties"]["measurements"].items()) names.push_back(item.key());
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(shown({"basic"}), (Names{"Area um^2"})) << "of three features one is basic, and is said once";
  EXPECT_EQ(shown({"cytoplasm_sd"}), (Names{"cytoplasm_sd"}));
  EXPECT_EQ(shown({"cytoplasm_sd", "basic"}), (Names{"Area um^2", "cytoplasm_sd"}));
  EXPECT_EQ(shown({"all"}), (Names{"Area um^2", "cytoplasm_sd", "mean, \"H\"", "nucleus_area"}));
  EXPECT_TRUE(says(testing::failure([&] { shown({"nucleus_aera"}); }), "2: ", {"'nucleus_aera'", "basic, all"}));
}

TEST_F(ExportsTest, InPixelsWhereMicrometresAreUnknown) {
  RunInfo info = testing::info();
  info.slide_mpp = info.mpp = 0;
  const ResultStore store = make(info);
  export_geojson(store, folder / "g");
  const auto json = nlohmann::json::parse(bytes_of(folder / "g"));
  EXPECT_EQ(json["features"].back()["properties"]["measurements"].items().begin().key(), "nucleus_area");
}

TEST_F(ExportsTest, AnExportThatIsStoppedLeavesNothing) {
  const ResultStore store = make(testing::info());
  struct Stop {};
  for (const Export<Nuclei>& each : kNucleiExports) {
    if (each.reads_slide) continue;
    ExportOptions options = kAll;
    options.on_progress = [](double share) {
      EXPECT_GT(share, 0);
      EXPECT_LE(share, 1);
      throw Stop();
    };
    EXPECT_THROW(each.write({store, nullptr, options}, folder / "out"), Stop) << each.name;
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    EXPECT_EQ(testing::parts_in(folder), 0);
  }
}

std::string measure(double value, int digits) {
  std::string text;
  append_measure(text, value, digits);
  return text;
}

std::string place(double value) {
  std::string text;
  append_place(text, value);
  return text;
}

TEST(NumberText, MeasuresAreShortAndPlacesAreInThousandths) {
  EXPECT_EQ(measure(0.1, 0), "0.1");
  EXPECT_EQ(measure(1.0 / 3, 0), "0.33333334");
  EXPECT_EQ(measure(1.0 / 3, 17), "0.33333333333333331");
  EXPECT_EQ(measure(143.285714, 5), "143.29");
  EXPECT_EQ(measure(120, 5), "120");
  EXPECT_EQ(measure(1e300, 0), "1e+300") << "no single-precision number";
  EXPECT_EQ(place(12.5), "12.5");
  EXPECT_EQ(place(7), "7");
  EXPECT_EQ(place(0.0004), "0");
  EXPECT_EQ(place(1.0006), "1.001");
  EXPECT_EQ(place(250000.05), "250000.05");
  EXPECT_EQ(place(-0.25), "-0.25");
}

TEST_F(ExportsTest, AnEmptySlideGivesEmptyButValidFiles) {
  ResultStore store = ResultStore::create(file, testing::key(), testing::info());
  store.accept({});
  export_geojson(store, folder / "g");
  export_csv(store, folder / "c");
  EXPECT_TRUE(nlohmann::json::parse(bytes_of(folder / "g")).at("features").empty());
  EXPECT_EQ(csv_rows(folder / "c").size(), 1U);
}

}  // namespace
}  // namespace starpath::io
