// Means, deviations and z-scores of labelled fields.
#include "pipelines/nbia/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "pipelines/nbia/classify_field.hpp"

namespace starpath {

NbiaTrainer::NbiaTrainer(std::vector<int> sides) : sides_(std::move(sides)) { check_levels(sides_); }

bool NbiaTrainer::add(NbiaLabel label, RgbView field) {
  Sample sample{label, {}};
  for (const int side : sides_) {
    const NbiaCounts counts = count_level(scratch_, field, side);
    if (nbia_background(counts)) return false;
    sample.features.push_back(nbia_features(counts));
  }
  samples_.push_back(std::move(sample));
  return true;
}

int NbiaTrainer::count(NbiaLabel label) const {
  return static_cast<int>(
      std::count_if(samples_.begin(), samples_.end(), [&](const Sample& sample) { return sample.label == label; }));
}

NbiaLevel NbiaTrainer::level(std::size_t number) const {
  const auto total = static_cast<double>(samples_.size());
  NbiaLevel level;
  level.side = sides_[number];
  for (std::size_t f = 0; f < kNbiaFeatureCount; ++f) {
    double sum = 0, squares = 0;
    for (const Sample& sample : samples_) sum += sample.features[number][f];
    const double mean = sum / total;
    for (const Sample& sample : samples_) {
      const double distance = sample.features[number][f] - mean;
      squares += distance * distance;
    }
    level.mean.push_back(mean);
    level.deviation.push_back(std::sqrt(squares / total));
  }
  level.z.resize(kNbiaFeatureCount * samples_.size());
  for (const NbiaLabel label : {NbiaLabel::stroma_rich, NbiaLabel::stroma_poor})
    for (const Sample& sample : samples_) {
      if (sample.label != label) continue;
      for (std::size_t f = 0; f < kNbiaFeatureCount; ++f)
        level.z[f * samples_.size() + level.labels.size()] =
            nbia_z(sample.features[number][f], level.mean[f], level.deviation[f]);
      level.labels.push_back(label);
    }
  return level;
}

NbiaModel NbiaTrainer::model(const std::string& origin, double mpp) const {
  for (const NbiaLabel label : {NbiaLabel::stroma_rich, NbiaLabel::stroma_poor})
    if (count(label) < kNbiaNeighbours)
      throw Error(
          ErrorKind::input,
          fmt::format("{}: has {} fields of {} px labelled {} that are not glass, and at least {} are needed; add "
                      "labelled tissue",
                      origin, count(label), sides_.back(), label_name(label), kNbiaNeighbours));
  NbiaModel model{origin, mpp, {}};
  for (std::size_t number = 0; number < sides_.size(); ++number) model.levels.push_back(level(number));
  return model;
}

}  // namespace starpath
