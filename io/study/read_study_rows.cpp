// Reading the slides of study.sqlite.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.hpp"
#include "base/input_files.hpp"
#include "io/study/slide_fields.hpp"
#include "io/study/study_rows.hpp"
#include "io/study/study_schema.hpp"

namespace starpath::io {
namespace {

constexpr std::array<std::pair<SlideState, std::string_view>, 5> kStates = {{{SlideState::waiting, "waiting"},
                                                                             {SlideState::running, "running"},
                                                                             {SlideState::done, "done"},
                                                                             {SlideState::incomplete, "incomplete"},
                                                                             {SlideState::failed, "failed"}}};

SlideState state_named(std::string_view text, const std::string& path) {
  for (const auto& [state, name] : kStates)
    if (name == text) return state;
  throw Error(ErrorKind::mismatch,
              fmt::format("{}: holds a slide in the unknown state '{}': damaged; choose another --out", path, text));
}

/// Reads columns one after the other. NULL is an empty value, or 0.
class Reader {
 public:
  Reader(const Statement& row, const std::string& path) : row_(row), path_(path) {}
  void take(std::int64_t& number) { number = row_.integer(column_++); }
  void take(double& number) {
    number = row_.is_null(column_) ? 0 : row_.real(column_);
    ++column_;
  }
  void take(std::string& text) { text = row_.text(column_++); }
  void take(SlideState& state) { state = state_named(row_.text(column_++), path_); }
  template <class Number>
  void take(std::optional<Number>& number) {
    if (row_.is_null(column_))
      ++column_;
    else
      take(number.emplace());
  }

 private:
  const Statement& row_;
  const std::string& path_;
  int column_ = 0;
};

StudyRow row_of(const Statement& statement, const std::string& path) {
  Reader read(statement, path);
  StudyRow row;
  read.take(row.number);
  for_each_said(row.slide, [&](const char*, auto& field) { read.take(field); });
  for_each_column(row.summary, [&](const char*, auto& field) { read.take(field); });
  return row;
}

std::vector<FeatureSummary> features_of(const Database& database, std::int64_t slide, std::int64_t region) {
  Statement rows = database.prepare(
      "SELECT feature, nuclei, mean, q1, median, q3 FROM region_features WHERE slide = ? AND region = ?"
      " ORDER BY feature");
  rows.bind(1, slide);
  rows.bind(2, region);
  std::vector<FeatureSummary> features;
  while (rows.step())
    features.push_back({rows.text(0), rows.integer(1), rows.real(2), rows.real(3), rows.real(4), rows.real(5)});
  return features;
}

std::vector<RegionSummary> regions_of(const Database& database, std::int64_t slide) {
  std::vector<RegionSummary> regions;
  if (study_layout(database) < 2) return regions;
  Statement rows =
      database.prepare("SELECT region, name, class, nuclei, area_mm2 FROM regions WHERE slide = ? ORDER BY region");
  for (rows.bind(1, slide); rows.step();)
    regions.push_back({rows.text(1), rows.text(2), rows.integer(3), rows.is_null(4) ? 0 : rows.real(4),
                       features_of(database, slide, rows.integer(0))});
  return regions;
}

}  // namespace

std::string_view name_of(SlideState state) {
  for (const auto& [known, name] : kStates)
    if (known == state) return name;
  return "unknown";
}

std::vector<StudyRow> read_study_rows(const Database& database) {
  std::vector<StudyRow> rows;
  const char* slides = study_layout(database) < 2 ? "(SELECT *, NULL AS exclude_said FROM slides)" : "slides";
  Statement all = database.prepare(
      fmt::format("SELECT slide, {}, {} FROM {} ORDER BY slide", columns_said("{}"), columns_of_summary("{}"), slides));
  Statement labels = database.prepare("SELECT name, value FROM labels WHERE slide = ? ORDER BY name");
  Statement warnings = database.prepare("SELECT warning FROM warnings WHERE slide = ? ORDER BY number");
  Statement features =
      database.prepare("SELECT feature, nuclei, mean, q1, median, q3 FROM features WHERE slide = ? ORDER BY feature");
  while (all.step()) {
    StudyRow row = row_of(all, database.path());
    for (const std::string& file : {row.slide.path, row.slide.roi, row.slide.exclude}) note_input(file);
    for (labels.bind(1, row.number); labels.step();) row.slide.labels.emplace_back(labels.text(0), labels.text(1));
    for (warnings.bind(1, row.number); warnings.step();) row.summary.warnings.push_back(warnings.text(0));
    row.summary.regions = regions_of(database, row.number);
    for (features.bind(1, row.number); features.step();)
      row.summary.features.push_back({features.text(0), features.integer(1), features.real(2), features.real(3),
                                      features.real(4), features.real(5)});
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace starpath::io
