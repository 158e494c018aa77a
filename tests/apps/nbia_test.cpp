// `starpath nbia` from outside: labels that are right, results that depend on the slide alone, clear refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "io/exports/png_writer.hpp"
#include "io/slides/slide.hpp"
#include "io/synthetic/stroma.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/kills.hpp"
#include "tests/support/real_slide.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::read_file;
using test::shell;
using test::TemporaryFolder;

const std::vector<std::string> kNbiaExports = {"map.png", "overlay.png", "regions.geojson", "fields.csv"};

void expect_same_nbia_exports(const std::string& a, const std::string& b) {
  for (const std::string& name : kNbiaExports)
    EXPECT_TRUE(read_file(a + "/" + name) == read_file(b + "/" + name)) << name << " differs: " << a << ", " << b;
}

nlohmann::json nbia_summary(const test::Outcome& run) {
  const std::string body = run.output.substr(0, run.output.size() - 1);
  return nlohmann::json::parse(body.substr(body.rfind('\n') + 1));
}

TEST(Nbia, LabelsOfASyntheticSlideAreRight) {
  const TemporaryFolder folder;
  const std::string slide = "synthetic:6144x5120,pattern=stroma,seed=31";
  const auto run = shell("starpath nbia run " + slide + " --out " + folder / "out");
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("not for diagnosis"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("do not believe"), std::string::npos) << run.output;
  const io::SyntheticSpec spec = io::parse_synthetic(slide);
  const std::map<io::StromaLabel, std::string> names = {{io::StromaLabel::glass, "background"},
                                                        {io::StromaLabel::rich, "stroma_rich"},
                                                        {io::StromaLabel::poor, "stroma_poor"}};
  std::istringstream csv(read_file(folder / "out/fields.csv"));
  std::map<std::string, int> labels;
  int fields = 0, right = 0;
  std::string line;
  for (std::getline(csv, line); std::getline(csv, line); ++fields) {
    std::istringstream row(line);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    ++labels[cells[5]];
    const auto truth = io::stroma_label(spec, std::stoi(cells[1]) + 256, std::stoi(cells[2]) + 256);
    right += cells[5] == names.at(truth);
  }
  EXPECT_EQ(fields, 120);
  EXPECT_GE(right, 0.95 * fields);
  for (const char* label : {"stroma_rich", "stroma_poor", "background"}) EXPECT_GT(labels[label], 5) << label;
}

TEST(Nbia, JsonSummaryHasCountsSharesAndRates) {
  const TemporaryFolder folder;
  const auto run = shell(
      "starpath nbia run synthetic:2560x2048,pattern=stroma,seed=3 --json --policy fcfs --recalc-rate 0.5 "
      "--levels 32,512 --export none --out " +
      folder / "out");
  ASSERT_EQ(run.code, 0) << run.output;
  const auto summary = nbia_summary(run);
  EXPECT_EQ(summary["tiles"], 20);
  EXPECT_EQ(summary["fields"]["stroma_rich"].get<int>() + summary["fields"]["stroma_poor"].get<int>() +
                summary["fields"]["background"].get<int>(),
            20);
  EXPECT_NEAR(summary["share_stroma_rich"].get<double>() + summary["share_stroma_poor"].get<double>(), 1, 1e-12);
  EXPECT_EQ(summary["levels"][0]["computed"], 20);
  EXPECT_EQ(summary["levels"][1]["computed"], 10);
  EXPECT_EQ(summary["levels"][0]["recalculation_rate"], 0.5);
  EXPECT_EQ(summary["shares"]["cpu"]["statistics_512"]["tasks"], 10);
}

TEST(Nbia, PeopleReadOfFields) {
  const TemporaryFolder folder;
  const auto run =
      shell("starpath nbia run synthetic:512x512,pattern=stroma --roi 0,0,512,512 --export none --out " + folder / "o");
  test::expect_says(run, 0, {"0/1 fields  0.00 fields/s", " tissue fields\n", "\n1 field (", " fields/s under "});
}

