// From the nuclei of several slides to one row.
#include "apps/cohort/patient_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "io/exports/measurements.hpp"
#include "io/results/result_store.hpp"
#include "statistics/quartiles.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

/// The results of a patient's slides, opened one after the other.
class PatientNuclei {
 public:
  PatientNuclei(const fs::path& study, const std::vector<const io::StudyRow*>& slides) : slides_(slides) {
    for (const io::StudyRow* slide : slides) {
      files_.push_back(study / slide->slide.folder / "results.sqlite");
      if (!fs::exists(files_.back()))
        throw Error(ErrorKind::input,
                    fmt::format("{}: is not there, and the study counts it as done; bring it back, or run segment with "
                                "--resume",
                                files_.back().string()));
    }
  }

  /// Of each name the finite numbers.
  std::vector<std::vector<double>> columns(const std::vector<std::string>& names) const {
    std::vector<std::vector<double>> columns(names.size());
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const io::ResultStore store = io::ResultStore::open(files_[i]);
      if (store.nucleus_count() != slides_[i]->summary.nuclei)
        throw Error(ErrorKind::input, fmt::format("{}: has other nuclei than the study says; run segment with --resume",
                                                  files_[i].string()));
      store.for_each_nucleus_with(names, [&](std::int64_t, const io::NucleusRecord& nucleus) {
        for (std::size_t c = 0; c < columns.size(); ++c)
          if (std::isfinite(nucleus.features[c])) columns[c].push_back(nucleus.features[c]);
      });
    }
    return columns;
  }

 private:
  std::vector<const io::StudyRow*> slides_;
  std::vector<fs::path> files_;
};

std::vector<io::FeatureSummary> read_together(const PatientNuclei& nuclei, std::int64_t count,
                                              const std::vector<std::string>& features, std::size_t memory) {
  const std::size_t at_once =
      std::max<std::size_t>(1, memory / std::max<std::size_t>(1, static_cast<std::size_t>(count) * sizeof(double)));
  std::vector<io::FeatureSummary> summaries;
  for (std::size_t begin = 0; begin < features.size(); begin += at_once) {
    const std::size_t end = std::min(features.size(), begin + at_once);
    const std::vector<std::string> names(features.begin() + static_cast<std::ptrdiff_t>(begin),
                                         features.begin() + static_cast<std::ptrdiff_t>(end));
    auto columns = nuclei.columns(names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Quartiles found = quartiles(columns[i]);
      summaries.push_back({names[i], found.count, found.mean, found.q1, found.median, found.q3});
    }
  }
  return summaries;
}

std::vector<io::FeatureSummary> chosen_of(const io::StudyRow& row, const std::vector<std::string>& features) {
  std::vector<io::FeatureSummary> chosen;
  for (const std::string& feature : features) {
    const auto found = std::ranges::find(row.summary.features, feature, &io::FeatureSummary::feature);
    const double none = std::nan("");
    chosen.push_back(found == row.summary.features.end() ? io::FeatureSummary{feature, 0, none, none, none, none}
                                                         : *found);
  }
  return chosen;
}

}  // namespace

std::vector<std::string> study_features(const std::vector<io::StudyRow>& rows, const std::vector<std::string>& wanted) {
  io::RunInfo info{};
  for (const io::StudyRow& row : rows) {
    if (row.summary.state != io::SlideState::done || row.summary.features.empty()) continue;
    for (const io::FeatureSummary& each : row.summary.features) info.feature_names.push_back(each.feature);
    break;
  }
  std::vector<std::string> names = io::measurements_of(info, wanted).features;
  std::ranges::stable_sort(names, {}, [](const std::string& name) {
    return std::ranges::find(io::kBasicFeatures, name) - io::kBasicFeatures.begin();
  });
  return names;
}

void summarise_patients(const fs::path& study, const std::vector<io::StudyRow>& rows,
                        const std::vector<std::string>& features, std::vector<io::StudyPatient>& patients,
                        const std::function<void(const std::string& name)>& on_patient, std::size_t memory) {
  std::map<std::int64_t, const io::StudyRow*> slides;
  for (const io::StudyRow& row : rows) slides[row.number] = &row;
  for (io::StudyPatient& patient : patients) {
    if (patient.slides.size() == 1) {
      patient.features = chosen_of(*slides.at(patient.slides[0]), features);
      continue;
    }
    on_patient(patient.name);
    std::vector<const io::StudyRow*> own;
    for (const std::int64_t slide : patient.slides) own.push_back(slides.at(slide));
    patient.features = read_together(PatientNuclei(study, own), patient.nuclei, features, memory);
  }
}

}  // namespace starpath::apps
