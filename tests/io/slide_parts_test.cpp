// What belongs to a slide besides the file that is named.
#include "io/slides/slide_parts.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/input_files.hpp"
#include "tests/io/slide_files.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

class SlideParts : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text = "x") const {
    fs::create_directories(fs::path(folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  /// Writes all, names the first as a slide.
  void expect_parts(const std::vector<std::string>& parts, const std::vector<std::string>& others) const {
    for (const std::string& name : parts)
      if (!fs::exists(folder_ / name)) write(name);
    for (const std::string& name : others)
      if (!fs::exists(folder_ / name)) write(name);
    note_slide(folder_ / parts[0]);
    for (const std::string& name : parts) EXPECT_TRUE(is_input(folder_ / name)) << name;
    for (const std::string& name : others) EXPECT_FALSE(is_input(folder_ / name)) << name;
  }
  InputFiles inputs_;
  const test::TempFolder folder_;
};

TEST_F(SlideParts, OfMiraxAreTheDataInItsFolder) {
  expect_parts({"a.mrxs", "a/Slidedat.ini", "a/Index.dat", "a/Data0000.dat"},
               {"a/results.sqlite", "a/nuclei.csv", "b.mrxs", "b/Data0000.dat", "c.dat"});
}

TEST_F(SlideParts, OfVmsHaveItsName) {
  expect_parts({"a.vms", "a.jpg", "a(1,0).jpg", "a_map2.jpg", "a.opt"}, {"b.jpg", "a.csv", "a.sqlite"});
}

TEST_F(SlideParts, OfDicomAreDicomToo) {
  const std::string dicom = std::string(128, '\0') + "DICM" + "rest";
  for (const char* name : {"a/1.dcm", "a/2.dcm", "a/3", "b/1.dcm"}) write(name, dicom);
  expect_parts({"a/1.dcm", "a/2.dcm", "a/3"}, {"a/tissue.geojson", "a/short.dcm", "b/1.dcm"});
}

TEST_F(SlideParts, OfATiffThereAreNone) { expect_parts({"a.tif"}, {"a/Data0000.dat", "a.jpg", "b.tif"}); }

}  // namespace
}  // namespace starpath::io
