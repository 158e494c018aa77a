// Lists of columns.
#include "io/study/slide_fields.hpp"

#include <fmt/format.h>

#include "io/study/study_store.hpp"

namespace starpath::io {
namespace {

struct ColumnList {
  const char* form;
  std::string text = {};

  void add(const char* column) { text += (text.empty() ? "" : ", ") + fmt::format(fmt::runtime(form), column); }
};

}  // namespace

std::string columns_said(const char* form) {
  ColumnList columns{form};
  for_each_said(StudySlide{}, [&](const char* column, const auto&) { columns.add(column); });
  return columns.text;
}

std::string columns_of_summary(const char* form) {
  ColumnList columns{form};
  for_each_column(SlideSummary{}, [&](const char* column, const auto&) { columns.add(column); });
  return columns.text;
}

}  // namespace starpath::io
