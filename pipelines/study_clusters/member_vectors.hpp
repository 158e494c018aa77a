// The nuclei of each slide, or of each patient, as one vector (hybrid-pipelines-2012, section II: "average feature
// vectors per image and per patient"). Pure.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/study/member_clusters.hpp"
#include "io/study/study_store.hpp"

namespace starpath {

/// A slide, or the slides of one patient.
struct MemberVector {
  std::string name;  ///< the slide's folder, or the patient; of a slide without a patient its folder
  std::int64_t slides = 0, nuclei = 0;
  std::vector<double> values;  ///< as MemberVectors::columns; NaN: not known
};

struct MemberVectors {
  std::vector<std::string> columns;
  std::vector<MemberVector> members;  ///< in the order of their first slides
};

/// The value of a whole image or patient: its accepted nuclei on its analysed area.
inline constexpr const char* kDensityColumn = "nuclei_per_mm2";

/// The slides of `rows` that are done and have nuclei: density, and the mean of each of `features` over all nuclei that
/// have a number for it. A patient's numbers are over all nuclei of its slides together, as in `starpath cohort`.
/// `left_out` gets a line for each done slide without nuclei.
MemberVectors member_vectors(const std::vector<io::StudyRow>& rows, io::MemberKind kind,
                             const std::vector<std::string>& features, std::vector<std::string>& left_out);

}  // namespace starpath
