// GeoJSON and CSV: read back by other means, they hold exactly the accepted nuclei.
#include "io/exports/exports.hpp"

#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/atomic_file.hpp"
#include "base/sqlite.hpp"
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

TEST_F(ExportsTest, GeoJsonMeasurementsAreExactAndFinite) {
  const ResultStore store = make(testing::info());
  export_geojson(store, folder / "nuclei.geojson");
  const auto json = nlohmann::json::parse(bytes_of(folder / "nuclei.geojson"));
  const std::vector<std::string> names = testing::info().feature_names;
  std::size_t missing = 0, feature_index = 0;
  for (const auto& [id, nucleus] : accepted(store)) {
    const auto& measurements = json["features"][feature_index++].at("properties").at("measurements");
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (std::isfinite(nucleus.features[i])) {
        EXPECT_EQ(measurements.at(names[i]).get<double>(), nucleus.features[i]);
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
  export_csv(store, folder / "nuclei.csv");
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
    EXPECT_EQ(std::stod(row[1]), n.centroid_x * 2);
    EXPECT_EQ(std::stod(row[4]), n.centroid_y * 2 * 0.25);
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
  export_geojson(store, folder / "nuclei.geojson");
  export_csv(store, folder / "nuclei.csv");
  const auto json = nlohmann::json::parse(bytes_of(folder / "nuclei.geojson"));
  const std::string csv = bytes_of(folder / "nuclei.csv");
  EXPECT_NE(csv.find(",pixels,nucleus_area_um2,nucleus_perimeter_um,cytoplasm_area_um2,nucleus_area,"),
            std::string::npos);
  const auto all = accepted(store);
  const auto& last = all.rbegin()->second;
  const auto& measured = json["features"].back()["properties"]["measurements"];
  EXPECT_EQ(measured["Area um^2"], last.features[0] / 4);
  EXPECT_EQ(measured["Perimeter um"], last.features[1] / 2);
  EXPECT_EQ(measured["Cytoplasm area um^2"], last.features[2] / 4);
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
  export_csv(store, folder / "nuclei.csv");
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
    export_geojson(store, folder / "g");
    export_csv(store, folder / "c");
    export_labels(store, folder / "l");
    const std::string bytes = bytes_of(folder / "g") + bytes_of(folder / "c") + bytes_of(folder / "l");
    if (seed == 1) first = bytes;
    EXPECT_EQ(bytes, first);
  }
}

TEST_F(ExportsTest, AFullOrMissingPlaceIsReportedAndLeavesNothingHalf) {
  const ResultStore store = make(testing::info());
  const std::vector<void (*)(const ResultStore&, const std::filesystem::path&)> exports = {export_geojson, export_csv,
                                                                                           export_labels};
  for (const auto& write : exports) {
    const auto path = folder / "out";
    std::ofstream(path) << "older";
    EXPECT_TRUE(says(failure_in_child([&] {
                       ::signal(SIGXFSZ, SIG_IGN);
                       const rlimit limit{1000, 1000};
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
