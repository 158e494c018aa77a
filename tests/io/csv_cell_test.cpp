// Cells that spreadsheets show as they are.
#include "io/exports/csv_cell.hpp"

#include <gtest/gtest.h>

namespace starpath::io {
namespace {

TEST(CsvCell, IsQuotedWhereItMustBe) {
  EXPECT_EQ(csv_cell("left"), "left");
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("left, upper"), "\"left, upper\"");
  EXPECT_EQ(csv_cell("12\" tube"), "\"12\"\" tube\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_cell("two\rlines"), "\"two\rlines\"");
}

TEST(CsvCell, IsNoFormula) {
  EXPECT_EQ(csv_cell("=1+2"), "'=1+2");
  EXPECT_EQ(csv_cell("=HYPERLINK(\"a\",\"b\")"), "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\"");
  EXPECT_EQ(csv_cell("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_cell("-1+cmd|' /C calc'!A0"), "'-1+cmd|' /C calc'!A0");
  EXPECT_EQ(csv_cell("\t=1"), "'\t=1");
  EXPECT_EQ(csv_cell("+"), "'+");
  EXPECT_EQ(csv_cell("-inf"), "'-inf");
  EXPECT_EQ(csv_cell("--1"), "'--1");
}

TEST(CsvCell, NumbersStayNumbers) {
  for (const char* number : {"-1", "+5", "-0.25", "-1e-05", "0", "3.5"}) EXPECT_EQ(csv_cell(number), number);
  for (const char* text : {"P-1", "a=b", "'=1"}) EXPECT_EQ(csv_cell(text), text);
}

}  // namespace
}  // namespace starpath::io
