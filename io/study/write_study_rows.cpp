// Writing the slides of study.sqlite.
#include <fmt/format.h>

#include <limits>
#include <map>

#include "io/study/slide_fields.hpp"
#include "io/study/study_classes.hpp"
#include "io/study/study_rows.hpp"
#include "io/study/study_schema.hpp"

namespace starpath::io {
namespace {

/// Binds parameters one after the other.
class Binder {
 public:
  explicit Binder(Statement& statement) : statement_(statement) {}
  void add(std::string_view text) { statement_.bind(++parameter_, text); }
  void add(double number) { statement_.bind(++parameter_, number); }
  void add(SlideState state) { add(name_of(state)); }
  // Empty values become NULL.
  void add(const std::string& text) { text.empty() ? add(kNone) : add(std::string_view(text)); }
  template <class Number>
  void add(const std::optional<Number>& number) {
    number ? statement_.bind(++parameter_, *number) : add(kNone);
  }

 private:
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  Statement& statement_;
  int parameter_ = 0;
};

// A value that the user gave for a slide. A number of 0 stands for none, and becomes NULL.
const std::string& said(const std::string& text) { return text; }
std::optional<double> said(double number) { return number > 0 ? std::optional(number) : std::nullopt; }

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
  Statement put =
      database.prepare(fmt::format("UPDATE slides SET {} WHERE slide = {}", columns_of_summary("{} = ?"), number));
  Binder bind(put);
  for_each_column(summary, [&](std::string_view column, const auto& value) {
    column == "error" ? bind.add(std::string_view(summary.error)) : bind.add(value);  // an error is never NULL
  });
  put.run();
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

/// The cohort, and clusters of slides and patients.
void remove_what_compares_slides(StudyTransaction& change) {
  remove_cohort(change);
  remove_member_clusters(change);
}

/// Whether the row of a slide that is done has the same number of nuclei, and the same mean and quartiles of every
/// feature. Then its nuclei are taken to be the same: other nuclei have other means.
bool has_same_summary(const Database& database, std::int64_t number, const SlideSummary& summary) {
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
  Statement add = database.prepare(fmt::format(
      "INSERT INTO slides ({}, state, error) VALUES ({}, 'waiting', '') ON CONFLICT (folder) DO UPDATE SET {}"
      " RETURNING slide",
      columns_said("{}"), columns_said("?"), columns_said("{0} = excluded.{0}")));
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
    for_each_said(slide, [&](const char*, const auto& value) { bind.add(said(value)); });
    while (add.step()) numbers.push_back(add.integer(0));
    put_labels(database, numbers.back(), slide);
    change.slide_changed(numbers.back());
  }
  if (!cohort_holds) remove_what_compares_slides(change);
  return numbers;
}

void put_study_slide_begun(StudyTransaction& change, std::int64_t number) {
  change.database().prepare("UPDATE slides SET state = 'running', error = '' WHERE slide = ?").run(number);
  change.slide_changed(number);
}

void put_study_summary(StudyTransaction& change, std::int64_t number, const SlideSummary& summary) {
  Database& database = change.database();
  const bool same_nuclei = has_same_summary(database, number, summary);
  put_row(database, number, summary);
  for (const char* table : {"warnings", "features", "regions", "region_features"}) forget(database, table, number);
  if (!same_nuclei) {
    forget_study_clusters(change, number);
    forget_study_classes(change, number);
  }
  if (!same_nuclei || summary.state != SlideState::done) remove_what_compares_slides(change);
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
