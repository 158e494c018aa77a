// Listing slides by their names.
#include "io/slides/slide_folder.hpp"

#include <algorithm>
#include <filesystem>

#include "io/slides/image_names.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {

namespace fs = std::filesystem;

std::vector<std::string> slides_in(const std::string& folder) {
  std::vector<std::string> slides;
  std::error_code failure, ignored;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    const fs::path& path = entry->path();
    if (path.filename().string()[0] == '.') continue;
    if (entry->is_directory(ignored) ? is_folder_of_tiles(path.string()) : is_slide_name(path))
      slides.push_back(path.string());
  }
  if (failure) fail_input(folder, "cannot be listed: " + failure.message(), "check its permissions");
  std::ranges::sort(slides);
  return slides;
}

}  // namespace starpath::io
