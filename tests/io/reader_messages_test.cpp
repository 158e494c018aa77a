// What slides say of themselves, as bytes that nobody vouches for.
#include "io/slides/reader_messages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "base/error.hpp"

namespace starpath::io {
namespace {

SlideRecord a_record() {
  SlideRecord record;
  SlideInfo& info = record.info;
  info.path = "not sent";
  info.format = "leica";
  info.mpp = 0.25;
  info.mpp_by = "MPP in its description";
  info.oblong = PixelShape{0.25, 0.5};
  info.power = 20;
  info.mpp_doubt = "72 pixels an inch";
  info.levels = {{3000, 2000, 1, 256, 256}, {750, 500, 4, 0, 0}};
  info.fingerprint = "0123456789abcdef";
  info.properties = {{"aperio.MPP", "0.25"}, {"bytes", std::string("\xff\0\x01", 3)}};
  info.place = PlaceOnCanvas{-3, 500, 9000, 8000};
  record.warnings = {"a line", ""};
  return record;
}

void expect_refused(const SlideRecord& record, const char* why) {
  EXPECT_THROW(unpacked(packed(record)), Error) << why;
}

TEST(ReaderMessages, ARecordComesBackAsItWas) {
  const SlideRecord sent = a_record(), got = unpacked(packed(sent));
  EXPECT_EQ(got.info.path, "");
  EXPECT_EQ(got.info.format, "leica");
  EXPECT_EQ(got.info.mpp, 0.25);
  EXPECT_EQ(got.info.mpp_by, sent.info.mpp_by);
  ASSERT_TRUE(got.info.oblong);
  EXPECT_EQ(got.info.oblong->height, 0.5);
  EXPECT_EQ(got.info.power, 20);
  EXPECT_EQ(got.info.mpp_doubt, sent.info.mpp_doubt);
  ASSERT_EQ(got.info.levels.size(), 2u);
  EXPECT_EQ(got.info.levels[1].width, 750);
  EXPECT_EQ(got.info.levels[1].height, 500);
  EXPECT_EQ(got.info.levels[1].downsample, 4);
  EXPECT_EQ(got.info.levels[0].block_width, 256);
  EXPECT_EQ(got.info.fingerprint, sent.info.fingerprint);
  EXPECT_EQ(got.info.properties, sent.info.properties);
  ASSERT_TRUE(got.info.place);
  EXPECT_EQ(got.info.place->x, -3);
  EXPECT_EQ(got.info.place->height, 8000);
  EXPECT_EQ(got.warnings, sent.warnings);
}

TEST(ReaderMessages, WhatALongPropertySaysIsLeftOut) {
  SlideRecord record = a_record();
  record.info.properties["picture"] = std::string(1 << 20, 'x');
  EXPECT_EQ(unpacked(packed(record)).info.properties, a_record().info.properties);
}

TEST(ReaderMessages, WhatIsCutOffOrGoesOnIsRefused) {
  const std::string bytes = packed(a_record());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(unpacked(std::string_view(bytes).substr(0, size)), Error) << size;
  EXPECT_THROW(unpacked(bytes + '\0'), Error);
}

TEST(ReaderMessages, NumbersThatCannotBeAreRefused) {
  const auto changed = [](const auto& change) {
    SlideRecord record = a_record();
    change(record.info);
    return record;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused(changed([](SlideInfo& info) { info.levels.clear(); }), "no level");
  expect_refused(changed([](SlideInfo& info) { info.levels[1].width = 0; }), "a level without pixels");
  expect_refused(changed([](SlideInfo& info) { info.levels[0].height = -5; }), "a negative side");
  expect_refused(changed([](SlideInfo& info) { info.levels[0].width = std::int64_t{1} << 50; }), "a side of 2^50");
  expect_refused(changed([](SlideInfo& info) { info.levels[0].block_width = -1; }), "negative blocks");
  expect_refused(changed([](SlideInfo& info) { info.levels[1].downsample = nan; }), "a downsample that is no number");
  expect_refused(changed([](SlideInfo& info) { info.levels[1].downsample = 0.5; }), "a level that is finer");
  expect_refused(changed([](SlideInfo& info) { info.mpp = -1; }), "a negative mpp");
  expect_refused(changed([](SlideInfo& info) { info.power = INFINITY; }), "a power without end");
  expect_refused(changed([](SlideInfo& info) { info.place->x = std::numeric_limits<std::int64_t>::max(); }), "a place");
  expect_refused(changed([](SlideInfo& info) { info.levels.resize(1000, info.levels[1]); }), "a thousand levels");
}

TEST(ReaderMessages, RandomBytesAreRefusedOrRead) {
  const std::string bytes = packed(a_record());
  std::mt19937 random(5);
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = bytes;
    for (int n = 0; n < 3; ++n) changed[random() % changed.size()] = static_cast<char>(random());
    try {
      const SlideRecord record = unpacked(changed);
      EXPECT_FALSE(record.info.levels.empty());
      for (const SlideLevel& level : record.info.levels) EXPECT_TRUE(level.width > 0 && level.downsample >= 1);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
    }
  }
}

TEST(ReaderMessages, SeriesNameFilesOfTheirFolderAlone) {
  const std::vector<DicomSeries> sent = {{"1.2", {"/slides/a", "/slides/b"}, {"/slides/c"}, "/slides/b"},
                                         {"1.3", {}, {}, "/slides/d"}};
  const std::vector<DicomSeries> got = unpacked_series(packed(sent), "/slides");
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got[0].uid, "1.2");
  EXPECT_EQ(got[0].tissue, sent[0].tissue);
  EXPECT_EQ(got[0].beside, sent[0].beside);
  EXPECT_EQ(got[1].largest, "/slides/d");
  std::string moved = packed(sent);
  moved.replace(moved.rfind('d'), 1, "/");
  EXPECT_THROW(unpacked_series(moved, "/slides"), Error);
  EXPECT_THROW(unpacked_series(packed(sent) + 'x', "/slides"), Error);
  EXPECT_THROW(unpacked_series(packed(std::vector<DicomSeries>{{"1", {""}, {}, "a"}}), "/slides"), Error);
}

TEST(ReaderMessages, PropertiesAreSentAsLongAsThereIsRoom) {
  SlideRecord record = a_record();
  for (int i = 0; i < 300; ++i) record.info.properties[std::to_string(i)] = std::string(50'000, 'x');
  const std::size_t sent = unpacked(packed(record)).info.properties.size();
  EXPECT_GT(sent, 100u);
  EXPECT_LT(sent, 150u);
  record.warnings.resize(400, std::string(50'000, 'x'));
  EXPECT_THROW(packed(record), Error);
}

}  // namespace
}  // namespace starpath::io
