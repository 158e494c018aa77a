// A page for browsers in one file: its style, its script and its data inlined.
#pragma once
#include <string>
#include <string_view>

namespace starpath {

/// The files that a page is made of. They outlive it: the build makes them part of programs.
struct PageFiles {
  const char* html;
  const char* css;
  const char* js;
};

/// `files.html` with three things replaced: the link to "NAME.css" by the style, the source of the script "NAME.js" by
/// the script, and the empty element with the id "data" filled with `json`. The page must hold each of them once. Every
/// "<" of the JSON must be in a string: it is escaped there, so that no name ends the element. Throws std::logic_error
/// for a page that lacks a mark. Pure.
std::string inline_page(const PageFiles& files, std::string_view name, const std::string& json);

}  // namespace starpath
