// Writes .npy files, for tests.
#pragma once
#include <cstdint>
#include <fstream>
#include <string>
#include <type_traits>
#include <vector>

namespace starpath::support {

/// A file of version 1.0 of the format with this literal, padded as NumPy does, and these bytes behind it.
inline std::string npy_bytes(const std::string& literal, const std::string& bytes) {
  std::string header = literal;
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  const auto size = static_cast<unsigned>(header.size());
  return std::string("\x93NUMPY\x01", 7) + '\0' + static_cast<char>(size & 255) + static_cast<char>(size >> 8) +
         header + bytes;
}

inline std::string npy_literal(const std::string& descr, const std::vector<std::int64_t>& shape) {
  std::string sides;
  for (const std::int64_t side : shape) sides += std::to_string(side) + ", ";
  return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + sides + "), }";
}

template <class Number>
std::string npy_descr() {
  const std::string kind = std::is_floating_point_v<Number> ? "f" : std::is_signed_v<Number> ? "i" : "u";
  return (sizeof(Number) == 1 ? "|" : "<") + kind + std::to_string(sizeof(Number));
}

template <class Number>
void write_npy(const std::string& path, const std::vector<std::int64_t>& shape, const std::vector<Number>& numbers) {
  const std::string bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
  std::ofstream(path, std::ios::binary) << npy_bytes(npy_literal(npy_descr<Number>(), shape), bytes);
}

}  // namespace starpath::support
