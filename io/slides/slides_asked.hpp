// The slides of a run as the user names them.
#pragma once
#include <string>
#include <vector>

namespace starpath::io {

struct SlidesAsked {
  std::vector<std::string> inputs;  ///< slides, and folders of slides
  std::string list;                 ///< a file that lists them; empty: none

  /// Whether they are one slide, which is what a folder without anything in it is taken for too.
  bool is_one() const;
};

}  // namespace starpath::io
