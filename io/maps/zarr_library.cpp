// The library that reads Zarr, loaded for the first array.
#include <dlfcn.h>
#include <fmt/format.h>

#include <mutex>
#include <stdexcept>

#include "base/error.hpp"
#include "base/foreign_library.hpp"
#include "io/maps/zarr_reader.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

std::mutex choice;
std::string library_path;
OpenZarr* opener = nullptr;

OpenZarr* load_opener(const std::string& path) {
  void* const library = load_library(path);
  void* const found = library == nullptr ? nullptr : dlsym(library, kOpenZarrSymbol);
  if (found == nullptr)
    throw Error(ErrorKind::runtime, fmt::format("the library that reads Zarr cannot be loaded ({}); install "
                                                "the libraries of the package libgdal-dev, or install Starpath again",
                                                dlerror()));
  return reinterpret_cast<OpenZarr*>(found);
}

}  // namespace

void read_zarr_by(const std::string& library) {
  const std::lock_guard lock(choice);
  library_path = library;
  opener = nullptr;
}

std::unique_ptr<ZarrReader> open_zarr(const std::string& folder) {
  OpenZarr* open = nullptr;
  {
    const std::lock_guard lock(choice);
    if (library_path.empty())
      fail_input(folder, "is Zarr, and this Starpath was built without GDAL, which reads it",
                 "install libgdal-dev and build Starpath again, or save the array as .npy (docs/instances.md)");
    if (opener == nullptr) opener = load_opener(library_path);
    open = opener;
  }
  try {
    return std::unique_ptr<ZarrReader>(open(folder));
  } catch (const std::runtime_error& error) {
    fail_input(folder, std::string("cannot be read: ") + error.what(),
               "write it as Zarr version 2, with Blosc, Zlib or Zstd, or save it as .npy");
  }
}

}  // namespace starpath::io
