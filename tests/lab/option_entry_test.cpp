#include "lab/option_entry.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace starpath::lab {
namespace {

OptionEntry entry(std::string_view text) { return {"--set", "NAME=NUMBER", text}; }

TEST(OptionEntry, HasANameAndNumbers) {
  EXPECT_EQ(entry("tiles=1e3").name(), "tiles");
  EXPECT_EQ(entry("tiles=1e3").number(), 1000);
  EXPECT_EQ(entry("node=3").count(), 3U);
  EXPECT_EQ(entry("node=9").counts(), std::vector<unsigned>{9});
  EXPECT_EQ(entry("node=9,0,2").counts(), (std::vector<unsigned>{9, 0, 2}));
}

TEST(OptionEntry, SaysWhatWasExpected) {
  const auto expect = [](const auto& read) {
    try {
      read();
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_TRUE(std::string(error.what()).ends_with(": expected NAME=NUMBER")) << error.what();
    }
  };
  expect([] { entry("tiles"); });
  for (const char* text : {"tiles=", "tiles=x", "tiles=1x", "tiles= 1", "tiles=1,2"})
    expect([&] { entry(text).number(); });
  for (const char* text : {"node=", "node=-1", "node=1.5", "node=1,2", "node=99999999999"})
    expect([&] { entry(text).count(); });
  for (const char* text : {"node=", "node=1,", "node=,1", "node=1,,2", "node=1,x"})
    expect([&] { entry(text).counts(); });
}

}  // namespace
}  // namespace starpath::lab
