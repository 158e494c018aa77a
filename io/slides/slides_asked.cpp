#include "io/slides/slides_asked.hpp"

#include <filesystem>

#include "io/slides/slide_folder.hpp"

namespace starpath::io {

bool SlidesAsked::is_one() const {
  if (!list.empty() || inputs.size() != 1) return false;
  std::error_code ignored;
  return !std::filesystem::is_directory(inputs[0], ignored) || is_folder_of_one_slide(inputs[0]) ||
         slides_in(inputs[0]).empty();
}

}  // namespace starpath::io
