// Names in either Unicode form.
#include "io/slides/named_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/temporary_folder.hpp"

namespace starpath::io {
namespace {

const std::string kOne = "M\u00fcller \ud55c", kApart = "Mu\u0308ller \u1112\u1161\u11ab";

TEST(NamedFile, FormsAreOne) {
  EXPECT_EQ(composed(kApart), kOne);
  EXPECT_EQ(composed(kOne), kOne);
  EXPECT_EQ(composed("M\xfcller"), "M\xfcller") << "no UTF-8";
}

TEST(NamedFile, IsFoundInEitherForm) {
  for (const auto& [on_disk, named] : {std::pair(kOne, kApart), std::pair(kApart, kOne)}) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / on_disk);
    std::ofstream(folder.path() / on_disk / (on_disk + ".svs")) << "x";
    EXPECT_EQ(file_of_either_form(folder.path() / named / (named + ".svs")),
              folder.path() / on_disk / (on_disk + ".svs"));
    EXPECT_EQ(file_of_either_form(folder.path() / named / "none.svs").filename(), "none.svs");
  }
  const TemporaryFolder both;
  for (const std::string& name : {kOne, kApart}) std::ofstream(both.path() / name) << "x";
  EXPECT_EQ(file_of_either_form(both.path() / kApart), both.path() / kApart) << "what is there by its own name";
  EXPECT_EQ(file_of_either_form(""), "");
  EXPECT_EQ(file_of_either_form("/nonexistent/a"), "/nonexistent/a");
}

}  // namespace
}  // namespace starpath::io
