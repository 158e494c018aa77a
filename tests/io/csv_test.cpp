// CSV: read back by other means, it holds exactly the accepted nuclei.
#include "tests/io/exports_fixture.hpp"

namespace starpath::io {
namespace {

using testing::accepted;
using testing::csv_rows;
using Csv = testing::AcceptedNuclei;

TEST_F(Csv, HasARowANucleusInLevel0PixelsAndMicrometres) {
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

}  // namespace
}  // namespace starpath::io
