// The files of pages/preview/page/, which the build makes part of the program.
#pragma once
#include "base/html_page.hpp"

namespace starpath::pages {

extern const PageFiles kPreviewPage;

}  // namespace starpath::pages
