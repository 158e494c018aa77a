// Which slide a file is of, by its name. Pure.
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "pipelines/classification/classified_slides.hpp"

namespace starpath {

/// The names that a file of a slide may have: that of the folder of its results, of the slide's file, or of that
/// without its ending.
class SlideNames {
 public:
  explicit SlideNames(const std::vector<ClassifiedSlide>& slides) {
    for (std::size_t i = 0; i < slides.size(); ++i) {
      folders_[slides[i].folder].push_back(i);
      files_[slides[i].slide].push_back(i);
      stems_[std::filesystem::path(slides[i].slide).stem().string()].push_back(i);
    }
  }

  /// The places of the slides with this name, ascending: by the first of those kinds that any slide has.
  std::vector<std::size_t> places_of(const std::string& name) const {
    for (const Places* places : {&folders_, &files_, &stems_})
      if (const auto found = places->find(name); found != places->end()) return found->second;
    return {};
  }

 private:
  using Places = std::map<std::string, std::vector<std::size_t>>;
  Places folders_, files_, stems_;
};

}  // namespace starpath
