// Means, deviations and z-scores of labelled fields.
#include "pipelines/nbia/training_samples.hpp"

#include <cmath>

namespace starpath {

NbiaLevel make_level(const std::vector<const TrainingSample*>& samples, std::size_t number, int side) {
  const auto total = static_cast<double>(samples.size());
  NbiaLevel level;
  level.side = side;
  for (std::size_t f = 0; f < kNbiaFeatureCount; ++f) {
    double sum = 0, squares = 0;
    for (const TrainingSample* sample : samples) sum += sample->features[number][f];
    const double mean = sum / total;
    for (const TrainingSample* sample : samples) {
      const double distance = sample->features[number][f] - mean;
      squares += distance * distance;
    }
    level.mean.push_back(mean);
    level.deviation.push_back(std::sqrt(squares / total));
  }
  level.z.resize(kNbiaFeatureCount * samples.size());
  for (const NbiaLabel label : {NbiaLabel::stroma_rich, NbiaLabel::stroma_poor})
    for (const TrainingSample* sample : samples) {
      if (sample->label != label) continue;
      for (std::size_t f = 0; f < kNbiaFeatureCount; ++f)
        level.z[f * samples.size() + level.labels.size()] =
            nbia_z(sample->features[number][f], level.mean[f], level.deviation[f]);
      level.labels.push_back(label);
    }
  return level;
}

}  // namespace starpath
