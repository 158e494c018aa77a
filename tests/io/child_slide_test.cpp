// Slides that other processes decode: the same slides, also where these processes die.
#include "io/slides/child_slide.hpp"

#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "dicom_files.hpp"
#include "io/slides/slide_folder.hpp"
#include "scanner_files.hpp"
#include "tests/support/real_slide.hpp"

namespace starpath::io::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Processes that this one has started and not waited for.
std::vector<pid_t> children() {
  std::vector<pid_t> all;
  for (const auto& thread : fs::directory_iterator("/proc/self/task")) {
    std::ifstream list(thread.path() / "children");
    for (pid_t child = 0; list >> child;) all.push_back(child);
  }
  return all;
}

class ChildSlides : public ::testing::Test {
 protected:
  ~ChildSlides() override { decode_slides_with({}); }

  /// Opened by `program` from now on.
  static std::unique_ptr<Slide> opened_apart(const std::string& path, const char* program = STARPATH_READER,
                                             std::chrono::milliseconds limit = 60s) {
    decode_slides_with({.path = program, .to_open = limit, .to_read = limit});
    return open_slide(path);
  }
  static std::unique_ptr<Slide> opened_here(const std::string& path) {
    decode_slides_with({});
    return open_slide(path);
  }

  /// What both say and show.
  static void expect_same(const std::string& path) {
    SCOPED_TRACE(path);
    const auto here = opened_here(path), apart = opened_apart(path);
    const SlideInfo &a = here->info(), &b = apart->info();
    EXPECT_EQ(a.decoded_by, "");
    EXPECT_NE(b.decoded_by, "");
    EXPECT_EQ(b.path, a.path);
    EXPECT_EQ(b.format, a.format);
    EXPECT_EQ(b.mpp, a.mpp);
    EXPECT_EQ(b.power, a.power);
    EXPECT_EQ(b.fingerprint, a.fingerprint);
    EXPECT_EQ(b.properties, a.properties);
    ASSERT_EQ(b.place.has_value(), a.place.has_value());
    if (a.place) {
      EXPECT_EQ(b.place->x, a.place->x);
    }
    EXPECT_EQ(apart->warnings(), here->warnings());
    ASSERT_EQ(b.levels.size(), a.levels.size());
    for (int level = 0; level < static_cast<int>(a.levels.size()); ++level) {
      const auto& [width, height, downsample, block_width, block_height] = a.levels[static_cast<std::size_t>(level)];
      const SlideLevel& other = b.levels[static_cast<std::size_t>(level)];
      EXPECT_EQ(other.width, width);
      EXPECT_EQ(other.height, height);
      EXPECT_EQ(other.downsample, downsample);
      EXPECT_EQ(other.block_width, block_width);
      EXPECT_EQ(other.block_height, block_height);
      EXPECT_EQ(read_all(*apart, level), read_all(*here, level)) << level;
      EXPECT_EQ(read(*apart, level, -7, 5, 50, 60), read(*here, level, -7, 5, 50, 60)) << level;
    }
  }

  void read_with_threads(const Slide& slide) const {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&, i] {
        for (int j = 0; j < 20; ++j)
          EXPECT_EQ(read(slide, 0, i, j, 100, 100), crop(picture_, i, j, 100, 100)) << i << "," << j;
      });
    for (std::thread& thread : threads) thread.join();
  }

  /// Reads all around the pixel (40, 40), where the faulty reader misbehaves.
  static std::vector<Gap> gaps_of(const Slide& slide, Picture& out) {
    return slide.read_around_gaps(0, 0, 0, out.view());
  }

  const TempFolder folder_;
  const Picture picture_ = pattern(128, 128);
};

