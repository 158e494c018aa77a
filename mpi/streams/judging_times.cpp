// Times of judging, estimated and kept.
#include "mpi/streams/judging_times.hpp"

#include <limits>
#include <utility>

namespace starpath::mpi {

std::optional<Features> JudgingTimes::features_of(const TileFacts& facts) const {
  Features features;
  for (const Fact fact : traits_.facts) {
    const auto value = facts.known(fact);
    if (!value || !features.add_numeric(*value)) return std::nullopt;
  }
  return features;
}

JudgingTimes::JudgingTimes(JudgingTraits traits, std::vector<std::string> classes, const JudgingProfile& profile,
                           ProfileUse::Report report)
    : traits_(std::move(traits)),
      classes_(std::move(classes)),
      estimator_({.k = profile.nearest}),
      codelet_(estimator_.codelet(traits_.name)) {
  if (profile.file.empty()) return;
  profile_.emplace(profile.file, profile.learns, std::move(report), profile.of_machine);
  std::vector<std::string> names;
  for (const Fact fact : traits_.facts) names.emplace_back(name_of(fact));
  teach(estimator_, profile_->meet(traits_.name, std::move(names), {}), classes_);
}

std::vector<double> JudgingTimes::of(const TileFacts& facts) const {
  std::vector<double> seconds(classes_.size(), std::numeric_limits<double>::quiet_NaN());
  const auto features = features_of(facts);
  if (!features) return seconds;
  for (unsigned id = 0; id < seconds.size(); ++id)
    seconds[id] = estimator_.seconds(codelet_, id, *features).value_or(seconds[id]);
  return seconds;
}

void JudgingTimes::learn(const TileFacts& facts, std::size_t device_class, double seconds) {
  const auto features = features_of(facts);
  if (!features || !estimator_.learn(codelet_, {*features, static_cast<unsigned>(device_class), seconds})) return;
  if (profile_) profile_->collect(traits_.name, classes_[device_class], *features, seconds);
}

void JudgingTimes::save() {
  if (profile_) profile_->save();
}

}  // namespace starpath::mpi
