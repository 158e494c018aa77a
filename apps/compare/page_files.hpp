// The files of apps/compare/page/, which the build makes part of the program.
#pragma once
namespace starpath::apps {

extern const char* const kPageHtml;
extern const char* const kPageCss;
extern const char* const kPageJs;

}  // namespace starpath::apps
