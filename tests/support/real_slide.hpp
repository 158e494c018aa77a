// The real slide that some tests use where it is there.
#pragma once
#include <cstdlib>
#include <string>

namespace starpath::support {

/// In the folder STARPATH_DATA names, else in ../shared/data beside the source tree.
inline std::string real_slide() {
  const char* data = std::getenv("STARPATH_DATA");
  return (data != nullptr ? std::string(data) : std::string(STARPATH_SOURCE_DIR "/../shared/data")) +
         "/openslide_cmu1/CMU-1-Small-Region.svs";
}

}  // namespace starpath::support
