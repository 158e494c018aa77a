// Which format a file of maps has.
#include "io/maps/map_file.hpp"

#include <filesystem>

#include "base/input_files.hpp"
#include "base/lower_case.hpp"
#include "io/maps/zarr_folder.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

std::string ending_of(const std::string& path) { return lower_case(std::filesystem::path(path).extension().string()); }

}  // namespace

bool is_map_name(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".npy" || ending == ".tif" || ending == ".tiff";
}

std::unique_ptr<MapFile> open_map_file(const std::string& path) {
  if (is_zarr(path)) return open_zarr_map(path);
  if (!is_map_name(path))
    fail_input(path, "is no file of maps: its name ends neither with .npy nor with .tif, and it is no Zarr folder",
               "convert it; docs/instances.md says how");
  note_input(path);
  return ending_of(path) == ".npy" ? open_npy_map(path) : open_tiff_map(path);
}

}  // namespace starpath::io
