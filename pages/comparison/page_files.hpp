// The files of pages/comparison/page/, which the build makes part of the program.
#pragma once
#include "base/html_page.hpp"

namespace starpath::pages {

extern const PageFiles kComparisonPage;

}  // namespace starpath::pages