TEST(Nbia, SameBytesUnderEveryPolicyAndWorkerCount) {
  const TemporaryFolder folder;
  const std::string slide = "synthetic:1900x1300,pattern=stroma,seed=5";
  for (const auto& [policy, cpus] : std::vector<std::pair<std::string, std::string>>{
           {"fcfs", "1"}, {"pats", "2"}, {"odds", "2"}, {"dmdas", "1"}, {"lws", "2"}}) {
    const auto run = shell("starpath nbia run " + slide + " --quiet --policy " + policy + " --cpus " + cpus +
                           " --out " + folder / policy);
    ASSERT_EQ(run.code, 0) << run.output;
    expect_same_nbia_exports(folder / "fcfs", folder / policy);
  }
}

TEST(Nbia, KilledAtAnyMomentItResumesToTheSameBytes) {
  const TemporaryFolder folder;
  const std::string run = "nbia run synthetic:2600x2600,pattern=stroma,seed=4 --recalc-rate 0.5 --quiet";
  const double seconds = test::seconds_of(run + " --out " + folder / "whole");
  ASSERT_NO_FATAL_FAILURE(test::kill_and_resume(run, folder / "killed", seconds, 12));
  expect_same_nbia_exports(folder / "whole", folder / "killed");
}

/// Writes a slide as a PNG, in colour or in gray.
void write_picture(const std::string& path, const std::string& input, bool gray = false) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  const auto slide = io::open_slide(input);
  const int width = static_cast<int>(slide->info().width()), height = static_cast<int>(slide->info().height());
  std::vector<Rgb> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  const View<Rgb> view{pixels.data(), width, height, width};
  slide->read(0, 0, 0, view);
  if (gray)
    for (Rgb& p : pixels) p = {p.g, p.g, p.g};
  AtomicFile file(path);
  io::PngWriter writer(file, width, height);
  writer.write(view);
  writer.finish();
  file.commit();
}

/// Makes model.json of the folder's tiles: pictures of tissue without nuclei and with many stand for the two labels.
test::Outcome train_on_tiles(const TemporaryFolder& folder) {
  write_picture(folder / "tiles/stroma_rich/a.png", "synthetic:600x700,seed=1,density=0");
  write_picture(folder / "tiles/stroma_poor/b.png", "synthetic:600x700,seed=2,density=4");
  return shell("starpath nbia train " + folder / "tiles" + " --levels 16,64 --out " + folder / "model.json");
}

TEST(Nbia, TrainsAndEvaluatesOnFoldersOfImages) {
  const TemporaryFolder folder;
  const auto train = train_on_tiles(folder);
  ASSERT_EQ(train.code, 0) << train.output;
  EXPECT_NE(train.output.find("90 stroma_rich and 90 stroma_poor fields of 64 px"), std::string::npos) << train.output;
  const auto evaluate =
      shell("starpath nbia evaluate " + folder / "tiles" + " --json --model " + folder / "model.json 2>/dev/null");
  ASSERT_EQ(evaluate.code, 0) << evaluate.output;
  const auto result = nlohmann::json::parse(evaluate.output);
  EXPECT_EQ(result["fields"], 180);
  EXPECT_EQ(result["trained_on"], 180);
  EXPECT_GT(result["accuracy"], 0.9);
  EXPECT_EQ(result["tissue_fields"], 180);
  EXPECT_EQ(result["tissue_accuracy"], result["accuracy"]);
  EXPECT_TRUE(result["out_of_range"].is_number_integer());
  // Glass makes the rate of all fields higher, and not that of tissue.
  std::filesystem::create_directory(folder / "tiles/background");
  write_picture(folder / "tiles/background/glass.png", "synthetic:640x640,density=0");
  const auto with_glass = shell("starpath nbia evaluate " + folder / "tiles" + " --model " + folder / "model.json");
  test::expect_says(with_glass, 0, {"of 180 fields of tissue right", "of 280 fields right with background"});
  expect_one_line(shell("starpath nbia train " + folder / "tiles" + " --levels 16,64 --out " + folder / "model.json"),
                  4, {"model.json", "--overwrite"});
  expect_one_line(shell("starpath nbia train " + folder / "tiles" + " --out " + folder / "large.json"), 3,
                  {"has 1 of at least 15 fields of 512 px that are labelled stroma_rich"});
  EXPECT_FALSE(std::filesystem::exists(folder / "large.json"));
  expect_one_line(shell("starpath nbia run synthetic:600x600 --model " + folder / "model.json" +
                        " --levels 32,64 --out " + folder / "out"),
                  2, {"no level 32"});
}

