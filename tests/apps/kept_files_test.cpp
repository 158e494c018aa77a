// No command writes over what it reads, or over results.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "io/exports/png_writer.hpp"
#include "io/slides/slide.hpp"
#include "tests/apps/work_folder.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::read_file;
using test::shell;

constexpr int kSlideSide = 400;

class KeptFiles : public test::WorkFolder {
 protected:
  KeptFiles() : slide(folder / "s.png") { write_slide("s.png"); }

  void write_slide(const std::string& name) const {
    fs::create_directories(fs::path(folder / name).parent_path());
    std::vector<Rgb> pixels(std::size_t{kSlideSide} * kSlideSide);
    const View<Rgb> view{pixels.data(), kSlideSide, kSlideSide, kSlideSide};
    io::open_slide("synthetic:400x400,density=3")->read(0, 0, 0, view);
    AtomicFile file(folder / name);
    io::PngWriter writer(file, kSlideSide, kSlideSide);
    writer.write(view);
    writer.finish();
    file.commit();
  }

  /// `name` has to stay as it is.
  void expect_refused(const std::string& command, const std::string& name, const std::string& reason = "made from") {
    expect_kept(name, command, 2, {reason});
  }

  void segment(const std::string& more) const { expect_done("segment --mpp 0.5 " + more); }

  void write_region(const std::string& name) const {
    write(
        name,
        R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,300],[0,300],[0,0]]]},"properties":{}})");
  }

  const std::string slide;
};

TEST_F(KeptFiles, TheSlideIsNoOutputOfTissueAndPreview) {
  for (const char* command : {"tissue", "preview"}) {
    fs::create_directories(folder / "x");
    const std::string call = std::string(command) + " s.png --mpp 0.5 --out ";
    expect_refused(call + "s.png", "s.png");
    expect_refused(call + "./x/../s.png", "s.png");
    expect_refused(call + slide, "s.png");
  }
  std::ofstream(folder / "p.toml") << "G1 = 40\n";
  expect_refused("preview s.png --mpp 0.5 --parameters p.toml --out p.toml", "p.toml");
}

TEST_F(KeptFiles, LinksToTheSlideCountToo) {
  fs::create_symlink("s.png", folder / "soft.png");
  fs::create_hard_link(slide, folder / "hard.png");
  for (const char* link : {"soft.png", "hard.png"}) {
    expect_refused(std::string("tissue s.png --mpp 0.5 --out ") + link, link);
    expect_refused(std::string("tissue ") + link + " --mpp 0.5 --out s.png", "s.png");
  }
  EXPECT_TRUE(fs::is_symlink(folder / "soft.png"));
}

TEST_F(KeptFiles, ATileIsTheSlideToo) {
  write_slide("tiles/t_x0_y0.png");
  write_slide("tiles/t_x1_y0.png");
  const auto known = shell("starpath info " + folder / "tiles");
  ASSERT_EQ(known.code, 0) << known.output;
  expect_refused("tissue tiles --mpp 0.5 --out tiles/t_x1_y0.png", "tiles/t_x1_y0.png");
}

TEST_F(KeptFiles, ARecordIsNeitherInputNorResults) {
  write_region("r.geojson");
  expect_refused("segment s.png --mpp 0.5 --out o --record s.png", "s.png");
  expect_refused("segment s.png --mpp 0.5 --roi r.geojson --out o --record r.geojson", "r.geojson");
  expect_refused("segment s.png --mpp 0.5 --exclude r.geojson --out o --record r.geojson", "r.geojson");
  expect_refused("nbia run s.png --mpp 0.5 --model bundled --out o --record s.png", "s.png");
  expect_refused("segment s.png --mpp 0.5 --out o --record o/results.sqlite", "s.png", "a file of results");
  expect_refused("segment s.png --mpp 0.5 --out o --record o/nuclei.csv", "s.png", "an export");
  EXPECT_FALSE(fs::exists(folder / "o")) << "something was done before";
  segment("s.png --export none --out o");
  expect_refused("segment s.png --mpp 0.5 --out o --resume --record ./o/results.sqlite", "o/results.sqlite",
                 "a file of results");
}

