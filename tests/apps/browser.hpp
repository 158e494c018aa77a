// What a browser makes of a page.
#pragma once
#include <fstream>
#include <optional>
#include <string>

#include "tests/apps/command.hpp"

namespace starpath::test {

/// The page as HTML after its script has run, with the messages of its console; "" where there is no browser.
inline std::string drawn(const std::string& page) {
  const TemporaryFolder folder;
  std::ofstream(folder / "page.html") << page;
  const auto browser = shell(
      "browser=$(command -v chromium || command -v google-chrome) || exit 0; \"$browser\" --headless --no-sandbox "
      "--disable-gpu --enable-logging=stderr --user-data-dir=" +
      folder / "profile" + " --dump-dom file://" + folder / "page.html 2>" + folder / "log" + "; grep CONSOLE " +
      folder / "log");
  return browser.output;
}

/// How many pixels a page is wider than a window of this width; nothing where there is no browser.
inline std::optional<int> sideways_scroll(const std::string& page, int window) {
  const TemporaryFolder folder;
  std::ofstream(folder / "page.html") << page;
  // A window of the browser's own is never narrower than 500 pixels; a frame is.
  std::ofstream(folder / "frame.html")
      << "<!DOCTYPE html><iframe src=\"page.html\" width=\"" << window << "\" height=\"800\"></iframe>"
      << "<script>document.querySelector('iframe').onload = (event) => {"
         "const root = event.target.contentDocument.documentElement;"
         "document.body.append(`WIDER ${root.scrollWidth - root.clientWidth} END`); };</script>";
  const auto browser = shell(
      "browser=$(command -v chromium || command -v google-chrome) || exit 0; \"$browser\" --headless --no-sandbox "
      "--disable-gpu --allow-file-access-from-files --virtual-time-budget=10000 --user-data-dir=" +
      folder / "profile" + " --dump-dom file://" + folder / "frame.html 2>/dev/null");
  if (browser.output.empty()) return std::nullopt;
  const std::string mark = "</script>WIDER ";
  const std::size_t at = browser.output.find(mark);
  EXPECT_NE(at, std::string::npos) << browser.output;
  return at == std::string::npos ? -1 : std::stoi(browser.output.substr(at + mark.size()));
}

}  // namespace starpath::test
