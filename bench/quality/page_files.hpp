// The files of bench/quality/page/, which the build makes part of the program.
#pragma once
#include "base/html_page.hpp"

namespace starpath::quality {

extern const PageFiles kQualityPage;

}  // namespace starpath::quality
