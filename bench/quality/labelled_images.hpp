// A folder of images with instance labels, found by a stated rule.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/quality/label_image.hpp"

namespace starpath::quality {

/// The rule, for --help.
inline constexpr const char* kLabelRule =
    R"(Images are FOLDER/images/*, or those in FOLDER itself where there is no such folder: PNG, TIFF, JPEG or slides. The labels
of NAME.EXT are the first of these that exists:
  FOLDER/labels/NAME.png, .tif or .tiff      one channel of 8, 16 or 32 bits: 0 background, one number an object
  FOLDER/labels/NAME.geojson or .json        GeoJSON polygons in pixels of the image
  NAME.geojson or NAME.json beside the image the same
  the one *.json in FOLDER                   COCO: polygons or run lengths, images by file_name
An image without labels is left out, and said. FOLDER/vague/NAME.png, .tif or .tiff is a mask of regions where nobody
can tell what is a nucleus; --vague uses it.)";

struct LabelledImage {
  std::string name;  // of the file, without folder and extension
  std::filesystem::path image;
  std::filesystem::path labels;                // empty: from coco
  std::shared_ptr<const nlohmann::json> coco;  // of the folder
  std::filesystem::path vague;                 // a mask; empty: there is none
};

/// Those whose name `wanted` takes, by name. Throws Error{input} when there is none, or JSON cannot be read. `note`
/// gets one line for each image without labels.
std::vector<LabelledImage> find_labelled_images(const std::filesystem::path& folder,
                                                const std::function<bool(const std::string&)>& wanted,
                                                const std::function<void(const std::string&)>& note);

/// The labels of an image of width x height pixels. Throws Error{input} when they are of another size, or cannot be
/// read.
LabelImage read_labels(const LabelledImage& image, int width, int height);

/// The vague regions of an image of width x height pixels, which has a mask. Throws as read_labels.
LabelImage read_vague(const LabelledImage& image, int width, int height);

}  // namespace starpath::quality
