// The names of field labels in files, and their colours in pictures.
#pragma once
#include <array>

#include "codelets/kernels/nbia_classify.hpp"
#include "io/results/field_labels.hpp"

namespace starpath {

/// By the number of the NbiaLabel: green stroma-rich, orange stroma-poor, gray background.
inline constexpr std::array<io::FieldLabel, 3> kNbiaFieldLabels = {
    {{label_name(NbiaLabel::background), "Background", {225, 225, 225}},
     {label_name(NbiaLabel::stroma_rich), "Stroma-rich", {0, 158, 115}},
     {label_name(NbiaLabel::stroma_poor), "Stroma-poor", {213, 94, 0}}}};

}  // namespace starpath
