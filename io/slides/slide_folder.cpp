// Listing slides by their names.
#include "io/slides/slide_folder.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "base/lower_case.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

// Those of OpenSlide that stand for a slide each (a DICOM slide is several .dcm), and of images.
constexpr std::array<std::string_view, 13> kEndings = {".svs", ".ndpi", ".mrxs", ".scn", ".svslide", ".bif", ".vms",
                                                       ".vmu", ".tif",  ".tiff", ".png", ".jpg",     ".jpeg"};

bool has_slide_ending(const fs::path& path) {
  const std::string ending = lower_case(path.extension().string());
  return std::ranges::find(kEndings, ending) != kEndings.end();
}

}  // namespace

std::vector<std::string> slides_in(const std::string& folder) {
  std::vector<std::string> slides;
  std::error_code failure, ignored;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    const fs::path& path = entry->path();
    if (path.filename().string()[0] == '.') continue;
    if (entry->is_directory(ignored) ? is_folder_of_tiles(path.string()) : has_slide_ending(path))
      slides.push_back(path.string());
  }
  if (failure) fail_input(folder, "cannot be listed: " + failure.message(), "check its permissions");
  std::ranges::sort(slides);
  return slides;
}

}  // namespace starpath::io
