// From bytes to numbers.
#include "io/maps/number_type.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace starpath::io {
namespace {

/// IEEE 754, 16 bits: a sign, 5 bits of exponent, 10 of mantissa.
double half_value(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  double value = 0;
  if (exponent == 31)
    value = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(mantissa, -24);
  else
    value = std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

template <class Number, class Value>
void take(const std::byte* from, std::size_t step, std::size_t count, double* to, Value value) {
  for (std::size_t i = 0; i < count; ++i, from += step) {
    Number number;
    std::memcpy(&number, from, sizeof number);
    to[i] = value(number);
  }
}

template <class Number>
void take(const std::byte* from, std::size_t step, std::size_t count, double* to) {
  take<Number>(from, step, count, to, [](Number number) { return static_cast<double>(number); });
}

}  // namespace

std::size_t bytes_of(NumberType type) {
  constexpr std::array<std::uint8_t, 12> bytes = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
  return bytes[static_cast<std::size_t>(type)];
}

const char* name_of(NumberType type) {
  constexpr std::array names = {"bool",  "uint8", "uint16", "uint32",  "uint64",  "int8",
                                "int16", "int32", "int64",  "float16", "float32", "float64"};
  return names[static_cast<std::size_t>(type)];
}

void take_numbers(const std::byte* from, NumberType type, std::size_t step, std::size_t count, double* to) {
  using enum NumberType;
  switch (type) {
    case boolean:
      return take<std::uint8_t>(from, step, count, to, [](std::uint8_t number) { return number != 0 ? 1.0 : 0.0; });
    case u8:
      return take<std::uint8_t>(from, step, count, to);
    case u16:
      return take<std::uint16_t>(from, step, count, to);
    case u32:
      return take<std::uint32_t>(from, step, count, to);
    case u64:
      return take<std::uint64_t>(from, step, count, to);
    case i8:
      return take<std::int8_t>(from, step, count, to);
    case i16:
      return take<std::int16_t>(from, step, count, to);
    case i32:
      return take<std::int32_t>(from, step, count, to);
    case i64:
      return take<std::int64_t>(from, step, count, to);
    case f16:
      return take<std::uint16_t>(from, step, count, to, half_value);
    case f32:
      return take<float>(from, step, count, to);
    case f64:
      return take<double>(from, step, count, to);
  }
}

}  // namespace starpath::io
