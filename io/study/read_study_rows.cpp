// Reading the slides of study.sqlite.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.hpp"
#include "base/input_files.hpp"
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

/// Reads columns one after the other.
class Reader {
 public:
  explicit Reader(const Statement& row) : row_(row) {}
  std::optional<std::int64_t> integer() {
    const int column = column_++;
    return row_.is_null(column) ? std::nullopt : std::optional(row_.integer(column));
  }
  std::optional<double> real() {
    const int column = column_++;
    return row_.is_null(column) ? std::nullopt : std::optional(row_.real(column));
  }
  std::string text() { return row_.text(column_++); }
  std::string text_if_there() { return column_ < row_.columns() ? text() : ""; }

 private:
  const Statement& row_;
  int column_ = 0;
};

StudyRow row_of(const Statement& statement, const std::string& path) {
  Reader read(statement);
  StudyRow row;
  row.number = read.integer().value_or(0);
  row.slide.path = read.text();
  row.slide.folder = read.text();
  row.slide.patient = read.text();
  row.slide.group = read.text();
  row.slide.mpp = read.real().value_or(0);
  row.slide.roi = read.text();
  SlideSummary& summary = row.summary;
  summary.state = state_named(read.text(), path);
  summary.error = read.text();
  summary.nuclei = read.integer();
  summary.left_out_eosin = read.integer();
  summary.analysed_mm2 = read.real();
  summary.nuclei_per_mm2 = read.real();
  summary.median_area_um2 = read.real();
  summary.tiles = read.integer();
  summary.tiles_background = read.integer();
  summary.tiles_failed = read.integer();
  summary.width = read.integer();
  summary.height = read.integer();
  summary.mpp = read.real();
  summary.mpp_source = read.text();
  summary.seconds = read.real().value_or(0);
  summary.parameters = read.text();
  summary.survey = read.text();
  summary.file_state = read.text();
  row.slide.exclude = read.text_if_there();
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
  Statement all = database.prepare("SELECT * FROM slides ORDER BY slide");
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
