// Rows of slides, by patient.
#include "apps/cohort/patients.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"

namespace starpath::apps {
namespace {

constexpr std::string_view kGroupOfList = "group";

void check_column(const std::vector<io::StudyRow>& rows, const std::string& column) {
  std::set<std::string> columns = {std::string(kGroupOfList)};
  for (const io::StudyRow& row : rows)
    for (const auto& [name, value] : row.slide.labels) columns.insert(name);
  if (columns.contains(column)) return;
  throw Error(ErrorKind::usage, fmt::format("--group {}: the list of slides had no such column; it had {}", column,
                                            fmt::join(columns, ", ")));
}

/// By patient; slides without one have a name of their own.
class Names {
 public:
  explicit Names(const std::vector<io::StudyRow>& rows) {
    for (const io::StudyRow& row : rows) patients_.insert(row.slide.patient);
  }
  std::string of(const io::StudySlide& slide) const {
    if (!slide.patient.empty()) return slide.patient;
    return patients_.contains(slide.folder) ? slide.folder + " (slide)" : slide.folder;
  }

 private:
  std::set<std::string> patients_;
};

void add_slide(const io::StudyRow& row, io::StudyPatient& patient) {
  const bool first = patient.slides.empty();
  patient.slides.push_back(row.number);
  patient.nuclei += row.summary.nuclei.value_or(0);
  if (first)
    patient.analysed_mm2 = row.summary.analysed_mm2;
  else if (patient.analysed_mm2 && row.summary.analysed_mm2)
    *patient.analysed_mm2 += *row.summary.analysed_mm2;
  else
    patient.analysed_mm2.reset();
}

void note_lost(const std::vector<io::StudyRow>& rows, const Names& names,
               const std::map<std::string, std::size_t>& place, std::vector<std::string>& notes) {
  std::set<std::string> told;
  for (const io::StudyRow& row : rows)
    if (!row.slide.patient.empty() && !place.contains(names.of(row.slide)) && told.insert(row.slide.patient).second)
      notes.push_back(fmt::format("patient {} has no slide that is done, and is left out", row.slide.patient));
}

/// Adds the counts of a patient's slides to its own.
template <class Count, class Add>
void count_by_patient(const std::vector<Count>& counts, std::vector<io::StudyPatient>& patients, const Add& add) {
  std::map<std::int64_t, std::size_t> patient_of;
  for (std::size_t i = 0; i < patients.size(); ++i)
    for (const std::int64_t slide : patients[i].slides) patient_of[slide] = i;
  for (const Count& count : counts)
    if (const auto found = patient_of.find(count.slide); found != patient_of.end() && count.region == 0)
      add(patients[found->second], count);
}

struct Words {
  const char *one, *several, *command;
};

/// Takes the counts away from patients whose nuclei are not all counted, and says so.
template <class Count, class Nuclei>
void keep_complete(std::vector<Count> io::StudyPatient::*counts, const Nuclei& nuclei_of, const Words& words,
                   std::vector<io::StudyPatient>& patients, std::vector<std::string>& notes) {
  for (io::StudyPatient& patient : patients) {
    std::int64_t sum = 0;
    for (const Count& count : patient.*counts) sum += nuclei_of(count);
    if (sum == patient.nuclei) continue;
    (patient.*counts).clear();
    notes.push_back(fmt::format("{} has nuclei without a {}, and so no shares of {}: run `starpath {}` again",
                                patient.name, words.one, words.several, words.command));
  }
}

void count_clusters(const io::StudyClusters& clusters, std::vector<io::StudyPatient>& patients,
                    std::vector<std::string>& notes) {
  if (clusters.clusters.empty()) return;
  for (io::StudyPatient& patient : patients) patient.cluster_nuclei.resize(clusters.clusters.size());
  count_by_patient(clusters.counts, patients, [](io::StudyPatient& patient, const io::ClusterCount& count) {
    patient.cluster_nuclei.at(static_cast<std::size_t>(count.cluster - 1)) += count.nuclei;
  });
  keep_complete(
      &io::StudyPatient::cluster_nuclei, [](std::int64_t nuclei) { return nuclei; }, {"cluster", "clusters", "cluster"},
      patients, notes);
}

void count_classes(const io::StudyClasses& classes, std::vector<io::StudyPatient>& patients,
                   std::vector<std::string>& notes) {
  if (classes.classes.empty()) return;
  for (io::StudyPatient& patient : patients) patient.class_nuclei.resize(classes.classes.size());
  count_by_patient(classes.counts, patients, [](io::StudyPatient& patient, const io::ClassCount& count) {
    io::ClassNuclei& own = patient.class_nuclei.at(static_cast<std::size_t>(count.number - 1));
    own.nuclei += count.nuclei;
    own.out_of_range += count.out_of_range;
  });
  keep_complete(
      &io::StudyPatient::class_nuclei, [](const io::ClassNuclei& each) { return each.nuclei; },
      {"class", "classes", "classify run"}, patients, notes);
}

}  // namespace

std::string label_of(const io::StudySlide& slide, std::string_view column) {
  if (column == kGroupOfList) return slide.group;
  for (const auto& [name, value] : slide.labels)
    if (name == column) return value;
  return "";
}

std::vector<io::StudyPatient> patients_of(const std::vector<io::StudyRow>& rows, const io::StudyClusters& clusters,
                                          const io::StudyClasses& classes, const std::string& group_column,
                                          std::vector<std::string>& notes) {
  check_column(rows, group_column);
  const Names names(rows);
  std::vector<io::StudyPatient> patients;
  std::map<std::string, std::size_t> place;  // by name
  std::vector<std::set<std::string>> groups;
  for (const io::StudyRow& row : rows) {
    if (row.summary.state != io::SlideState::done) {
      notes.push_back(fmt::format("{} is {}, and left out", row.slide.folder, io::name_of(row.summary.state)));
      continue;
    }
    const auto [found, is_new] = place.insert({names.of(row.slide), patients.size()});
    if (is_new) {
      patients.emplace_back();
      patients.back().name = found->first;
      groups.emplace_back();
    }
    add_slide(row, patients[found->second]);
    groups[found->second].insert(label_of(row.slide, group_column));
  }
  note_lost(rows, names, place, notes);
  for (std::size_t i = 0; i < patients.size(); ++i) {
    if (groups[i].size() == 1) patients[i].group = *groups[i].begin();
    if (groups[i].size() > 1)
      notes.push_back(fmt::format("patient {} has slides of several groups, and so none", patients[i].name));
  }
  count_clusters(clusters, patients, notes);
  count_classes(classes, patients, notes);
  return patients;
}

}  // namespace starpath::apps
