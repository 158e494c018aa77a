// Kinds of ASCII characters. The locale changes nothing. Pure.
#pragma once

namespace starpath {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace starpath
