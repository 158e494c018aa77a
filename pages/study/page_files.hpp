// The files of pages/study/page/, which the build makes part of the program.
#pragma once
#include "base/html_page.hpp"

namespace starpath::pages {

extern const PageFiles kStudyPage;

}  // namespace starpath::pages
