// Writes Zarr arrays of version 2, for tests.
#pragma once
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/npy_file.hpp"

namespace starpath::support {

struct ZarrOptions {
  bool zlib = false, by_columns = false, big_endian = false;
  std::string separator = ".", fill = "0";
  std::vector<std::string> left_out = {};  // chunks that are not written, by their names
};

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string zarr_list(const std::vector<std::int64_t>& numbers) {
  std::string list = "[";
  for (const std::int64_t number : numbers) list += (list.size() > 1 ? ", " : "") + std::to_string(number);
  return list + "]";
}

/// `dtype` as "<i4". What .zarray holds.
inline std::string zarr_metadata(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& chunk,
                                 const std::string& dtype, const ZarrOptions& options = {}) {
  return R"({"zarr_format": 2, "shape": )" + zarr_list(shape) + R"(, "chunks": )" + zarr_list(chunk) +
         R"(, "dtype": ")" + dtype + R"(", "compressor": )" +
         (options.zlib ? R"({"id": "zlib", "level": 1})" : "null") + R"(, "filters": null, "fill_value": )" +
         options.fill + R"(, "order": ")" + (options.by_columns ? "F" : "C") + R"(", "dimension_separator": ")" +
         options.separator + R"("})";
}

/// The indices before `size`, one after the other; the last axis runs fastest. False behind the last one.
inline bool next_index(std::vector<std::int64_t>& index, const std::vector<std::int64_t>& size) {
  for (std::size_t axis = size.size(); axis-- > 0;) {
    if (++index[axis] < size[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

/// An array whose numbers lie as in a .npy file. Chunks that pass over an edge are filled with 99.
template <class Number>
void write_zarr(const std::filesystem::path& path, const std::vector<std::int64_t>& shape,
                const std::vector<std::int64_t>& chunk, const std::vector<Number>& numbers,
                const ZarrOptions& options = {}) {
  const std::size_t axes = shape.size();
  std::string dtype = npy_descr<Number>();
  if (options.big_endian) dtype[0] = '>';
  write_bytes(path / ".zarray", zarr_metadata(shape, chunk, dtype, options));
  std::vector<std::int64_t> chunks(axes), at(axes, 0);
  std::int64_t size = 1;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    chunks[axis] = (shape[axis] + chunk[axis] - 1) / chunk[axis];
    size *= chunk[axis];
  }
  do {
    std::string name;
    for (std::size_t axis = 0; axis < axes; ++axis)
      name += (axis > 0 ? options.separator : "") + std::to_string(at[axis]);
    if (std::ranges::find(options.left_out, name) != options.left_out.end()) continue;
    std::string bytes(static_cast<std::size_t>(size) * sizeof(Number), '\0');
    std::vector<std::int64_t> inside(axes, 0);
    do {
      std::int64_t from = 0, to = 0;
      bool is_in_array = true;
      for (std::size_t axis = 0; axis < axes; ++axis) {
        const std::int64_t place = at[axis] * chunk[axis] + inside[axis];
        const std::size_t stored = options.by_columns ? axes - 1 - axis : axis;
        is_in_array = is_in_array && place < shape[axis];
        from = from * shape[axis] + place;
        to = to * chunk[stored] + inside[stored];
      }
      Number number = is_in_array ? numbers[static_cast<std::size_t>(from)] : static_cast<Number>(99);
      char* const stored = bytes.data() + static_cast<std::size_t>(to) * sizeof(Number);
      std::memcpy(stored, &number, sizeof number);
      if (options.big_endian) std::reverse(stored, stored + sizeof number);
    } while (next_index(inside, chunk));
    if (options.zlib) {
      uLongf packed = compressBound(static_cast<uLong>(bytes.size()));
      std::string out(packed, '\0');
      compress(reinterpret_cast<Bytef*>(out.data()), &packed, reinterpret_cast<const Bytef*>(bytes.data()),
               static_cast<uLong>(bytes.size()));
      bytes = out.substr(0, packed);
    }
    write_bytes(path / name, bytes);
  } while (next_index(at, chunks));
}

}  // namespace starpath::support
