// GeoJSON: read back by other means, it holds exactly the accepted nuclei.
#include <nlohmann/json.hpp>
#include <set>

#include "tests/io/exports_fixture.hpp"

namespace starpath::io {
namespace {

using testing::accepted;
using testing::bytes_of;
using testing::kAll;
using testing::says;
using GeoJson = testing::AcceptedNuclei;

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

TEST_F(GeoJson, HoldsEveryNucleusAsAValidDetection) {
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

TEST_F(GeoJson, RoundedPlacesHoldTheSamePixelsAtAnyResolution) {
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

TEST_F(GeoJson, MeasurementsAreTheSinglePrecisionNumbersAndFinite) {
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

TEST_F(GeoJson, OnlyTheFeaturesThatWereAskedFor) {
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

}  // namespace
}  // namespace starpath::io
