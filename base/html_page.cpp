// Marks in a page and what stands in their places.
#include "base/html_page.hpp"

#include <stdexcept>

namespace starpath {
namespace {

void replace_once(std::string& page, const std::string& mark, const std::string& text) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw std::logic_error("the page has no " + mark);
  page.replace(at, mark.size(), text);
}

std::string escaped(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) c == '<' ? text += "\\u003c" : text += c;
  return text;
}

}  // namespace

std::string inline_page(const PageFiles& files, std::string_view name, const std::string& json) {
  std::string page = files.html;
  replace_once(page, "<link rel=\"stylesheet\" href=\"" + std::string(name) + ".css\">",
               "<style>\n" + std::string(files.css) + "</style>");
  replace_once(page, "id=\"data\">", "id=\"data\">" + escaped(json));
  replace_once(page, "<script src=\"" + std::string(name) + ".js\">", "<script>\n" + std::string(files.js));
  return page;
}

}  // namespace starpath