TEST_F(ChildSlides, AreThoseThatThisProcessReads) {
  write_scn(folder_ / "a.scn", picture_, 75, 41, 400, 300);
  write_mirax(folder_ / "a.mrxs", picture_, 2, 4, 10, 8, 3);
  write_mirax(folder_ / "bmp.mrxs", picture_, 2, 4, 10, 8, 0, true);
  write_bif(folder_ / "a.bif", pattern(64, 64), 17);
  fs::create_directory(folder_ / "dicom");
  write_dicom(folder_ / "dicom/a.dcm", picture_);
  for (const char* name : {"a.scn", "a.mrxs", "bmp.mrxs", "a.bif", "dicom/a.dcm", "dicom"}) expect_same(folder_ / name);
}

TEST_F(ChildSlides, AreReadWhereLinksLead) {
  write_mirax(folder_ / "a.mrxs", picture_, 2, 4, 10, 8);
  fs::create_directories(folder_ / "store");
  fs::rename(folder_ / "a/Data0000.dat", folder_ / "store/1");
  fs::create_symlink("../store/1", folder_ / "a/Data0000.dat");
  expect_same(folder_ / "a.mrxs");
}

TEST_F(ChildSlides, PicturesAreReadHere) {
  write_png(folder_ / "a.png", picture_);
  write_tiff(folder_ / "a.tif", {rgb_page(picture_)}, {.tile = 32});
  for (const char* name : {"a.png", "a.tif"}) {
    const auto slide = opened_apart(folder_ / name);
    EXPECT_EQ(slide->info().decoded_by, "") << name;
    EXPECT_EQ(read_all(*slide), picture_) << name;
  }
  EXPECT_TRUE(children().empty()) << "they were asked for a scanner's marks, and that is over";
}

TEST_F(ChildSlides, OfAperioAreDescribedThereAndDecodedHere) {
  write_tiff(folder_ / "a.svs", {rgb_page(picture_)},
             {.tile = 32, .compression = COMPRESSION_LZW, .more = [](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "Aperio Image Library v11.2.1\r\n128x128 |MPP = 0.25");
              }});
  expect_same(folder_ / "a.svs");
  const auto slide = opened_apart(folder_ / "a.svs");
  EXPECT_EQ(slide->info().format, "aperio");
  EXPECT_EQ(slide->info().mpp, 0.25);
  EXPECT_EQ(slide->info().decoded_by, "this process, through libtiff; another one opened it with OpenSlide");
  EXPECT_TRUE(children().empty()) << "it waits for nothing";
  EXPECT_THROW(opened_apart(folder_ / "a.svs", "/bin/false"), Error) << "OpenSlide was asked here";
}

TEST_F(ChildSlides, WhatIsNoSlideIsTheSameError) {
  write_bytes(folder_ / "a.svs", "Dear diary,\n");
  write_bytes(folder_ / "a.mrxs", "no folder");
  write_bytes(folder_ / "cut.scn", "II*");
  for (const char* name : {"a.svs", "a.mrxs", "cut.scn"}) {
    decode_slides_with({});
    const std::string here = open_error(folder_ / name);
    const bool is_known = is_recognised(folder_ / name);
    decode_slides_with({.path = STARPATH_READER});
    EXPECT_EQ(open_error(folder_ / name), here);
    EXPECT_EQ(is_recognised(folder_ / name), is_known) << name;
  }
}

TEST_F(ChildSlides, OfAFolderAreListedAlike) {
  const std::string folder = folder_ / "slides";
  fs::create_directory(folder);
  write_dicom(folder + "/b.dcm", picture_);
  write_dicom(folder + "/c.dcm", pattern(32, 32), {.series = "1.2.4", .instance = "1.2.4.1", .flavour = "LABEL"});
  write_dicom(folder + "/d", picture_, {.series = "1.2.5", .instance = "1.2.5.1"});
  write_bytes(folder + "/notes", "Dear diary,\n");
  decode_slides_with({});
  const FolderContents here = contents_of(folder);
  ASSERT_EQ(here.slides.size(), 2u);
  decode_slides_with({.path = STARPATH_READER});
  EXPECT_EQ(contents_of(folder).slides, here.slides);
  EXPECT_EQ(contents_of(folder).left_out, here.left_out);
  decode_slides_with({.path = "/bin/false"});
  EXPECT_TRUE(dicom_series_in(folder).empty()) << "DICOM was read here";
}

