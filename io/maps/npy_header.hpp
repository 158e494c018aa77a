// The header of a file that numpy.save wrote. Pure. Source: NumPy Enhancement Proposal 1, "A Simple File Format for
// NumPy Arrays", and numpy.lib.format, versions 1.0 to 3.0 of the format.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/maps/number_type.hpp"

namespace starpath::io {

struct NpyHeader {
  NumberType type;
  bool by_columns;                  // "fortran_order"
  std::vector<std::int64_t> shape;  // each at least 1
  std::int64_t numbers = 1;         // the product of the shape
  std::size_t begin = 0;            // of the numbers in the file, bytes
};

/// No header of an array of numbers is longer than this, in bytes.
inline constexpr std::size_t kMostNpyHeader = 4096;

/// `head`: the first bytes of the file, kMostNpyHeader of them or all that there are. `file_bytes`: of the whole file;
/// it must hold all numbers. Throws Error{input}, one line that begins with `name`: no such file, a damaged header,
/// numbers that are not read (records, texts, complex and big-endian numbers), an array without numbers or with more
/// than the file holds.
NpyHeader parse_npy_header(std::string_view head, std::uint64_t file_bytes, const std::string& name);

}  // namespace starpath::io