TEST_F(KeptFiles, ARecordOfAStudyToo) {
  write_slide("t.png");
  std::ofstream(folder / "list.csv") << "path,mpp\ns.png,0.5\nt.png,0.5\n";
  expect_refused("segment s.png t.png --mpp 0.5 --out o --record t.png", "t.png");
  expect_refused("segment --slides list.csv --out o --record list.csv", "list.csv");
  EXPECT_FALSE(fs::exists(folder / "o"));
  segment("--slides list.csv --export none --out o");
  for (const char* file : {"o/study.sqlite", "o/t/results.sqlite"})
    expect_refused(std::string("segment --slides list.csv --out o --resume --record ") + file, file,
                   "a file of results");
}

TEST_F(KeptFiles, ThePageOfAComparisonIsNoInput) {
  write_region("r.geojson");
  const std::string call = "compare segment s.png --policy eager --repeat 1 --calibrate 0 --quiet --html ";
  expect_refused(call + "s.png -- --mpp 0.5", "s.png");
  expect_refused(call + "r.geojson -- --mpp 0.5 --roi r.geojson", "r.geojson");
  expect_refused(call + "r.geojson -- --mpp 0.5 --exclude=./r.geojson", "r.geojson");
}

TEST_F(KeptFiles, ThePageOfAStudyIsNoPartOfIt) {
  segment("s.png synthetic:300x300 --export none --out study");
  for (const char* file : {"study/study.sqlite", "study/s/results.sqlite", "s.png"})
    expect_refused(std::string("report study --out ") + file, file);
  for (int twice = 0; twice < 2; ++twice) expect_done("report study");
}

TEST_F(KeptFiles, ANamedOutputReplacesOnlyWhatTheCommandWrote) {
  segment("s.png synthetic:300x300 --export none --out study");
  for (const std::string command : {"segment s.png --mpp 0.5 --export none --overwrite --quiet --out o --record ",
                                    "compare segment s.png --policy eager --repeat 1 --calibrate 0 --quiet --html ",
                                    "preview s.png --mpp 0.5 --fields 1 --quiet --out ", "report study --quiet --out ",
                                    "tissue s.png --mpp 0.5 --out "}) {
    SCOPED_TRACE(command);
    const std::string name = command.starts_with("tissue") ? "mine.png" : "mine";
    write(name, "<!DOCTYPE html>\n<p>My notes</p>");
    expect_kept(name, command + name, 4, {name + ": is no file that `starpath ", "move it away"});
    fs::resize_file(folder / name, 0);
    for (int twice = 0; twice < 2; ++twice) EXPECT_EQ(run(command + name).code, 0);
    fs::remove(folder / name);
  }
}

TEST_F(KeptFiles, AnExportIsNotTheSlideWhereverThatIsNow) {
  segment("s.png --export none --out r");
  expect_refused("export r --format overlay --overwrite --out s.png", "s.png");
  fs::rename(slide, folder / "moved.png");
  expect_refused("export r --format overlay --slide moved.png --out moved.png --overwrite", "moved.png");
  fs::rename(folder / "moved.png", folder / "r/overlay.png");
  expect_refused("export r --format csv,overlay --slide r/overlay.png", "r/overlay.png");
  EXPECT_FALSE(fs::exists(folder / "r/nuclei.csv"));
}

TEST_F(KeptFiles, AnExportOfARunIsNoInputOfIt) {
  write_slide("d/overlay.png");
  write_region("d/nuclei.geojson");
  expect_refused("segment d/overlay.png --mpp 0.5 --out d", "d/overlay.png");
  expect_refused("segment s.png --mpp 0.5 --roi d/nuclei.geojson --out ./d", "d/nuclei.geojson");
  expect_refused("segment s.png --mpp 0.5 --exclude d/nuclei.geojson --out d", "d/nuclei.geojson");
  expect_refused("nbia run d/overlay.png --mpp 0.5 --model bundled --out d", "d/overlay.png");
  fs::copy(slide, folder / "d/regions.geojson");
  expect_refused("nbia run s.png --mpp 0.5 --model d/regions.geojson --out d", "d/regions.geojson");
  EXPECT_FALSE(fs::exists(folder / "d/results.sqlite"));
  segment("d/overlay.png --export csv --out d");  // what is not written is in no danger
}

