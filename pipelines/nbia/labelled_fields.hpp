// Fields whose label is known: folders of images by label, or a synthetic slide that knows what it painted.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "pipelines/nbia/training_samples.hpp"

namespace starpath {

struct LabelledField {
  NbiaLabel label;
  FieldOrigin origin;
  RgbView pixels;  // valid during the visit only
};

struct LabelledSource {
  std::string input;     // a folder, or synthetic:WxH,pattern=stroma
  int field = 512;       // side, pixels of
  double mpp = 0.5;      // this resolution
  double image_mpp = 0;  // of the images; 0 to take their own, or their pixels as they are
};

/// Visits every whole field. In a folder: the images in its subfolders stroma_rich, stroma_poor and background (any of
/// them may be missing), in the order of their names, each cut from its top left corner. Fields that a damaged piece of
/// an image reaches are left out. Returns a line for people on each image with such fields. Throws Error{input} naming
/// the file when an image cannot be read at all, is smaller than a field or has no colours, or when no subfolder is
/// there, and Error{usage} for a synthetic slide without labels.
std::vector<std::string> visit_labelled_fields(const LabelledSource& source,
                                               const std::function<void(const LabelledField&)>& visit);

}  // namespace starpath
