// Reading and writing study.sqlite.
#include "io/study/study_store.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "base/sqlite_tables.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/results_file.hpp"
#include "io/study/study_schema.hpp"

namespace starpath::io {
namespace {

constexpr std::string_view kSaidOfAll = "said_of_all";
constexpr int kPatience = 60'000;  // milliseconds: somebody may be reading while slides finish

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

std::optional<std::string> study_value_if_there(const Database& database, std::string_view key) {
  Statement row = database.prepare("SELECT value FROM study WHERE key = ?");
  row.bind(1, key);
  return row.step() ? std::optional(row.text(0)) : std::nullopt;
}

std::string study_value(const Database& database, std::string_view key) {
  if (auto value = study_value_if_there(database, key)) return *std::move(value);
  throw Error(ErrorKind::mismatch,
              fmt::format("{}: is damaged (no '{}' in it); choose another --out", database.path(), key));
}

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

/// Whether the query gives a row for these texts.
template <class... Text>
bool finds(Statement& query, const Text&... texts) {
  int parameter = 0;
  (query.bind(++parameter, std::string_view(texts)), ...);
  bool found = false;
  while (query.step()) found = true;
  return found;
}

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

}  // namespace

std::string_view name_of(SlideState state) {
  for (const auto& [known, name] : kStates)
    if (known == state) return name;
  return "unknown";
}

struct StudyStore::Impl {
  explicit Impl(const std::string& path) : database(path, Database::Open::existing) {
    database.set_patience(kPatience);
    check_study_tables(database);
  }
  void forget(const char* table, std::int64_t number) const {
    database.prepare(fmt::format("DELETE FROM {} WHERE slide = ?", table)).run(number);
  }
  std::vector<RegionSummary> regions_of(std::int64_t slide) const;
  std::vector<FeatureSummary> features_of(std::int64_t slide, std::int64_t region) const;
  std::vector<std::int64_t> take(const std::vector<StudySlide>& slides);
  bool has_nuclei_of(std::int64_t number, const SlideSummary& summary) const;
  void put_labels(std::int64_t number, const StudySlide& slide) const;
  void put_row(std::int64_t number, const SlideSummary& summary) const;
  void put_regions(std::int64_t number, const std::vector<RegionSummary>& regions) const;
  void put_begun(std::int64_t number) const;
  void put_summary(std::int64_t number, const SlideSummary& summary);

  Database database;
};

StudyStore::StudyStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StudyStore::StudyStore(StudyStore&&) noexcept = default;
StudyStore& StudyStore::operator=(StudyStore&&) noexcept = default;
StudyStore::~StudyStore() = default;

StudyStore StudyStore::create(const std::string& path, const std::string& version, const std::string& parameters,
                              const std::string& said_of_all) {
  make_results_file(path, [&](Database& database) {
    Transaction transaction(database);
    make_study_tables(database);
    Statement put = database.prepare("INSERT INTO study (key, value) VALUES (?, ?)");
    put.run(std::string_view("starpath_version"), std::string_view(version));
    put.run(std::string_view("parameters"), std::string_view(parameters));
    put.run(kSaidOfAll, std::string_view(said_of_all));
    transaction.commit();
  });
  return StudyStore(std::make_unique<Impl>(path));
}

StudyStore StudyStore::resume(const std::string& path, const std::string& version, const std::string& parameters,
                              const std::string& said_of_all) {
  auto impl = std::make_unique<Impl>(path);
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::mismatch,
                fmt::format("{}: cannot be resumed: {}; use the same again or choose another --out", path, what));
  };
  if (const std::string made_by = study_value(impl->database, "starpath_version"); made_by != version)
    refuse(fmt::format("it was made by starpath {}, this is {}", made_by, version));
  if (const std::string what = differences(study_value(impl->database, "parameters"), parameters); !what.empty())
    refuse("parameters differ: " + what);
  // Studies of before do not have it: there each slide's results refuse for themselves.
  const std::string said_before = study_value_if_there(impl->database, kSaidOfAll).value_or(said_of_all);
  if (const std::string what = differences(said_before, said_of_all); !what.empty())
    refuse("what is said of all slides differs: " + what);
  bring_up_to_date(impl->database);
  return StudyStore(std::move(impl));
}

StudyStore StudyStore::change(const std::string& path) {
  auto impl = std::make_unique<Impl>(path);
  bring_up_to_date(impl->database);
  return StudyStore(std::move(impl));
}

StudyStore StudyStore::open(const std::string& path) {
  auto impl = std::make_unique<Impl>(path);
  impl->database.execute("PRAGMA query_only = ON");
  return StudyStore(std::move(impl));
}

std::vector<RegionSummary> StudyStore::Impl::regions_of(std::int64_t slide) const {
  std::vector<RegionSummary> regions;
  if (study_layout(database) < 2) return regions;
  Statement rows =
      database.prepare("SELECT region, name, class, nuclei, area_mm2 FROM regions WHERE slide = ? ORDER BY region");
  for (rows.bind(1, slide); rows.step();)
    regions.push_back({rows.text(1), rows.text(2), rows.integer(3), rows.is_null(4) ? 0 : rows.real(4),
                       features_of(slide, rows.integer(0))});
  return regions;
}

