// What a browser makes of a page.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/apps/command.hpp"

namespace starpath::test {

/// Whether there is a browser. Where STARPATH_NEEDS_BROWSER is set, it is a failure if there is none.
inline bool has_browser() {
  static const bool there = shell("command -v chromium || command -v google-chrome").code == 0;
  if (!there && std::getenv("STARPATH_NEEDS_BROWSER") != nullptr) ADD_FAILURE() << "no chromium here";
  return there;
}

/// The page as HTML after its script has run, with the messages of its console. Only where there is a browser.
inline std::string drawn(const std::string& page) {
  const TemporaryFolder folder;
  std::ofstream(folder / "page.html") << page;
  const auto browser = shell(
      "browser=$(command -v chromium || command -v google-chrome); \"$browser\" --headless --no-sandbox "
      "--disable-gpu --enable-logging=stderr --user-data-dir=" +
      folder / "profile" + " --dump-dom file://" + folder / "page.html 2>" + folder / "log" + "; grep CONSOLE " +
      folder / "log");
  EXPECT_NE(browser.output, "") << "the browser printed no page";
  return browser.output;
}

/// How many pixels a page is wider than a window of this width. Only where there is a browser.
inline int sideways_scroll(const std::string& page, int window) {
  const TemporaryFolder folder;
  std::ofstream(folder / "page.html") << page;
  // A window of the browser's own is never narrower than 500 pixels; a frame is.
  std::ofstream(folder / "frame.html")
      << "<!DOCTYPE html><iframe src=\"page.html\" width=\"" << window << "\" height=\"800\"></iframe>"
      << "<script>document.querySelector('iframe').onload = (event) => {"
         "const root = event.target.contentDocument.documentElement;"
         "document.body.append(`WIDER ${root.scrollWidth - root.clientWidth} END`); };</script>";
  const auto browser = shell(
      "browser=$(command -v chromium || command -v google-chrome); \"$browser\" --headless --no-sandbox "
      "--disable-gpu --allow-file-access-from-files --virtual-time-budget=10000 --user-data-dir=" +
      folder / "profile" + " --dump-dom file://" + folder / "frame.html 2>/dev/null");
  const std::string mark = "</script>WIDER ";
  const std::size_t at = browser.output.find(mark);
  EXPECT_NE(at, std::string::npos) << browser.output;
  return at == std::string::npos ? -1 : std::stoi(browser.output.substr(at + mark.size()));
}

}  // namespace starpath::test
