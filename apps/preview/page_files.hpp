// The files of apps/preview/page/, which the build makes part of the program.
#pragma once
#include "base/html_page.hpp"

namespace starpath::apps {

extern const PageFiles kPreviewPage;

}  // namespace starpath::apps
