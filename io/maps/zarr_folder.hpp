// Folders in the format Zarr, version 2 or 3: which array is meant, and what its metadata say. Source: the
// specifications "Zarr storage specification version 2", "Zarr core specification version 3", and of OME-Zarr the
// versions 0.4 and 0.5 (multiscales).
#pragma once
#include <cstdint>
#include <string>

#include "io/maps/number_type.hpp"
#include "io/slides/fingerprint.hpp"

namespace starpath::io {

/// Whether the path names a Zarr folder: by what lies in it, or by its ending .zarr.
bool is_zarr(const std::string& path);

struct ZarrArray {
  std::string folder;
  NumberType type;
};

/// The array of this folder: its own, the one of at least two axes in the group that it is, or the finest level of an
/// image of OME-Zarr. Throws Error{input}: a folder without metadata, damaged metadata, numbers that are not read, and
/// a group of no or several arrays, which it lists.
ZarrArray find_zarr_array(const std::string& path);

/// Adds names and sizes of the array's chunks, the first and last bytes of each, and its metadata. Returns how many
/// chunks are there. Throws Error{input} when one cannot be read.
std::int64_t add_zarr(Digest& digest, const std::string& folder);

}  // namespace starpath::io
