// Numbers in exports.
#include "io/exports/number_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace starpath::io {
namespace {

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

}  // namespace
}  // namespace starpath::io
