// Labelled fields as training counts them, and the samples of a level made of them. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "pipelines/nbia/model.hpp"

namespace starpath {

/// The origin of a labelled field. Fields of one image look alike, and fields of one part of it still more.
struct FieldOrigin {
  std::string image;
  std::string part;  // of the image: an annotation; empty where there are none
};

struct TrainingSample {
  NbiaLabel label;  // stroma-rich or stroma-poor
  FieldOrigin origin;
  std::vector<NbiaCounts> counts;  // a level each
  std::vector<NbiaFeatures> features;
};

/// The level `number` of a model made of these samples: all stroma-rich ones first, else in their order. At least one.
NbiaLevel make_level(const std::vector<const TrainingSample*>& samples, std::size_t number, int side);

}  // namespace starpath
