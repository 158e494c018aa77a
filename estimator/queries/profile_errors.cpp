// Samples of a profile, cross-validated codelet by codelet.
#include "estimator/queries/profile_errors.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "estimator/queries/codelet_groups.hpp"
#include "estimator/validation.hpp"

namespace starpath {
namespace {

struct SampledCodelet {
  std::vector<std::string> classes;
  std::vector<Sample> samples;
};

std::map<std::string, SampledCodelet> load_all(const std::string& profile) {
  std::map<std::string, SampledCodelet> codelets;
  for (const ProfileGroup& group : open_profile(profile, ProfileStore::Open::existing).load()) {
    SampledCodelet& codelet = codelets[group.codelet];
    const auto id = static_cast<unsigned>(codelet.classes.size());
    codelet.classes.push_back(group.device_class);
    for (const SampleSet::Entry& entry : group.samples)
      codelet.samples.push_back({.features = entry.features, .device_class = id, .seconds = entry.seconds});
  }
  return codelets;
}

CodeletErrors errors_of(const std::string& name, const SampledCodelet& codelet, std::size_t k,
                        const std::string& baseline) {
  const auto found = std::ranges::find(codelet.classes, baseline);
  const ValidationSettings settings{
      .folds = 10, .k = k, .baseline = static_cast<unsigned>(found - codelet.classes.begin())};
  const auto errors = cross_validate(codelet.samples, settings);
  std::vector<Sample> of_baseline;
  std::ranges::copy_if(codelet.samples, std::back_inserter(of_baseline),
                       [&](const Sample& sample) { return sample.device_class == settings.baseline; });
  return {name,
          k,
          codelet.classes,
          codelet.samples.size(),
          errors.speedup,
          errors.time,
          cross_validate(of_baseline, settings).time};
}

}  // namespace

std::vector<CodeletErrors> errors_of_profile(const std::string& profile, const std::string& codelet,
                                             std::size_t first_k, std::size_t last_k, const std::string& baseline) {
  const auto codelets = load_all(profile);
  if (!codelet.empty() && !codelets.contains(codelet)) load_codelet(profile, codelet);  // says which codelets there are
  std::vector<CodeletErrors> errors;
  for (std::size_t k = first_k; k <= last_k; ++k)
    for (const auto& [name, sampled] : codelets)
      if (codelet.empty() || name == codelet) errors.push_back(errors_of(name, sampled, k, baseline));
  return errors;
}

}  // namespace starpath