TEST_F(ChildSlides, AreReadByManyThreads) {
  write_scn(folder_ / "a.scn", picture_, 75, 41, 400, 300);
  const auto slide = opened_apart(folder_ / "a.scn");
  read_with_threads(*slide);
  EXPECT_LE(children().size(), 8u);
}

TEST_F(ChildSlides, LeaveNoProcessBehind) {
  write_scn(folder_ / "a.scn", picture_, 75, 41, 400, 300);
  auto slide = opened_apart(folder_ / "a.scn");
  const std::vector<pid_t> first = children();
  EXPECT_EQ(first.size(), 1u);
  EXPECT_EQ(read_all(*slide), picture_);
  EXPECT_EQ(children(), first) << "each read has a process of its own";
  slide.reset();
  EXPECT_TRUE(children().empty());
}

TEST_F(ChildSlides, ThatAreKilledWhileTheyWaitCostNothing) {
  write_scn(folder_ / "a.scn", picture_, 75, 41, 400, 300);
  const auto slide = opened_apart(folder_ / "a.scn");
  for (int i = 0; i < 3; ++i) {
    read_with_threads(*slide);  // several wait now
    for (const pid_t child : children()) ::kill(child, SIGKILL);
    EXPECT_EQ(read_all(*slide), picture_);
  }
}

TEST_F(ChildSlides, AreDecodedOnceWhereLargeRegionsOverlap) {
  const Picture picture = pattern(2688, 1536);  // not whole cells of 256
  write_scn(folder_ / "told.scn", picture, 75, 41, 3000, 2000);
  const auto slide = opened_apart(folder_ / "told.scn", STARPATH_FAULTY_READER);
  for (const int x : {0, 1088}) {  // the second begins 448 pixels before the end of the first
    const int width = x == 0 ? 1536 : 2688 - x;
    EXPECT_EQ(read(*slide, 0, x, 0, width, 1536), crop(picture, x, 0, width, 1536)) << x;
  }
  std::int64_t decoded = 0, pixels = 0;
  for (std::ifstream told(folder_ / "told.scn.told"); told >> pixels;) decoded += pixels;
  EXPECT_EQ(decoded, 2688 * 1536);
}

TEST_F(ChildSlides, AreReadPreciselyWhereRegionsAreSmall) {
  write_scn(folder_ / "told.scn", picture_, 75, 41, 400, 300);
  const auto slide = opened_apart(folder_ / "told.scn", STARPATH_FAULTY_READER);
  EXPECT_EQ(read(*slide, 0, 10, 20, 30, 40), crop(picture_, 10, 20, 30, 40));
  std::int64_t pixels = 0;
  std::ifstream(folder_ / "told.scn.told") >> pixels;
  EXPECT_EQ(pixels, 30 * 40);
}

TEST_F(ChildSlides, ThatDieOnceAreReadAgain) {
  write_scn(folder_ / "once.scn", picture_, 75, 41, 400, 300);
  const auto slide = opened_apart(folder_ / "once.scn", STARPATH_FAULTY_READER);
  EXPECT_EQ(read_all(*slide), picture_);
  EXPECT_TRUE(fs::exists(folder_ / "once.scn.died"));
}

