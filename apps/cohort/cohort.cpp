// Patients, values, branches, files.
#include "apps/cohort/cohort.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/cohort/heat_map.hpp"
#include "apps/cohort/nucleus_shares.hpp"
#include "apps/cohort/patient_features.hpp"
#include "apps/cohort/patient_values.hpp"
#include "apps/cohort/patients.hpp"
#include "apps/cohort/tables.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

nlohmann::json about(const CohortArguments& arguments, const std::vector<std::string>& features,
                     const CohortOutcome& outcome) {
  nlohmann::json values = nlohmann::json::array(), choices = nlohmann::json::array();
  for (const StandardValue& value : outcome.branches.values)
    values.push_back({{"value", value.name}, {"mean", value.mean}, {"deviation", value.deviation}});
  for (const BranchChoice& choice : outcome.branches.choices)
    choices.push_back({{"k", choice.k}, {"silhouette", choice.silhouette}});
  return {{"linkage", arguments.linkage == Linkage::ward ? "ward" : "average"},
          {"k", outcome.branches.count},
          {"auto", arguments.k == 0},
          {"silhouettes", choices},
          {"features", features},
          {"values", values},
          {"group", arguments.group},
          {"permutations", arguments.permutations},
          {"seed", arguments.seed},
          {"group_table", to_json(outcome.groups)},
          {"notes", outcome.notes}};
}

/// Numbers of the patients that have nuclei.
std::vector<std::size_t> with_nuclei(const std::vector<io::StudyPatient>& patients, std::vector<std::string>& notes) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < patients.size(); ++i) {
    if (patients[i].nuclei > 0)
      chosen.push_back(i);
    else
      notes.push_back(fmt::format("{} has no nuclei, and is left out of the tree", patients[i].name));
  }
  return chosen;
}

void put_branches(const std::vector<std::size_t>& chosen, const Branches& branches, io::Cohort& cohort) {
  if (branches.count == 0) return;
  std::vector<std::int64_t> node(chosen.size());
  for (std::size_t place = 0; place < branches.order.size(); ++place) {
    const std::size_t number = branches.order[place];
    node[number] = static_cast<std::int64_t>(place) + 1;
    io::StudyPatient& patient = cohort.patients[chosen[number]];
    patient.place = node[number];
    patient.branch = branches.of_patient[number] + 1;
  }
  const auto number_of = [&](std::size_t which) {
    return which < node.size() ? node[which] : static_cast<std::int64_t>(which) + 1;
  };
  for (const Merge& merge : branches.tree)
    cohort.tree.push_back({number_of(merge.first), number_of(merge.second), merge.height});
}

void write_heat_map(const fs::path& path, const std::vector<std::size_t>& chosen, CohortOutcome& outcome) {
  if (outcome.branches.count == 0) {
    fs::remove(path);
    return;
  }
  std::vector<io::StudyPatient> in_tree;
  for (const std::size_t number : chosen) in_tree.push_back(outcome.cohort.patients[number]);
  AtomicFile file(path);
  file.write(heat_map_svg(in_tree, outcome.branches));
  file.commit();
  outcome.files.push_back(path);
}

}  // namespace

CohortOutcome make_cohort(const CohortArguments& arguments, const std::function<void(const std::string&)>& on_phase) {
  io::StudyStore study = io::StudyStore::change(arguments.study / "study.sqlite");
  const fs::path heat_map = arguments.study / "heatmap.svg";
  check_tables_are_ours(arguments.study);
  check_heat_map_is_ours(heat_map);
  const std::vector<io::StudyRow> rows = study.rows();
  const io::StudyClusters clusters = study.clusters();
  const io::StudyClasses classes = study.classes();
  const NucleusShares shares(clusters, classes);
  const std::vector<std::string> features = study_features(rows, arguments.features);
  CohortOutcome outcome;
  std::vector<io::StudyPatient>& patients = outcome.cohort.patients;
  patients = patients_of(rows, clusters, classes, arguments.group, outcome.notes);
  if (patients.empty())
    throw Error(ErrorKind::input,
                fmt::format("{}: none of its slides is done; run segment with --resume", arguments.study.string()));
  summarise_patients(arguments.study, rows, features, patients,
                     [&](const std::string& name) { on_phase("reading the nuclei of " + name); });
  for (const io::StudyPatient& patient : patients) {
    outcome.slides += std::ssize(patient.slides);
    outcome.nuclei += patient.nuclei;
  }
  const std::vector<std::size_t> chosen = with_nuclei(patients, outcome.notes);
  std::vector<io::StudyPatient> in_tree;
  for (const std::size_t number : chosen) in_tree.push_back(patients[number]);
  const std::vector<PatientValue> values = values_of(
      in_tree, features, shares, arguments.values.empty() ? usual_values(features, shares) : arguments.values);
  outcome.branches = find_branches(values, in_tree.size(), arguments.linkage, arguments.k, outcome.notes);
  put_branches(chosen, outcome.branches, outcome.cohort);
  outcome.groups = group_table(patients, outcome.branches.count, arguments.permutations, arguments.seed);
  study.forget_cohort();  // a kill from here on leaves none, not one beside the files of another
  outcome.files = write_tables(arguments.study, {rows, shares, features, arguments.group}, patients);
  write_heat_map(heat_map, chosen, outcome);
  outcome.cohort.about =
      about(arguments, features, outcome).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  study.put_cohort(outcome.cohort);
  return outcome;
}

}  // namespace starpath::apps
