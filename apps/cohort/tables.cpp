// A row after the other.
#include "apps/cohort/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "apps/cohort/patients.hpp"
#include "apps/run/own_file.hpp"
#include "base/atomic_file.hpp"
#include "io/exports/csv_cell.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

class CsvFile {
 public:
  explicit CsvFile(const fs::path& path) : path_(path), file_(path) {}

  CsvFile& cell(const std::string& text) {
    line_ += (line_.empty() ? "" : ",") + io::csv_cell(text);
    return *this;
  }
  CsvFile& cell(std::int64_t number) { return cell(std::to_string(number)); }
  CsvFile& cell(double number) { return cell(std::isfinite(number) ? fmt::format("{}", number) : std::string()); }
  CsvFile& cell(const std::optional<double>& number) { return cell(number.value_or(std::nan(""))); }
  void end_line() { file_.write(std::exchange(line_, "") + "\r\n"); }
  fs::path commit() {
    file_.commit();
    return path_;
  }

 private:
  fs::path path_;
  AtomicFile file_;
  std::string line_;  // never begins with an empty cell
};

void add_shares(CsvFile& file, const std::vector<double>& shares) {
  for (const double share : shares) file.cell(share);
}

void add_titles(CsvFile& file, const CohortTables& tables) {
  for (const std::string& feature : tables.features)
    for (const char* statistic : {"_mean", "_q1", "_median", "_q3"}) file.cell(feature + statistic);
  for (const std::string& share : tables.shares.columns()) file.cell(share);
  file.end_line();
}

void add_features(CsvFile& file, const std::vector<std::string>& wanted,
                  const std::vector<io::FeatureSummary>& summaries) {
  for (const std::string& feature : wanted) {
    const auto found = std::ranges::find(summaries, feature, &io::FeatureSummary::feature);
    const bool known = found != summaries.end();
    for (const auto which :
         {&io::FeatureSummary::mean, &io::FeatureSummary::q1, &io::FeatureSummary::median, &io::FeatureSummary::q3})
      file.cell(known ? *found.*which : std::nan(""));
  }
}

/// How the files begin, by which they are known again.
constexpr std::array kSlideTitles = {"slide", "folder", "path"}, kRegionTitles = {"slide", "folder", "region"},
                     kPatientTitles = {"patient", "group", "branch"};

void check_is_ours(const fs::path& file, const std::array<const char*, 3>& titles) {
  check_is_own_file(file, {fmt::format("{},", fmt::join(titles, ",")), ""}, "starpath cohort");
}

fs::path write_slides(const fs::path& path, const CohortTables& tables) {
  CsvFile file(path);
  for (const char* title : kSlideTitles) file.cell(title);
  for (const char* title : {"patient", "group", "nuclei", "analysed_mm2", "nuclei_per_mm2", "median_area_um2"})
    file.cell(title);
  add_titles(file, tables);
  for (const io::StudyRow& row : tables.rows) {
    const io::SlideSummary& summary = row.summary;
    if (summary.state != io::SlideState::done) continue;
    file.cell(row.number).cell(row.slide.folder).cell(row.slide.path).cell(row.slide.patient);
    file.cell(label_of(row.slide, tables.group_column)).cell(summary.nuclei.value_or(0));
    file.cell(summary.analysed_mm2).cell(summary.nuclei_per_mm2).cell(summary.median_area_um2);
    add_features(file, tables.features, summary.features);
    add_shares(file, tables.shares.of(row.number, 0));
    file.end_line();
  }
  return file.commit();
}

fs::path write_regions(const fs::path& path, const CohortTables& tables) {
  CsvFile file(path);
  for (const char* title : kRegionTitles) file.cell(title);
  for (const char* title : {"name", "class", "patient", "group", "nuclei", "area_mm2", "nuclei_per_mm2"})
    file.cell(title);
  add_titles(file, tables);
  for (const io::StudyRow& row : tables.rows) {
    if (row.summary.state != io::SlideState::done) continue;
    std::int64_t number = 0;
    for (const io::RegionSummary& region : row.summary.regions) {
      const double area = region.area_mm2 > 0 ? region.area_mm2 : std::nan("");
      file.cell(row.number).cell(row.slide.folder).cell(++number).cell(region.name).cell(region.class_name);
      file.cell(row.slide.patient).cell(label_of(row.slide, tables.group_column)).cell(region.nuclei);
      file.cell(area).cell(static_cast<double>(region.nuclei) / area);
      add_features(file, tables.features, region.features);
      add_shares(file, tables.shares.of(row.number, number));
      file.end_line();
    }
  }
  return file.commit();
}

std::string number_or_empty(std::int64_t number) { return number > 0 ? std::to_string(number) : ""; }

fs::path write_patients(const fs::path& path, const CohortTables& tables,
                        const std::vector<io::StudyPatient>& patients) {
  CsvFile file(path);
  for (const char* title : kPatientTitles) file.cell(title);
  for (const char* title : {"place", "slides", "nuclei", "analysed_mm2", "nuclei_per_mm2"}) file.cell(title);
  add_titles(file, tables);
  for (const io::StudyPatient& patient : patients) {
    file.cell(patient.name).cell(patient.group).cell(number_or_empty(patient.branch));
    file.cell(number_or_empty(patient.place)).cell(std::ssize(patient.slides)).cell(patient.nuclei);
    file.cell(patient.analysed_mm2).cell(patient.nuclei_per_mm2());
    add_features(file, tables.features, patient.features);
    add_shares(file, tables.shares.of(patient));
    file.end_line();
  }
  return file.commit();
}

}  // namespace

void check_tables_are_ours(const fs::path& folder) {
  check_is_ours(folder / "slides.csv", kSlideTitles);
  check_is_ours(folder / "regions.csv", kRegionTitles);
  check_is_ours(folder / "patients.csv", kPatientTitles);
}

std::vector<fs::path> write_tables(const fs::path& folder, const CohortTables& tables,
                                   const std::vector<io::StudyPatient>& patients) {
  const bool any_region = std::ranges::any_of(tables.rows, [](const io::StudyRow& row) {
    return row.summary.state == io::SlideState::done && !row.summary.regions.empty();
  });
  std::vector<fs::path> files = {write_slides(folder / "slides.csv", tables)};
  if (any_region)
    files.push_back(write_regions(folder / "regions.csv", tables));
  else
    fs::remove(folder / "regions.csv");
  files.push_back(write_patients(folder / "patients.csv", tables, patients));
  return files;
}

}  // namespace starpath::apps
