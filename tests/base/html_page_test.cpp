// Pages in one file.
#include "base/html_page.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace starpath {
namespace {

constexpr const char* kHtml =
    R"(<link rel="stylesheet" href="p.css"><script type="application/json" id="data"></script><script src="p.js"></script>)";

TEST(HtmlPage, HoldsStyleScriptAndData) {
  EXPECT_EQ(inline_page({kHtml, "b {}\n", "go();\n"}, "p", R"({"a":"</script>"})"),
            "<style>\nb {}\n</style><script type=\"application/json\" id=\"data\">{\"a\":\"\\u003c/script>\"}</script>"
            "<script>\ngo();\n</script>");
}

TEST(HtmlPage, MustHoldTheMarks) {
  EXPECT_THROW(inline_page({"<p>", "", ""}, "p", "{}"), std::logic_error);
  EXPECT_THROW(inline_page({kHtml, "", ""}, "q", "{}"), std::logic_error);
}

}  // namespace
}  // namespace starpath