TEST_F(ChildSlides, ThatDieCostThePieceTheyDieOf) {
  const Picture picture = pattern(512, 512);  // of four pieces
  write_scn(folder_ / "dies.scn", picture, 75, 41, 700, 600);
  const auto slide = opened_apart(folder_ / "dies.scn", STARPATH_FAULTY_READER);
  Picture all(512, 512);
  const std::vector<Gap> gaps = gaps_of(*slide, all);
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_NE(gaps[0].why.find("dies.scn: cannot read level 0, region x="), std::string::npos) << gaps[0].why;
  EXPECT_NE(gaps[0].why.find("the process that decodes it was ended by signal 11"), std::string::npos) << gaps[0].why;
  int white = 0;
  for (int y = 0; y < 512; ++y)
    for (int x = 0; x < 512; ++x) {
      const bool in_gap =
          x >= gaps[0].x && y >= gaps[0].y && x < gaps[0].x + gaps[0].width && y < gaps[0].y + gaps[0].height;
      white += in_gap;
      EXPECT_EQ(all.at(x, y), in_gap ? Rgb({255, 255, 255}) : picture.at(x, y)) << x << "," << y;
    }
  EXPECT_EQ(white, 256 * 256);
  EXPECT_THROW(read_all(*slide), Error);
}

TEST_F(ChildSlides, ThatHangAreEnded) {
  const Picture picture = pattern(512, 512);  // of four pieces
  write_scn(folder_ / "hangs.scn", picture, 75, 41, 700, 600);
  const auto slide = opened_apart(folder_ / "hangs.scn", STARPATH_FAULTY_READER, 2s);
  const std::vector<pid_t> hanging = children();
  ASSERT_EQ(hanging.size(), 1u);
  const auto begin = std::chrono::steady_clock::now();
  Picture all(512, 512);
  const std::vector<Gap> gaps = gaps_of(*slide, all);
  ASSERT_FALSE(gaps.empty());
  EXPECT_NE(gaps[0].why.find("gave no answer within 2 s, and was ended"), std::string::npos) << gaps[0].why;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 4s) << "its parts were waited for too";
  EXPECT_FALSE(std::ranges::count(children(), hanging.front())) << "it goes on";
  for (const Gap& gap : gaps) EXPECT_EQ(gap.y, 0) << "only the row of pieces that was asked for is lost";
  EXPECT_EQ(crop(all, 0, 256, 512, 256), crop(picture, 0, 256, 512, 256));
  EXPECT_EQ(read_all(*slide, 1), every(4, picture)) << "the rest is read by another one";
}

TEST_F(ChildSlides, ThatAnswerNonsenseAreNotBelieved) {
  for (const char* name : {"lies.scn", "longer.scn"}) {
    write_scn(folder_ / name, picture_, 75, 41, 400, 300);
    const auto slide = opened_apart(folder_ / name, STARPATH_FAULTY_READER);
    Picture all(128, 128);
    const std::vector<Gap> gaps = gaps_of(*slide, all);
    ASSERT_EQ(gaps.size(), 1u) << name;
    EXPECT_NE(gaps[0].why.find("gave an answer that cannot be, and was ended"), std::string::npos) << gaps[0].why;
  }
}

TEST_F(ChildSlides, ThatDieOrLieWhenTheyOpenAreOneLine) {
  for (const auto& [name, words] :
       {std::pair{"unborn.scn", "was ended by signal 11"}, {"shapeless.scn", "the process that decodes it says"}}) {
    write_scn(folder_ / name, picture_, 75, 41, 400, 300);
    decode_slides_with({.path = STARPATH_FAULTY_READER});
    const std::string line = open_error(folder_ / name);
    EXPECT_NE(line.find(std::string(name) + ": cannot be opened: "), std::string::npos) << line;
    EXPECT_NE(line.find(words), std::string::npos) << line;
  }
}

TEST_F(ChildSlides, OfAProgramThatIsNotThereAreAnError) {
  write_scn(folder_ / "a.scn", picture_, 75, 41, 400, 300);
  decode_slides_with({.path = "/nowhere/starpath-read"});
  try {
    open_slide(folder_ / "a.scn");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::runtime);
  }
}

TEST_F(ChildSlides, TheRealSlideIsTheSame) {
  if (!fs::exists(support::real_slide())) GTEST_SKIP() << support::real_slide() << " is not here; set STARPATH_DATA";
  expect_same(support::real_slide());
}

}  // namespace
}  // namespace starpath::io::test
