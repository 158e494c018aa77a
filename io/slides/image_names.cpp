// Endings of images and slides.
#include "io/slides/image_names.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/lower_case.hpp"

namespace starpath::io {
namespace {

constexpr std::array<std::string_view, 5> kImageEndings = {".png", ".tif", ".tiff", ".jpg", ".jpeg"};
constexpr std::array<std::string_view, 8> kSlideEndings = {".svs",     ".ndpi", ".mrxs", ".scn",
                                                           ".svslide", ".bif",  ".vms",  ".vmu"};

bool ends_with_one(const std::filesystem::path& file, const auto& endings) {
  return std::ranges::find(endings, lower_case(file.extension().string())) != endings.end();
}

}  // namespace

bool is_image_name(const std::filesystem::path& file) { return ends_with_one(file, kImageEndings); }

bool is_slide_name(const std::filesystem::path& file) {
  return is_image_name(file) || ends_with_one(file, kSlideEndings);
}

}  // namespace starpath::io
