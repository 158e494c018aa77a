// Lengths, areas and places in micrometres: in exports and in the view of nuclei.
#include <nlohmann/json.hpp>

#include "base/sqlite.hpp"
#include "io/results/nucleus_store.hpp"
#include "tests/io/exports_fixture.hpp"

namespace starpath::io {
namespace {

using testing::accepted;
using testing::bytes_of;
using testing::csv_rows;
using testing::kAll;
using Micrometres = testing::AcceptedNuclei;

TEST_F(Micrometres, LengthsAndAreasAreInMicrometresToo) {
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

TEST_F(Micrometres, TheViewOfNucleiHasThemInMicrometresOrNothing) {
  for (const double mpp : {0.5, 0.0}) {
    RunInfo info = testing::info();
    info.mpp = mpp;
    std::int64_t nuclei = 0;
    {
      const ResultStore store = make(info, mpp > 0 ? 7 : 8);
      nuclei = NucleusStore(store).nucleus_count();
    }
    const Database database(file + (mpp > 0 ? "7" : "8"), Database::Open::existing);
    const std::string same = mpp > 0 ? "nucleus_area_um2 = nucleus_area / 4 AND centroid_x_um = centroid_x / 2"
                                     : "nucleus_area_um2 IS NULL AND centroid_y_um IS NULL";
    EXPECT_EQ(database.integer("SELECT count(*) FROM nuclei WHERE nucleus_area IS NULL OR (" + same + ")"), nuclei);
  }
}

TEST_F(Micrometres, WithoutAResolutionTheColumnsInMicrometresAreThereAndEmpty) {
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

TEST_F(Micrometres, InPixelsWhereMicrometresAreUnknown) {
  RunInfo info = testing::info();
  info.slide_mpp = info.mpp = 0;
  const ResultStore store = make(info);
  export_geojson(store, folder / "g");
  const auto json = nlohmann::json::parse(bytes_of(folder / "g"));
  EXPECT_EQ(json["features"].back()["properties"]["measurements"].items().begin().key(), "nucleus_area");
}

}  // namespace
}  // namespace starpath::io
