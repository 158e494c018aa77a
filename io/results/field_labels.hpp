// What the fields of a run can be: the pipeline's data, to which `io` gives no meaning.
#pragma once
#include <span>
#include <string_view>

#include "codelets/kernels/image.hpp"

namespace starpath::io {

struct FieldLabel {
  std::string_view name;   // in results.sqlite and in tables
  std::string_view title;  // in QuPath
  Rgb colour;              // in pictures
};

/// The first one is that of fields without tissue: nobody votes on them, and overlays leave them untinted.
using FieldLabels = std::span<const FieldLabel>;

/// Of fields whose label is not to be believed, whatever it is: in QuPath and in pictures.
inline constexpr FieldLabel kOutOfRange{"out_of_range", "Out of range", {204, 121, 167}};

}  // namespace starpath::io
