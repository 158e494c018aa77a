// The numbers that a file of maps holds, and their values.
#pragma once
#include <cstddef>
#include <cstdint>

namespace starpath::io {

enum class NumberType : std::uint8_t { boolean, u8, u16, u32, u64, i8, i16, i32, i64, f16, f32, f64 };

/// Of one number.
std::size_t bytes_of(NumberType type);
/// As NumPy calls it, for people: "uint8".
const char* name_of(NumberType type);
inline bool is_whole(NumberType type) { return type < NumberType::f16; }

/// to[i] = the number at from + i * step, for i in [0, count). `from` has this machine's byte order (little-endian
/// files are read on little-endian machines) and any alignment. Whole numbers beyond 2^53 are rounded.
void take_numbers(const std::byte* from, NumberType type, std::size_t step, std::size_t count, double* to);

}  // namespace starpath::io
