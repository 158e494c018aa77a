// The numbers of Zarr arrays. What reads them needs a hundred libraries, so that it is one of its own, which a program
// loads when it is given a Zarr folder.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace starpath::io {

/// An axis of an array: its length, and that of a chunk along it; both at least 1.
struct ZarrAxis {
  std::int64_t length, chunk;
};

/// An open array of real numbers. For one thread at a time; several arrays, of one folder too, may be read at once.
class ZarrReader {
 public:
  virtual ~ZarrReader() = default;
  const std::vector<ZarrAxis>& axes() const { return axes_; }

  /// A part of the array: to[sum of i[k] * stride[k]] = the number at first + i, for i[k] in [0, count[k]), k over all
  /// axes. The part lies in the array. Decodes the chunks that it meets, and keeps the last one. A chunk that is not
  /// there holds the fill value. Throws std::runtime_error: why it cannot be read.
  virtual void read(const std::uint64_t* first, const std::size_t* count, const std::ptrdiff_t* stride, double* to) = 0;

 protected:
  explicit ZarrReader(std::vector<ZarrAxis> axes) : axes_(std::move(axes)) {}
  const std::vector<ZarrAxis> axes_;
};

/// Opens the array of this folder; the caller owns it. Throws std::runtime_error: why it cannot be read. Thread-safe.
using OpenZarr = ZarrReader*(const std::string& folder);

/// The library, and its function of the type OpenZarr. A change to this header changes the number in its name.
inline constexpr const char* kZarrLibrary = "libstarpath_zarr.so";
inline constexpr const char* kOpenZarrSymbol = "starpath_open_zarr_1";

/// Which library reads Zarr from now on: its path, or "" for none, as at first. Not while arrays are open.
void read_zarr_by(const std::string& library);

/// By that library. Throws Error{input} without a library, Error{runtime} when it cannot be loaded, and as it does.
std::unique_ptr<ZarrReader> open_zarr(const std::string& folder);

}  // namespace starpath::io
