// The shared arithmetic of the features against numbers worked out by hand.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <string_view>

#include "codelets/kernels/deconvolution.hpp"
#include "codelets/kernels/edge_filters.hpp"
#include "codelets/kernels/feature_row.hpp"

namespace starpath {
namespace {

TEST(PortableMath, AgreesWithTheStandardLibrary) {
  for (double x = 1e-3; x < 1e7; x *= 1.37) EXPECT_NEAR(portable_log2(x), std::log2(x), 1e-14) << x;
  for (double x = -20; x < 20; x += 0.173) EXPECT_NEAR(portable_exp2(x) / std::exp2(x), 1, 1e-14) << x;
  for (int k = -30; k <= 30; ++k) {
    EXPECT_EQ(portable_log2(std::ldexp(1, k)), k);
    EXPECT_EQ(portable_exp2(k), std::ldexp(1, k));
  }
  EXPECT_EQ(n_log2_n(0), 0);
  EXPECT_EQ(n_log2_n(8), 24);
  EXPECT_EQ(n_log2_n(4096), 4096 * 12);
}

TEST(FeatureTable, NamesAreDistinctAndInOrder) {
  EXPECT_EQ(std::set<std::string_view>(kFeatureNames.begin(), kFeatureNames.end()).size(), kFeatureTotal);
  EXPECT_EQ(kFeatureCount, 189);
  EXPECT_EQ(kFeatureNames.front(), "nucleus_area");
  EXPECT_EQ(kFeatureNames[8], "cytoplasm_area");
  EXPECT_EQ(kFeatureNames[9], "nucleus_haematoxylin_mean");
  EXPECT_EQ(kFeatureNames.back(), "cytoplasm_gray_haralick_information_2");
  EXPECT_EQ(kFeatureNames[9 + 4 * 30 + 18], "cytoplasm_eosin_haralick_contrast");
}

TEST(FeatureFamilies, HaveEveryFeatureOnceAndInOrder) {
  std::array<int, kFamilyCount> columns{};
  for (std::size_t i = 0; i < kFeatureTotal; ++i) {
    const auto [family, column] = kFeaturePlaces[i];
    EXPECT_EQ(column, columns[static_cast<std::size_t>(family)]++) << kFeatureNames[i];
    const auto says = [&](std::string_view word) { return kFeatureNames[i].find(word) != std::string_view::npos; };
    EXPECT_EQ(family == FeatureFamily::shape, i < 9) << kFeatureNames[i];
    EXPECT_EQ(family == FeatureFamily::gradient, says("_gradient_")) << kFeatureNames[i];
    EXPECT_EQ(family == FeatureFamily::edges, says("_canny_") || says("_sobel_")) << kFeatureNames[i];
    EXPECT_EQ(family == FeatureFamily::texture, says("_haralick_")) << kFeatureNames[i];
  }
  for (std::size_t family = 0; family < kFamilyCount; ++family)
    EXPECT_EQ(columns[family], columns_of(static_cast<FeatureFamily>(family))) << kFamilyNames[family];
}

using Vector = std::array<double, 3>;

Vector unit(Vector v) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return {v[0] / length, v[1] / length, v[2] / length};
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Rows haematoxylin and eosin of the inverse stain matrix, by cross products.
std::array<Vector, 2> inverse_rows() {
  const Vector h = unit({.650, .704, .286}), e = unit({.072, .990, .105});
  Vector third{};
  for (std::size_t i = 0; i < 3; ++i) third[i] = std::sqrt(std::max(0.0, 1 - h[i] * h[i] - e[i] * e[i]));
  third = unit(third);
  std::array<Vector, 2> rows = {cross(e, third), cross(third, h)};
  const double volume = dot(h, rows[0]);
  for (auto& row : rows)
    for (double& x : row) x /= volume;
  return rows;
}

TEST(Deconvolution, MatrixIsTheRoundedInverse) {
  const auto rows = inverse_rows();
  for (std::size_t stain = 0; stain < 2; ++stain)
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_EQ(static_cast<double>(kStainInverse[stain][c]), std::round(rows[stain][c] * 65536));
}

TEST(Deconvolution, IsTheFormulaWithinHalfALevelOfFixedPoint) {
  const auto rows = inverse_rows();
  const auto density = [](int v) { return 255 * (1 - std::log(v + 1) / std::log(255)); };
  for (int r = 0; r < 256; r += 5)
    for (int g = 0; g < 256; g += 5)
      for (int b = 0; b < 256; b += 5) {
        const Vector d = {density(r), density(g), density(b)};
        const StainValues v =
            stain_values({static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g), static_cast<std::uint8_t>(b)});
        const auto value = [&](const Vector& row) {
          return std::min(255.0, std::exp(-(dot(row, d) - 255) * std::log(255) / 255));
        };
        ASSERT_NEAR(v.haematoxylin, value(rows[0]), 0.6);  // half a level, and half of 1/32 of the amount
        ASSERT_NEAR(v.eosin, value(rows[1]), 0.6);
        ASSERT_NEAR(v.gray, 0.299 * r + 0.587 * g + 0.114 * b, 0.51);
      }
}

TEST(EdgeFilters, GradientMagnitudeRoundsHalfUp) {
  EXPECT_EQ(gradient_magnitude(0, 0), 0);
  EXPECT_EQ(gradient_magnitude(1, 0), 1);   // 0.5
  EXPECT_EQ(gradient_magnitude(3, 4), 3);   // 2.5
  EXPECT_EQ(gradient_magnitude(-2, 2), 1);  // 1.41
  EXPECT_EQ(gradient_magnitude(0, -255), 128);
  EXPECT_EQ(gradient_magnitude(255, 255), 180);
}

TEST(HistogramStatistics, OfFourValues) {
  Histogram h{};
  for (const std::size_t v : {10U, 20U, 30U, 40U}) h[v] = 1;
  const auto s = histogram_statistics(h);
  EXPECT_EQ(s.mean, 25);
  EXPECT_EQ(s.min, 10);
  EXPECT_EQ(s.max, 40);
  EXPECT_DOUBLE_EQ(s.std, std::sqrt(125));
  EXPECT_EQ(s.entropy, 2);
  EXPECT_EQ(s.energy, 0.25);
  EXPECT_NEAR(s.skewness, 0, 1e-15);
  EXPECT_DOUBLE_EQ(s.kurtosis, 1.64);
}

TEST(HistogramStatistics, OfASkewedPatch) {
  Histogram h{};
  h[0] = 3, h[4] = 1;  // deviations -1, -1, -1, 3: m2 = 3, m3 = 6, m4 = 21
  const auto s = histogram_statistics(h);
  EXPECT_EQ(s.mean, 1);
  EXPECT_DOUBLE_EQ(s.std, std::sqrt(3));
  EXPECT_DOUBLE_EQ(s.skewness, 6 / (3 * std::sqrt(3)));
  EXPECT_DOUBLE_EQ(s.kurtosis, 21.0 / 9);
  EXPECT_DOUBLE_EQ(s.entropy, 2 - 0.75 * std::log2(3));
  EXPECT_EQ(s.energy, 10.0 / 16);
}

TEST(HistogramStatistics, OfNothingAndOfAConstant) {
  Histogram h{};
  const auto none = histogram_statistics(h);
  for (const double x :
       {none.mean, none.max, none.min, none.std, none.entropy, none.energy, none.skewness, none.kurtosis})
    EXPECT_EQ(x, 0);
  h[200] = 777;
  const auto constant = histogram_statistics(h);
  for (const double x : {constant.mean, constant.max, constant.min}) EXPECT_EQ(x, 200);
  for (const double x : {constant.std, constant.entropy, constant.skewness, constant.kurtosis}) EXPECT_EQ(x, 0);
  EXPECT_EQ(constant.energy, 1);
}

/// Right-hand pairs of the 4x4 example of Haralick's paper: 0011 / 0011 / 0222 / 2233.
Cooccurrence example_pairs() {
  constexpr int image[4][4] = {{0, 0, 1, 1}, {0, 0, 1, 1}, {0, 2, 2, 2}, {2, 2, 3, 3}};
  Cooccurrence pairs{};
  for (const auto& row : image)
    for (std::size_t x = 0; x < 3; ++x) ++pairs[static_cast<std::size_t>(8 * row[x] + row[x + 1])];
  return pairs;
}

TEST(Haralick, OfThePapersExample) {
  // Symmetric counts 4210 / 2400 / 1061 / 0012, total 24, marginal 7 6 8 3.
  const auto f = haralick_features(example_pairs());
  const auto entropy = [](std::initializer_list<double> counts) {
    double sum = 0;
    for (const double n : counts) sum -= n / 24 * std::log2(n / 24);
    return sum;
  };
  const double hxy = entropy({4, 2, 1, 2, 4, 1, 6, 1, 1, 2}), hx = entropy({7, 6, 8, 3});
  const double variance = (6 + 32 + 27) / 24.0 - (31 / 24.0) * (31 / 24.0);
  EXPECT_DOUBLE_EQ(f[0], 84 / 576.0);
  EXPECT_DOUBLE_EQ(f[1], 14 / 24.0);
  EXPECT_DOUBLE_EQ(f[2], (4 + 24 + 6 + 6 + 18 - 31 * 31 / 24.0) / 24 / variance);  // E[ij] - mean^2
  EXPECT_DOUBLE_EQ(f[3], variance);
  EXPECT_DOUBLE_EQ(f[4], (16 + 6 / 2.0 + 2 / 5.0) / 24);
  EXPECT_DOUBLE_EQ(f[5], 2 + 62 / 24.0);  // sums 0..6 occur 4 4 6 0 6 2 2 times
  EXPECT_DOUBLE_EQ(f[6], (4 + 24 + 96 + 50 + 72) / 24.0 - (62 / 24.0) * (62 / 24.0));
  EXPECT_DOUBLE_EQ(f[7], entropy({4, 4, 6, 6, 2, 2}));
  EXPECT_DOUBLE_EQ(f[8], hxy);
  EXPECT_DOUBLE_EQ(f[9], (6 + 8) / 24.0 - (10 / 24.0) * (10 / 24.0));  // differences 0 1 2 occur 16 6 2 times
  EXPECT_DOUBLE_EQ(f[10], entropy({16, 6, 2}));
  EXPECT_DOUBLE_EQ(f[11], (hxy - 2 * hx) / hx);
  EXPECT_DOUBLE_EQ(f[12], std::sqrt(1 - std::exp(-2 * std::log(2) * (2 * hx - hxy))));
}

TEST(Haralick, OfNoPairAndOfOneLevel) {
  Cooccurrence pairs{};
  for (const double x : haralick_features(pairs)) EXPECT_EQ(x, 0);
  pairs[8 * 5 + 5] = 123;
  const HaralickFeatures expected = {1, 0, 0, 0, 1, 12, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(haralick_features(pairs), expected);
}

TEST(Shape, OfOnePixel) {
  const Shape s = shape_of({.area = 1,
                            .sum_x = 7,
                            .sum_y = 3,
                            .sum_xx = 49,
                            .sum_xy = 21,
                            .sum_yy = 9,
                            .quads_one = 4,
                            .quads_side = 0,
                            .quads_diagonal = 0,
                            .quads_three = 0,
                            .box_width = 1,
                            .box_height = 1});
  EXPECT_DOUBLE_EQ(s.perimeter, 4 * std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(s.major_axis, std::sqrt(8 / 6.0));
  EXPECT_DOUBLE_EQ(s.minor_axis, std::sqrt(8 / 6.0));
  EXPECT_EQ(s.eccentricity, 0);
  EXPECT_EQ(s.extent, 1);
  EXPECT_DOUBLE_EQ(s.circularity, std::acos(-1) / 2);
  EXPECT_DOUBLE_EQ(s.equivalent_diameter, std::sqrt(4 / std::acos(-1)));
}

TEST(Shape, OfABarOfThree) {
  // Windows: 4 with one pixel, 4 with two side by side. Variance along the bar 2/3.
  const Shape s = shape_of({.area = 3,
                            .sum_x = 3,
                            .sum_y = 0,
                            .sum_xx = 5,
                            .sum_xy = 0,
                            .sum_yy = 0,
                            .quads_one = 4,
                            .quads_side = 4,
                            .quads_diagonal = 0,
                            .quads_three = 0,
                            .box_width = 3,
                            .box_height = 1});
  const double along = 2.0 / 3 + 1.0 / 12, across = 1.0 / 12;
  EXPECT_DOUBLE_EQ(s.perimeter, 4 * std::sqrt(0.5) + 4);
  EXPECT_DOUBLE_EQ(s.major_axis, 4 * std::sqrt(along));
  EXPECT_DOUBLE_EQ(s.minor_axis, 4 * std::sqrt(across));
  EXPECT_DOUBLE_EQ(s.eccentricity, std::sqrt(1 - across / along));
}

}  // namespace
}  // namespace starpath
