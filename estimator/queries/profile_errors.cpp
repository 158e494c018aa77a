// Samples of a profile, cross-validated codelet by codelet.
#include "estimator/queries/profile_errors.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "estimator/queries/codelet_groups.hpp"
#include "estimator/validation.hpp"

namespace starpath {
namespace {

constexpr std::size_t kFolds = 10;

struct SampledCodelet {
  std::vector<std::string> classes;
  std::vector<Sample> samples;
  std::vector<unsigned> profiles;  // the place of each sample's profile

  unsigned number_of(const std::string& name) const {
    return static_cast<unsigned>(std::ranges::find(classes, name) - classes.begin());
  }
  /// For cross_validate: `apart`: each profile is estimated from the others.
  std::span<const unsigned> parts(bool apart) const {
    return apart ? std::span(profiles) : std::span<const unsigned>();
  }

  unsigned class_of(const std::string& name) {
    const unsigned id = number_of(name);
    if (id == classes.size()) classes.push_back(name);
    return id;
  }
  double seconds() const {
    double sum = 0;
    for (const Sample& sample : samples) sum += sample.seconds;
    return sum;
  }
  /// Number and seconds of the samples of a class.
  std::pair<std::size_t, double> of_class(unsigned id) const {
    std::pair<std::size_t, double> of_it;
    for (const Sample& sample : samples) {
      if (sample.device_class != id) continue;
      ++of_it.first;
      of_it.second += sample.seconds;
    }
    return of_it;
  }
};

using SampledCodelets = std::map<std::string, SampledCodelet>;

/// Of all codelets; `wanted` is among them unless it is empty.
SampledCodelets load_all(const std::vector<std::string>& profiles, const std::string& wanted) {
  SampledCodelets codelets;
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
  if (!wanted.empty() && !codelets.contains(wanted)) load_codelet(profiles.front(), wanted);  // says which there are
  return codelets;
}

double seconds_of(const SampledCodelets& codelets) {
  double sum = 0;
  for (const auto& [name, sampled] : codelets) sum += sampled.seconds();
  return sum;
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

CodeletErrors errors_of(const std::string& name, const SampledCodelet& codelet, std::size_t k,
                        const std::string& baseline, bool apart) {
  const ValidationSettings settings{.folds = kFolds, .k = k, .baseline = codelet.number_of(baseline)};
  const auto errors = cross_validate(codelet.samples, settings, codelet.parts(apart));
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
  const SampledCodelets codelets = load_all(profiles, codelet);
  const double seconds = seconds_of(codelets);
  std::vector<CodeletErrors> errors;
  for (std::size_t k = first_k; k <= last_k; ++k)
    for (const auto& [name, sampled] : codelets) {
      if (!codelet.empty() && name != codelet) continue;
      errors.push_back(errors_of(name, sampled, k, baseline, profiles.size() > 1));
      errors.back().share = sampled.seconds() / seconds;
    }
  return errors;
}

std::vector<LearnerErrors> errors_of_learners(const std::vector<std::string>& profiles, const std::string& codelet,
                                              const std::vector<ComparedLearner>& learners,
                                              const std::string& baseline) {
  const SampledCodelets codelets = load_all(profiles, codelet);
  const double all_seconds = seconds_of(codelets);
  std::vector<LearnerErrors> rows;
  for (const auto& [name, sampled] : codelets) {
    if (!codelet.empty() && name != codelet) continue;
    std::vector<ValidationErrors> errors;
    for (const ComparedLearner& learner : learners) {
      const ValidationSettings settings{
          .folds = kFolds, .baseline = sampled.number_of(baseline), .learner = learner.make};
      errors.push_back(cross_validate(sampled.samples, settings, sampled.parts(profiles.size() > 1)));
      errors.back().of_class.resize(sampled.classes.size());
    }
    for (unsigned id = 0; id < sampled.classes.size(); ++id) {
      const auto [samples, seconds] = sampled.of_class(id);
      for (std::size_t i = 0; i < learners.size(); ++i) {
        const MeanErrors& error = errors[i].of_class[id];
        rows.push_back({.codelet = name,
                        .device_class = sampled.classes[id],
                        .learner = learners[i].name,
                        .samples = samples,
                        .share = seconds / all_seconds,
                        .time = error.time,
                        .stated = error.stated,
                        .speedup = error.speedup});
      }
    }
  }
  return rows;
}

}  // namespace starpath
