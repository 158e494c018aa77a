// Sums over slides, merged as spreads of features are.
#include "pipelines/study_clusters/member_vectors.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include "pipelines/study_clusters/study_nuclei.hpp"

namespace starpath {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Member {
  MemberVector vector;
  double analysed_mm2 = 0;  // NaN once that of one slide is not known
  std::vector<FeatureSpread> means;
};

void add(const io::SlideSummary& slide, const std::vector<std::string>& features, Member& member) {
  ++member.vector.slides;
  member.vector.nuclei += slide.nuclei.value_or(0);
  member.analysed_mm2 += slide.analysed_mm2.value_or(kUnknown);
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto found = std::ranges::find(slide.features, features[i], &io::FeatureSummary::feature);
    if (found != slide.features.end()) member.means[i].merge({{}, found->nuclei, found->mean, 0});
  }
}

MemberVector vector_of(Member member) {
  const double area = member.analysed_mm2;
  member.vector.values = {area > 0 ? static_cast<double>(member.vector.nuclei) / area : kUnknown};
  for (const FeatureSpread& mean : member.means) member.vector.values.push_back(mean.count > 0 ? mean.mean : kUnknown);
  return std::move(member.vector);
}

}  // namespace

MemberVectors member_vectors(const std::vector<io::StudyRow>& rows, io::MemberKind kind,
                             const std::vector<std::string>& features, std::vector<std::string>& left_out) {
  MemberVectors vectors{{kDensityColumn}, {}};
  for (const std::string& feature : features) vectors.columns.push_back(feature + "_mean");
  std::vector<Member> members;
  std::map<std::string, std::size_t> known;  // patients, by their places
  for (const auto& [number, slide, summary] : rows) {
    if (summary.state != io::SlideState::done) continue;
    if (summary.nuclei.value_or(0) == 0) {
      left_out.push_back(slide.folder + " has no nuclei, and is left out");
      continue;
    }
    const bool of_patient = kind == io::MemberKind::patients && !slide.patient.empty();
    const auto found = of_patient ? known.find(slide.patient) : known.end();
    if (found != known.end()) {
      add(summary, features, members[found->second]);
      continue;
    }
    if (of_patient) known[slide.patient] = members.size();
    members.push_back(
        {{of_patient ? slide.patient : slide.folder, 0, 0, {}}, 0, std::vector<FeatureSpread>(features.size())});
    add(summary, features, members.back());
  }
  for (Member& member : members) vectors.members.push_back(vector_of(std::move(member)));
  return vectors;
}

}  // namespace starpath