TEST(Nbia, WarnsOfFieldsThatTheModelWasTrainedOn) {
  const TemporaryFolder folder;
  ASSERT_EQ(train_on_tiles(folder).code, 0);
  const auto evaluated = [&](const std::string& model) {
    return shell("starpath nbia evaluate " + folder / "others" + " --model " + folder / model);
  };
  write_picture(folder / "others/stroma_rich/c.png", "synthetic:600x700,seed=3,density=0");
  test::expect_says(evaluated("model.json"), 0, {"of 90 fields right"});
  EXPECT_EQ(evaluated("model.json").output.find("warning"), std::string::npos);
  // Whatever the file is called now.
  std::filesystem::create_directory(folder / "others/stroma_poor");
  std::filesystem::copy(folder / "tiles/stroma_poor/b.png", folder / "others/stroma_poor/renamed.png");
  test::expect_says(
      evaluated("model.json"), 0,
      {"starpath: warning: the model was trained on 90 of the 180 fields", "evaluate it on other images"});
  auto old = nlohmann::json::parse(test::read_file(folder / "model.json"));
  EXPECT_EQ(old["trained_on"].size(), 180u);
  old.erase("trained_on");
  std::ofstream(folder / "old.json") << old;
  const auto unknown = evaluated("old.json");
  test::expect_says(unknown, 0, {"of 180 fields right"});
  EXPECT_EQ(unknown.output.find("warning"), std::string::npos) << unknown.output;
}

/// A rectangle as QuPath exports an annotation.
std::string annotation(const std::string& name, int x0, int y0, int x1, int y1) {
  const nlohmann::json ring = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}};
  return nlohmann::json{{"type", "Feature"},
                        {"geometry", {{"type", "Polygon"}, {"coordinates", {ring}}}},
                        {"properties", {{"objectType", "annotation"}, {"classification", {{"name", name}}}}}}
      .dump();
}

TEST(Nbia, TrainsOnAnAnnotatedSlideAndKnowsItsTissue) {
  const std::string slide = support::real_slide();
  if (!std::filesystem::exists(slide)) GTEST_SKIP() << slide << " is not there";
  const TemporaryFolder folder;
  std::ofstream(folder / "a.geojson") << "[" + annotation("Stroma", 0, 0, 1100, 2900) + "," +
                                             annotation("Tumor", 1100, 0, 2200, 2900) + "]";
  const std::string train = "starpath nbia train " + slide + " --annotations " + folder / "a.geojson" +
                            " --levels 32,128 --out " + folder / "model.json";
  expect_one_line(shell(train), 3, {"a.geojson", "1 of Stroma", "--classes"});
  test::expect_says(shell(train + " --classes Stroma=stroma_rich,Tumor=stroma_poor"), 0,
                    {"held out by field", "32 px: ", "128 px: ", "clear votes on", "truth \\ said"});
  expect_one_line(shell("starpath nbia train a b --annotations c"), 2, {"2 slides and 1 annotation file"});
  test::expect_says(shell("starpath nbia evaluate " + slide + " --annotations " + folder / "a.geojson" +
                          " --classes Stroma=stroma_rich,Tumor=stroma_poor --model " + folder / "model.json"),
                    0, {"truth \\ said", "stroma_rich", "fields right"});
  expect_one_line(shell("starpath nbia evaluate a b --annotations c --model " + folder / "model.json"), 2,
                  {"2 slides and 1 annotation file"});
  const auto run = shell("starpath nbia run " + slide + " --json --export none --model " + folder / "model.json" +
                         " --out " + folder / "out");
  ASSERT_EQ(run.code, 0) << run.output;
  const auto summary = nbia_summary(run);
  EXPECT_GT(summary["fields"]["stroma_poor"], 50);
  EXPECT_LT(summary["out_of_range"], 10);
  EXPECT_EQ(summary["range_warning"], "");
}

