// How results.sqlite keeps an outline: x and y of every vertex, 32-bit little-endian.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "io/outlines/contour.hpp"

namespace starpath::io {

/// Replaces what `bytes` held; 8 bytes a vertex.
void encode_contour(const Contour& contour, std::vector<std::byte>& bytes);

/// Replaces what `contour` held. Inverse of encode_contour.
void decode_contour(std::span<const std::byte> bytes, Contour& contour);

}  // namespace starpath::io
