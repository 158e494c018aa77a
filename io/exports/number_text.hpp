// Numbers as exports in text write them.
#pragma once
#include <string>

namespace starpath::io {

/// Appends a finite measurement: with `digits` significant digits (1..17); with 0, the shortest text that reads back
/// as the same single-precision number.
void append_measure(std::string& text, double value, int digits);

/// Appends a place in pixels or micrometres, rounded to thousandths: "12.5". Its magnitude is below 2^53 / 1000.
void append_place(std::string& text, double value);

}  // namespace starpath::io