TEST(NbiaBadInput, GetsOneClearLine) {
  const TemporaryFolder folder;
  const std::string out = " --quiet --out " + folder / "out";
  const std::string slide = "synthetic:600x600,pattern=stroma";
  expect_one_line(shell("starpath nbia run synthetic:500x600" + out), 2, {"500x600", "512"});
  expect_one_line(shell("starpath nbia run " + slide + " --recalc-rate 16" + out), 2,
                  {"--recalc-rate", "16", "0 to 1"});
  expect_one_line(shell("starpath nbia run " + slide + " --levels 128,32" + out), 2, {"--levels 128,32"});
  expect_one_line(shell("starpath nbia run " + slide + " --model /nowhere.json" + out), 3, {"/nowhere.json"});
  expect_one_line(shell("starpath nbia evaluate synthetic:600x600"), 2, {"pattern=stroma"});
  expect_one_line(shell("starpath nbia evaluate --model bundled " + folder / "nowhere"), 3, {"nowhere"});
  std::filesystem::create_directories(folder / "empty/stroma_rich");
  expect_one_line(shell("starpath nbia train " + folder / "empty --out " + folder / "m.json"), 3, {"stroma_rich"});
  std::filesystem::create_directories(folder / "other");
  expect_one_line(shell("starpath nbia train " + folder / "other --out " + folder / "m.json"), 3, {"subfolders"});
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(NbiaBadInput, AModelOfAnotherDefinitionIsRefused) {
  const TemporaryFolder folder;
  std::ofstream(folder / "old.json")
      << R"({"format": "starpath nbia model", "version": 1, "definition": "00000000deadbeef"})";
  expect_one_line(
      shell("starpath nbia run synthetic:600x600 --model " + folder / "old.json" + " --out " + folder / "out"), 3,
      {"old.json", "00000000deadbeef", "train it again"});
}

TEST(NbiaBadInput, TheBundledModelIsRefusedOnARealSlideUnlessItIsAskedFor) {
  const TemporaryFolder folder;
  write_picture(folder / "tissue.png", "synthetic:1100x600,seed=1,density=4");
  const std::string run =
      "starpath nbia run " + folder / "tissue.png" + " --quiet --export csv --out " + folder / "out";
  expect_one_line(shell(run), 2, {"tissue.png", "nbia train", "--annotations", "--model bundled"});
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  expect_one_line(shell("starpath nbia evaluate " + folder / ""), 2, {"--model bundled"});
  // Tissue with nuclei is unlike the textures that the bundled model knows.
  expect_one_line(shell(run + " --mpp 0.5 --model bundled"), 0,
                  {"100.0 % of the tissue (6 of 6 fields)", "do not believe"});
  EXPECT_NE(read_file(folder / "out/fields.csv").find(",1\r\n"), std::string::npos);
}

TEST(NbiaBadInput, AGrayPictureIsRefused) {
  const TemporaryFolder folder;
  write_picture(folder / "gray.png", "synthetic:600x600", true);
  expect_one_line(
      shell("starpath nbia run " + folder / "gray.png" + " --model bundled --quiet --out " + folder / "out"), 3,
      {"gray.png", "RGB"});
}

TEST(NbiaBadInput, ASlideThatIsTooSmallIsNamed) {
  const TemporaryFolder folder;
  expect_one_line(
      shell("starpath nbia run synthetic:300x400 --mpp 0.5 --quiet --model bundled --out " + folder / "out"), 2,
      {"synthetic:300x400: it has 300x400 px", "one field of 512 px"});
}

TEST(NbiaBadInput, ResultsOfOtherWorkAreKept) {
  const TemporaryFolder folder;
  ASSERT_EQ(shell("starpath nbia run synthetic:600x600,pattern=stroma --quiet --out " + folder / "out").code, 0);
  const std::string before = read_file(folder / "out/results.sqlite");
  const std::string again = "starpath nbia run synthetic:600x600,pattern=stroma --quiet --out " + folder / "out";
  expect_one_line(shell(again), 4, {"--resume", "--overwrite"});
  expect_one_line(shell(again + " --resume --levels 32,512"), 5, {"levels"});
  expect_one_line(shell("starpath segment synthetic:600x600,pattern=stroma --quiet --resume --out " + folder / "out"),
                  5, {"parameters differ: pipeline was \"nbia\" and is \"segmentation\"; use the same"});
  EXPECT_TRUE(before == read_file(folder / "out/results.sqlite"));
}

}  // namespace
}  // namespace starpath
