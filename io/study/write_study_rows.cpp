// Writing the slides of study.sqlite.
#include <fmt/format.h>

#include <limits>
#include <map>

#include "io/study/study_classes.hpp"
#include "io/study/study_rows.hpp"
#include "io/study/study_schema.hpp"

namespace starpath::io {
namespace {

/// Binds parameters one after the other; what is empty becomes NULL.
class Binder {
 public:
  explicit Binder(Statement& statement) : statement_(statement) {}
  template <class Value>
  void add(const std::optional<Value>& value) {
    ++parameter_;
    if (value)
      statement_.bind(parameter_, *value);
    else
      statement_.bind(parameter_, std::numeric_limits<double>::quiet_NaN());
  }
  void add_text(std::string_view text) { add(text.empty() ? std::nullopt : std::optional(text)); }
  void add_known(double value) { add(value > 0 ? std::optional(value) : std::nullopt); }

 private:
  Statement& statement_;
  int parameter_ = 0;
};

/// Whether the query gives a row for these texts.
template <class... Text>
bool finds(Statement& query, const Text&... texts) {
  int parameter = 0;
  (query.bind(++parameter, std::string_view(texts)), ...);
  bool found = false;
  while (query.step()) found = true;
  return found;
}

void forget(Database& database, const char* table, std::int64_t slide) {
  database.prepare(fmt::format("DELETE FROM {} WHERE slide = ?", table)).run(slide);
}

void put_labels(Database& database, std::int64_t number, const StudySlide& slide) {
  forget(database, "labels", number);
  Statement put = database.prepare("INSERT OR REPLACE INTO labels (slide, name, value) VALUES (?, ?, ?)");
  for (const auto& [name, value] : slide.labels) put.run(number, std::string_view(name), std::string_view(value));
}

void put_row(Database& database, std::int64_t number, const SlideSummary& summary) {
  Statement put = database.prepare(
      "UPDATE slides SET state = ?1, error = ?2, nuclei = ?3, left_out_eosin = ?4, analysed_mm2 = ?5,"
      " nuclei_per_mm2 = ?6, median_area_um2 = ?7, tiles = ?8, tiles_background = ?9, tiles_failed = ?10,"
      " width = ?11, height = ?12, mpp = ?13, mpp_source = ?14, seconds = ?15, parameters = ?16, survey = ?17,"
      " file_state = ?18 WHERE slide = ?19");
  Binder bind(put);
  bind.add_text(name_of(summary.state));
  bind.add(std::optional(std::string_view(summary.error)));
  bind.add(summary.nuclei);
  bind.add(summary.left_out_eosin);
  bind.add(summary.analysed_mm2);
  bind.add(summary.nuclei_per_mm2);
  bind.add(summary.median_area_um2);
  bind.add(summary.tiles);
  bind.add(summary.tiles_background);
  bind.add(summary.tiles_failed);
  bind.add(summary.width);
  bind.add(summary.height);
  bind.add(summary.mpp);
  bind.add_text(summary.mpp_source);
  bind.add(std::optional(summary.seconds));
  bind.add_text(summary.parameters);
  bind.add_text(summary.survey);
  bind.add_text(summary.file_state);
  put.bind(19, number);
  while (put.step()) {
  }
}

void put_regions(Database& database, std::int64_t number, const std::vector<RegionSummary>& regions) {
  Statement put = database.prepare("INSERT INTO regions VALUES (?, ?, ?, ?, ?, ?, ?)");
  Statement put_feature = database.prepare("INSERT INTO region_features VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::int64_t count = 0;
  for (const RegionSummary& region : regions) {
    const bool known = region.area_mm2 > 0;
    put.run(number, ++count, std::string_view(region.name), std::string_view(region.class_name), region.nuclei,
            known ? region.area_mm2 : none, known ? static_cast<double>(region.nuclei) / region.area_mm2 : none);
    for (const FeatureSummary& feature : region.features)
      put_feature.run(number, count, std::string_view(feature.feature), feature.nuclei, feature.mean, feature.q1,
                      feature.median, feature.q3);
  }
}

/// Whether a slide that is done was done with these nuclei.
bool has_nuclei_of(const Database& database, std::int64_t number, const SlideSummary& summary) {
  Statement row = database.prepare("SELECT 1 FROM slides WHERE slide = ? AND state = 'done' AND nuclei = ?");
  row.bind(1, number);
  row.bind(2, summary.nuclei.value_or(-1));
  bool same = false;
  while (row.step()) same = true;
  Statement known = database.prepare(
      "SELECT 1 FROM features WHERE slide = ? AND feature = ? AND nuclei = ? AND mean IS ? AND q1 IS ? AND median IS ?"
      " AND q3 IS ?");
  for (const FeatureSummary& feature : summary.features) {
    if (!same) break;
    known.bind(1, number);
    known.bind(2, std::string_view(feature.feature));
    known.bind(3, feature.nuclei);
    int parameter = 3;
    for (const double value : {feature.mean, feature.q1, feature.median, feature.q3}) known.bind(++parameter, value);
    for (same = false; known.step();) same = true;
  }
  return same;
}

}  // namespace

std::vector<std::int64_t> take_study_slides(StudyTransaction& change, const std::vector<StudySlide>& slides) {
  Database& database = change.database();
  Statement add = database.prepare(
      "INSERT INTO slides (path, patient, \"group\", mpp_said, roi_said, exclude_said, folder, state, error)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', '') ON CONFLICT (folder) DO UPDATE SET path = excluded.path,"
      " patient = excluded.patient, \"group\" = excluded.\"group\", mpp_said = excluded.mpp_said,"
      " roi_said = excluded.roi_said, exclude_said = excluded.exclude_said RETURNING slide");
  Statement same = database.prepare(
      "SELECT 1 FROM slides WHERE folder = ? AND ifnull(patient, '') = ? AND ifnull(\"group\", '') = ?");
  Statement known =
      database.prepare("SELECT name, value FROM labels WHERE slide = (SELECT slide FROM slides WHERE folder = ?)");
  const auto same_labels = [&](const StudySlide& slide) {
    std::map<std::string, std::string> labels;
    for (known.bind(1, std::string_view(slide.folder)); known.step();) labels[known.text(0)] = known.text(1);
    return labels == std::map<std::string, std::string>(slide.labels.begin(), slide.labels.end());
  };
  std::vector<std::int64_t> numbers;
  bool cohort_holds = true;
  for (const StudySlide& slide : slides) {
    cohort_holds = cohort_holds && finds(same, slide.folder, slide.patient, slide.group) && same_labels(slide);
    Binder bind(add);
    bind.add_text(slide.path);
    bind.add_text(slide.patient);
    bind.add_text(slide.group);
    bind.add_known(slide.mpp);
    bind.add_text(slide.roi);
    bind.add_text(slide.exclude);
    bind.add_text(slide.folder);
    while (add.step()) numbers.push_back(add.integer(0));
    put_labels(database, numbers.back(), slide);
    change.slide_changed(numbers.back());
  }
  if (!cohort_holds) remove_cohort(change);
  return numbers;
}

void put_study_slide_begun(StudyTransaction& change, std::int64_t number) {
  change.database().prepare("UPDATE slides SET state = 'running', error = '' WHERE slide = ?").run(number);
  change.slide_changed(number);
}

void put_study_summary(StudyTransaction& change, std::int64_t number, const SlideSummary& summary) {
  Database& database = change.database();
  const bool same_nuclei = has_nuclei_of(database, number, summary);
  put_row(database, number, summary);
  for (const char* table : {"warnings", "features", "regions", "region_features"}) forget(database, table, number);
  if (!same_nuclei) {
    forget_study_clusters(change, number);
    forget_study_classes(change, number);
  }
  if (!same_nuclei || summary.state != SlideState::done) remove_cohort(change);
  Statement warn = database.prepare("INSERT INTO warnings (slide, number, warning) VALUES (?, ?, ?)");
  std::int64_t count = 0;
  for (const std::string& warning : summary.warnings) warn.run(number, ++count, std::string_view(warning));
  Statement put = database.prepare(
      "INSERT INTO features (slide, feature, nuclei, mean, q1, median, q3) VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const FeatureSummary& feature : summary.features)
    put.run(number, std::string_view(feature.feature), feature.nuclei, feature.mean, feature.q1, feature.median,
            feature.q3);
  put_regions(database, number, summary.regions);
  change.slide_changed(number);
}

}  // namespace starpath::io
