// The data of a comparison's page.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace starpath::test {

/// The JSON that the page's script reads, found as a browser finds it: up to the first end of a script element.
inline nlohmann::json page_data(const std::string& page) {
  const std::string begin = R"(<script type="application/json" id="data">)";
  const std::size_t from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script", from) - from));
}

}  // namespace starpath::test
