// Which labels belong to which image.
#include "bench/quality/labelled_images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "bench/quality/annotations.hpp"
#include "io/slides/image_names.hpp"

namespace starpath::quality {
namespace {

namespace fs = std::filesystem;

nlohmann::json read_json(const fs::path& file) {
  std::ifstream in(file);
  nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
  if (json.is_discarded()) throw Error(ErrorKind::input, file.string() + ": is no JSON; give COCO or GeoJSON");
  return json;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::shared_ptr<const nlohmann::json> find_coco(const fs::path& folder) {
  for (const fs::path& file : files_of(folder)) {
    if (file.extension() != ".json") continue;
    auto json = std::make_shared<const nlohmann::json>(read_json(file));
    if (is_coco(*json)) return json;
  }
  return nullptr;
}

fs::path labels_of(const fs::path& folder, const fs::path& image) {
  const std::string name = image.stem().string();
  for (const char* extension : {".png", ".tif", ".tiff", ".geojson", ".json"})
    if (fs::exists(folder / "labels" / (name + extension))) return folder / "labels" / (name + extension);
  for (const char* extension : {".geojson", ".json"})
    if (fs::exists(image.parent_path() / (name + extension))) return image.parent_path() / (name + extension);
  return {};
}

fs::path vague_of(const fs::path& folder, const std::string& name) {
  for (const char* extension : {".png", ".tif", ".tiff"})
    if (fs::exists(folder / "vague" / (name + extension))) return folder / "vague" / (name + extension);
  return {};
}

void check_size(const LabelImage& labels, const fs::path& file, int width, int height) {
  if (labels.width() == width && labels.height() == height) return;
  throw Error(ErrorKind::input, fmt::format("{}: {}x{} labels for an image of {}x{} pixels", file.string(),
                                            labels.width(), labels.height(), width, height));
}

bool names_image(const nlohmann::json& coco, const std::string& file_name) {
  return std::ranges::any_of(coco.at("images"), [&](const nlohmann::json& image) {
    return fs::path(image.value("file_name", "")).filename() == file_name;
  });
}

LabelImage labels_in(const LabelledImage& image, int width, int height) {
  if (image.labels.empty()) return coco_labels(*image.coco, image.image.filename().string(), width, height);
  const std::string extension = image.labels.extension().string();
  if (extension != ".geojson" && extension != ".json") return read_label_image(image.labels);
  const nlohmann::json json = read_json(image.labels);
  if (is_coco(json)) return coco_labels(json, image.image.filename().string(), width, height);
  if (!is_geojson(json))
    throw Error(ErrorKind::input, image.labels.string() + ": is neither GeoJSON nor COCO; see --help");
  return geojson_labels(json, width, height);
}

}  // namespace

std::vector<LabelledImage> find_labelled_images(const fs::path& folder,
                                                const std::function<bool(const std::string&)>& wanted,
                                                const std::function<void(const std::string&)>& note) {
  if (!fs::is_directory(folder)) throw Error(ErrorKind::input, folder.string() + ": no such folder; see --help");
  const auto coco = find_coco(folder);
  std::vector<LabelledImage> images;
  for (const fs::path& file : files_of(fs::is_directory(folder / "images") ? folder / "images" : folder)) {
    const std::string name = file.stem().string();
    if (!io::is_slide_name(file) || !wanted(name)) continue;
    const fs::path labels = labels_of(folder, file);
    if (labels.empty() && (!coco || !names_image(*coco, file.filename().string())))
      note(fmt::format("{}: no labels, left out", file.string()));
    else
      images.push_back({name, file, labels, labels.empty() ? coco : nullptr, vague_of(folder, name)});
  }
  if (images.empty()) throw Error(ErrorKind::input, folder.string() + ": holds no image with labels; see --help");
  return images;
}

LabelImage read_labels(const LabelledImage& image, int width, int height) {
  LabelImage labels = labels_in(image, width, height);
  check_size(labels, image.labels, width, height);
  return labels;
}

LabelImage read_vague(const LabelledImage& image, int width, int height) {
  LabelImage vague = read_mask(image.vague);
  check_size(vague, image.vague, width, height);
  return vague;
}

}  // namespace starpath::quality