TEST_F(KeptFiles, AnExportInAStudyIsNotItsSlide) {
  write_slide("study/overlay/overlay.png");
  const std::string before = read_file(folder / "study/overlay/overlay.png");
  const auto outcome = run("segment --mpp 0.5 s.png study/overlay/overlay.png --out study --quiet");
  EXPECT_NE(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("made from"), std::string::npos) << outcome.output;
  EXPECT_TRUE(read_file(folder / "study/overlay/overlay.png") == before);
  EXPECT_TRUE(fs::exists(folder / "study/s/overlay.png"));
}

TEST_F(KeptFiles, AModelIsNotWhatItIsTrainedOn) {
  write_region("a.geojson");
  expect_refused("nbia train s.png --mpp 0.5 --annotations a.geojson --overwrite --out a.geojson", "a.geojson");
  segment("s.png --export none --out r");
  expect_refused("classify train r --annotations a.geojson --overwrite --out a.geojson", "a.geojson");
  expect_refused("classify train r --annotations a.geojson --overwrite --out r/results.sqlite", "r/results.sqlite");
}

TEST_F(KeptFiles, AModelReplacesOnlyAModel) {
  write_region("a.geojson");
  segment("s.png --export none --out r");
  write("notes.json", "{}\n");
  for (const std::string command : {"nbia train s.png --mpp 0.5", "classify train r"}) {
    expect_kept("notes.json", command + " --annotations a.geojson --overwrite --out notes.json", 4,
                {"notes.json: is no file that `starpath ", " train` wrote; move it away"});
  }
}

TEST_F(KeptFiles, APictureInAStudyIsRemovedOnlyIfItIsOurs) {
  segment("s.png synthetic:300x300 --export none --out study");
  const std::string sheet = folder / "study/clusters.png", call = "cluster study --k 2 --export none";
  const std::string bare = call + " --no-contact-sheet --quiet";
  expect_done(call);
  fs::copy_file(sheet, folder / "ours.png");
  EXPECT_EQ(run(bare).output.find("clusters.png"), std::string::npos);
  EXPECT_FALSE(fs::exists(sheet));

  fs::copy_file(slide, sheet);
  test::expect_says(run(bare), 0, {"clusters.png", "left as it is"});
  EXPECT_TRUE(read_file(sheet) == read_file(slide));
  fs::remove(sheet);
  fs::create_symlink(folder / "ours.png", sheet);
  test::expect_says(run(bare), 0, {"left as it is"});
  EXPECT_TRUE(fs::is_symlink(sheet));
  fs::remove(sheet);
  fs::create_directories(sheet + "/full");
  test::expect_says(run(bare), 0, {"left as it is"});
  EXPECT_TRUE(fs::exists(sheet + "/full"));
}

TEST_F(KeptFiles, AContactSheetReplacesNoOtherPicture) {
  segment("synthetic:300x300,seed=1 synthetic:300x300,seed=2 --export none --out study");
  write_slide("study/clusters.png");
  const std::string call = "cluster --k 2 --export none --quiet study";
  expect_kept("study/clusters.png", call, 4, {"study/clusters.png: is no file that `starpath cluster` wrote"});
  EXPECT_EQ(run(call + " --no-contact-sheet 2>/dev/null").code, 0);
}

TEST_F(KeptFiles, AContactSheetIsNotASlideOfItsStudy) {
  write_slide("study/clusters.png");
  segment("study/clusters.png synthetic:300x300 --export none --out study");
  expect_refused("cluster study --k 2 --export none --quiet", "study/clusters.png");
}

}  // namespace
}  // namespace starpath
