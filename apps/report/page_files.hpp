// The files of apps/report/page/, which the build makes part of the program.
#pragma once
#include "base/html_page.hpp"

namespace starpath::apps {

extern const PageFiles kStudyPage;

}  // namespace starpath::apps
