// Features over all nuclei of a patient.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "apps/study/slide_summary.hpp"
#include "io/study/cohort.hpp"
#include "io/study/study_store.hpp"

namespace starpath::apps {

/// Names of features that a study's slides have, of those that `wanted` stands for (ExportOptions::features): the
/// basic ones first, in their order. Throws Error{usage} for another name.
std::vector<std::string> study_features(const std::vector<io::StudyRow>& rows, const std::vector<std::string>& wanted);

/// Fills in mean and quartiles of these features. What a patient of one slide has stands in study.sqlite; results of
/// several slides are read together, as often as needed to hold no more than `memory` bytes of numbers, but at least
/// one feature. `on_patient` hears whose are read. Throws Error{input} for a slide whose results are gone or have
/// changed.
void summarise_patients(const std::filesystem::path& study, const std::vector<io::StudyRow>& rows,
                        const std::vector<std::string>& features, std::vector<io::StudyPatient>& patients,
                        const std::function<void(const std::string& name)>& on_patient,
                        std::size_t memory = kSummaryMemory);

}  // namespace starpath::apps
