// Samples of a profile, cross-validated codelet by codelet.
#include "estimator/queries/profile_errors.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "estimator/queries/codelet_groups.hpp"
#include "estimator/validation.hpp"

namespace starpath {
namespace {

struct SampledCodelet {
  std::vector<std::string> classes;
  std::vector<Sample> samples;
  std::vector<unsigned> profiles;  // the place of each sample's profile

  unsigned class_of(const std::string& name) {
    const auto found = std::ranges::find(classes, name);
    const auto id = static_cast<unsigned>(found - classes.begin());
    if (found == classes.end()) classes.push_back(name);
    return id;
  }
  double seconds() const {
    double sum = 0;
    for (const Sample& sample : samples) sum += sample.seconds;
    return sum;
  }
};

std::map<std::string, SampledCodelet> load_all(const std::vector<std::string>& profiles) {
  std::map<std::string, SampledCodelet> codelets;
  for (unsigned place = 0; place < profiles.size(); ++place) {
    for (const ProfileGroup& group : open_profile(profiles[place], ProfileStore::Open::existing).load()) {
      SampledCodelet& codelet = codelets[group.codelet];
      const unsigned id = codelet.class_of(group.device_class);
      for (const SampleSet::Entry& entry : group.samples) {
        codelet.samples.push_back({.features = entry.features, .device_class = id, .seconds = entry.seconds});
        codelet.profiles.push_back(place);
      }
    }
  }
  return codelets;
}

/// The error of the time on one class, from samples of that class alone.
std::optional<double> time_error_on(const SampledCodelet& codelet, const ValidationSettings& settings, bool apart) {
  std::vector<Sample> samples;
  std::vector<unsigned> profiles;
  for (std::size_t i = 0; i < codelet.samples.size(); ++i) {
    if (codelet.samples[i].device_class != settings.baseline) continue;
    samples.push_back(codelet.samples[i]);
    if (apart) profiles.push_back(codelet.profiles[i]);
  }
  return cross_validate(samples, settings, profiles).time;
}

/// `apart`: each profile is estimated from the others.
CodeletErrors errors_of(const std::string& name, const SampledCodelet& codelet, std::size_t k,
                        const std::string& baseline, bool apart) {
  const auto found = std::ranges::find(codelet.classes, baseline);
  const ValidationSettings settings{
      .folds = 10, .k = k, .baseline = static_cast<unsigned>(found - codelet.classes.begin())};
  const auto errors =
      cross_validate(codelet.samples, settings, apart ? std::span(codelet.profiles) : std::span<const unsigned>());
  return {.codelet = name,
          .k = k,
          .classes = codelet.classes,
          .samples = codelet.samples.size(),
          .share = 0,
          .speedup = errors.speedup,
          .time = errors.time,
          .baseline_time = time_error_on(codelet, settings, apart)};
}

}  // namespace

std::vector<CodeletErrors> errors_of_profiles(const std::vector<std::string>& profiles, const std::string& codelet,
                                              std::size_t first_k, std::size_t last_k, const std::string& baseline) {
  const auto codelets = load_all(profiles);
  if (!codelet.empty() && !codelets.contains(codelet))
    load_codelet(profiles.front(), codelet);  // says which codelets there are
  double seconds = 0;
  for (const auto& [name, sampled] : codelets) seconds += sampled.seconds();
  std::vector<CodeletErrors> errors;
  for (std::size_t k = first_k; k <= last_k; ++k)
    for (const auto& [name, sampled] : codelets) {
      if (!codelet.empty() && name != codelet) continue;
      errors.push_back(errors_of(name, sampled, k, baseline, profiles.size() > 1));
      errors.back().share = sampled.seconds() / seconds;
    }
  return errors;
}

}  // namespace starpath
