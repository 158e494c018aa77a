// Collects fields and learns from them.
#include "pipelines/nbia/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "pipelines/nbia/classify_field.hpp"
#include "pipelines/nbia/cross_validation.hpp"

namespace starpath {
namespace {

/// The decision of the levels in use on sample `i`, as in a run.
NbiaLabel decided(const NbiaModel& model, const CrossValidation& held_out, std::size_t i) {
  for (std::size_t number = 0;; ++number) {
    const NbiaVote& vote = held_out.votes[number][i];
    const bool last = number + 1 == model.levels.size();
    if (last || (model.levels[number].used && is_accepted(vote))) return vote.label;
  }
}

}  // namespace

NbiaTrainer::NbiaTrainer(std::vector<int> sides) : sides_(std::move(sides)) { check_levels(sides_); }

bool NbiaTrainer::add(NbiaLabel label, RgbView field, FieldOrigin origin) {
  TrainingSample sample{label, std::move(origin), {}, {}};
  for (const int side : sides_) {
    sample.counts.push_back(count_level(scratch_, field, side));
    if (nbia_background(sample.counts.back())) return false;
    sample.features.push_back(nbia_features(sample.counts.back()));
  }
  samples_.push_back(std::move(sample));
  fields_.insert(field_digest(field));
  return true;
}

int NbiaTrainer::count(NbiaLabel label) const {
  return static_cast<int>(
      std::count_if(samples_.begin(), samples_.end(), [&](const auto& sample) { return sample.label == label; }));
}

TrainedModel NbiaTrainer::train(const std::string& origin, double mpp) const {
  for (const NbiaLabel label : {NbiaLabel::stroma_rich, NbiaLabel::stroma_poor})
    if (count(label) < kNbiaNeighbours)
      throw Error(
          ErrorKind::input,
          fmt::format("{}: has {} of at least {} fields of {} px that are labelled {} and are not glass; add labelled "
                      "tissue, or give smaller --levels",
                      origin, count(label), kNbiaNeighbours, sides_.back(), label_name(label)));
  std::vector<const TrainingSample*> all;
  for (const TrainingSample& sample : samples_) all.push_back(&sample);
  const CrossValidation held_out = cross_validate(samples_, sides_);
  TrainedModel trained{{origin, mpp, {}, held_out.by, {fields_.begin(), fields_.end()}}, {}};
  for (std::size_t number = 0; number < sides_.size(); ++number) {
    NbiaLevel& level = trained.model.levels.emplace_back(make_level(all, number, sides_[number]));
    level.range = nbia_range(held_out.votes[number]);
    level.validation = validate_level(samples_, held_out.votes[number], held_out.votes.back());
    level.used = number + 1 == sides_.size() || is_supported(*level.validation);
  }
  for (std::size_t i = 0; i < samples_.size(); ++i)
    ++trained.confusion[samples_[i].label][decided(trained.model, held_out, i)];
  return trained;
}

}  // namespace starpath