std::vector<FeatureSummary> StudyStore::Impl::features_of(std::int64_t slide, std::int64_t region) const {
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

std::vector<StudyRow> StudyStore::rows() const {
  const Database& database = impl_->database;
  std::vector<StudyRow> rows;
  Statement all = database.prepare("SELECT * FROM slides ORDER BY slide");
  Statement labels = database.prepare("SELECT name, value FROM labels WHERE slide = ? ORDER BY name");
  Statement warnings = database.prepare("SELECT warning FROM warnings WHERE slide = ? ORDER BY number");
  Statement features =
      database.prepare("SELECT feature, nuclei, mean, q1, median, q3 FROM features WHERE slide = ? ORDER BY feature");
  while (all.step()) {
    StudyRow row = row_of(all, database.path());
    for (labels.bind(1, row.number); labels.step();) row.slide.labels.emplace_back(labels.text(0), labels.text(1));
    for (warnings.bind(1, row.number); warnings.step();) row.summary.warnings.push_back(warnings.text(0));
    row.summary.regions = impl_->regions_of(row.number);
    for (features.bind(1, row.number); features.step();)
      row.summary.features.push_back({features.text(0), features.integer(1), features.real(2), features.real(3),
                                      features.real(4), features.real(5)});
    rows.push_back(std::move(row));
  }
  return rows;
}

void StudyStore::Impl::put_labels(std::int64_t number, const StudySlide& slide) const {
  forget("labels", number);
  Statement put = database.prepare("INSERT OR REPLACE INTO labels (slide, name, value) VALUES (?, ?, ?)");
  for (const auto& [name, value] : slide.labels) put.run(number, std::string_view(name), std::string_view(value));
}

std::vector<std::int64_t> StudyStore::take(const std::vector<StudySlide>& slides) {
  Transaction transaction(impl_->database);
  std::vector<std::int64_t> numbers = impl_->take(slides);
  transaction.commit();
  return numbers;
}

/// In a transaction of the caller's.
std::vector<std::int64_t> StudyStore::Impl::take(const std::vector<StudySlide>& slides) {
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
    put_labels(numbers.back(), slide);
  }
  if (!cohort_holds) remove_cohort(database);
  return numbers;
}

void StudyStore::Impl::put_row(std::int64_t number, const SlideSummary& summary) const {
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

void StudyStore::Impl::put_regions(std::int64_t number, const std::vector<RegionSummary>& regions) const {
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

void StudyStore::Impl::put_begun(std::int64_t number) const {
  database.prepare("UPDATE slides SET state = 'running', error = '' WHERE slide = ?").run(number);
}

/// Whether a slide that is done was done with these nuclei.
bool StudyStore::Impl::has_nuclei_of(std::int64_t number, const SlideSummary& summary) const {
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

void StudyStore::Impl::put_summary(std::int64_t number, const SlideSummary& summary) {
  const bool same_nuclei = has_nuclei_of(number, summary);
  put_row(number, summary);
  for (const char* table : {"warnings", "features", "regions", "region_features"}) forget(table, number);
  if (!same_nuclei) {
    forget("slide_clusters", number);
    forget_study_classes(database, number);
  }
  if (!same_nuclei || summary.state != SlideState::done) remove_cohort(database);
  Statement warn = database.prepare("INSERT INTO warnings (slide, number, warning) VALUES (?, ?, ?)");
  std::int64_t count = 0;
  for (const std::string& warning : summary.warnings) warn.run(number, ++count, std::string_view(warning));
  Statement put = database.prepare(
      "INSERT INTO features (slide, feature, nuclei, mean, q1, median, q3) VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const FeatureSummary& feature : summary.features)
    put.run(number, std::string_view(feature.feature), feature.nuclei, feature.mean, feature.q1, feature.median,
            feature.q3);
  put_regions(number, summary.regions);
}

void StudyStore::change_rows(const std::vector<RowChange>& changes) {
  Transaction transaction(impl_->database);
  for (const RowChange& change : changes) {
    if (change.slide) impl_->take({*change.slide});
    if (change.summary)
      impl_->put_summary(change.number, *change.summary);
    else
      impl_->put_begun(change.number);
  }
  transaction.commit();
}

void StudyStore::put_classes(const StudyClasses& classes) {
  Transaction transaction(impl_->database);
  put_study_classes(impl_->database, classes);
  remove_cohort(impl_->database);
  transaction.commit();
}

StudyClasses StudyStore::classes() const { return read_study_classes(impl_->database); }

void StudyStore::add_run(const std::string& about) {
  Transaction transaction(impl_->database);
  make_run_table(impl_->database);
  impl_->database.prepare("INSERT INTO runs (about) VALUES (?)").run(std::string_view(about));
  transaction.commit();
}

std::vector<std::string> StudyStore::runs() const {
  std::vector<std::string> runs;
  if (!has_table(impl_->database, "runs")) return runs;
  for (Statement row = impl_->database.prepare("SELECT about FROM runs ORDER BY run"); row.step();)
    runs.push_back(row.text(0));
  return runs;
}

std::string StudyStore::parameters() const { return study_value(impl_->database, "parameters"); }

std::string StudyStore::version() const { return study_value(impl_->database, "starpath_version"); }

void StudyStore::put_clusters(const StudyClusters& clusters) {
  Transaction transaction(impl_->database);
  put_study_clusters(impl_->database, clusters);
  remove_cohort(impl_->database);
  transaction.commit();
}

StudyClusters StudyStore::clusters() const {
  return study_layout(impl_->database) < 2 ? StudyClusters{} : read_study_clusters(impl_->database);
}

void StudyStore::put_cohort(const Cohort& cohort) {
  Transaction transaction(impl_->database);
  io::put_cohort(impl_->database, cohort);
  transaction.commit();
}

void StudyStore::forget_cohort() {
  Transaction transaction(impl_->database);
  remove_cohort(impl_->database);
  transaction.commit();
}

std::optional<Cohort> StudyStore::cohort() const { return read_cohort(impl_->database); }

}  // namespace starpath::io
