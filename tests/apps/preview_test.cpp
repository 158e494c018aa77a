// `starpath preview`: what it chooses, what it shows, and that it shows what `starpath segment` finds.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/pure/rect.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/page_data.hpp"
#include "tests/apps/results.hpp"
#include "tests/support/tiled_tiff.hpp"

namespace starpath::test {
namespace {

using Pixels = std::set<std::pair<std::int64_t, std::int64_t>>;

/// First pixels of the outlines that begin at least `margin` inside the field.
Pixels first_pixels(const std::string& path, const Rect& field, std::int64_t margin) {
  Pixels pixels;
  for (std::size_t at = path.find('M'); at != std::string::npos; at = path.find('M', at + 1)) {
    std::istringstream text(path.substr(at + 1, 40));
    std::int64_t x = 0, y = 0;
    text >> x >> y;
    if (std::min({x, y, field.width - 1 - x, field.height - 1 - y}) >= margin) pixels.emplace(field.y + y, field.x + x);
  }
  return pixels;
}

TEST(Preview, FindsInItsFieldsWhatARunFinds) {
  constexpr std::int64_t kMargin = 48;  // no nucleus is wider
  const TemporaryFolder folder;
  const Outcome preview =
      shell("starpath preview synthetic:1500x1400,seed=5 --fields 3 --gpus 0 --out " + folder / "p.html");
  expect_says(preview, 0, {"p.html", "as given"});
  ASSERT_EQ(shell("starpath segment synthetic:1500x1400,seed=5 --gpus 0 --export none --out " + folder / "run").code,
            0);
  Pixels all;
  for (const auto& [first, contour] : outlines(folder / "run")) all.insert(first);
  const auto data = page_data(read_file(folder / "p.html"));
  ASSERT_EQ(data["fields"].size(), 3u);
  for (const auto& field : data["fields"]) {
    const Rect rect{field["place"]["x"], field["place"]["y"], field["place"]["width"], field["place"]["height"]};
    const Pixels shown = first_pixels(field["variants"][0]["path"], rect, kMargin);
    Pixels expected;
    for (const auto& [y, x] : all)
      if (std::min({x - rect.x, y - rect.y, rect.right() - 1 - x, rect.bottom() - 1 - y}) >= kMargin)
        expected.emplace(y, x);
    EXPECT_EQ(shown, expected);
    EXPECT_GT(shown.size(), 10u);
    EXPECT_GE(field["variants"][0]["nuclei"], shown.size());
  }
}

TEST(Preview, APlaceThatCannotBeWrittenIsToldBeforeTheWork) {
  const TemporaryFolder folder;
  std::ofstream(folder / "precious") << "precious";
  std::filesystem::create_symlink(folder / "precious", folder / "link.html");
  const std::string preview = "starpath preview synthetic:600x500 --fields 1 --quiet --out ";
  test::expect_one_line(shell(preview + folder / "link.html"), 4, {"is a symbolic link"});
  EXPECT_EQ(read_file(folder / "precious"), "precious");
  test::expect_one_line(shell(preview + folder / "nowhere/p.html"), 4, {"cannot be written", "make the folder first"});
  test::expect_one_line(shell(preview + "/dev/full"), 4, {"/dev/full", "No space left"});
}

TEST(Preview, ThePageNeedsNothingElseAndSaysWhereValuesComeFrom) {
  const TemporaryFolder folder;
  const Outcome outcome = shell(
      "starpath preview synthetic:600x500,seed=5 --set G1=70,G2=40 --sweep min_area_um2=5:15:10 --fields 1 --gpus 0 "
      "--json --quiet --out " +
      folder / "p.html");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const auto summary = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(summary["event"], "summary");
  EXPECT_EQ(summary["page"], folder / "p.html");
  ASSERT_EQ(summary["fields"].size(), 1u);
  const auto& variants = summary["fields"][0]["variants"];
  ASSERT_EQ(variants.size(), 3u);
  EXPECT_GE(variants[1]["nuclei"], variants[2]["nuclei"]) << "larger nuclei only";
  const std::string page = read_file(folder / "p.html");
  for (const char* outside : {"src=\"", "href=\"preview", "http://", "https://"}) {
    const std::size_t at = page.find(outside);
    EXPECT_TRUE(at == std::string::npos || page.compare(at, 17, "http://www.w3.org") == 0) << outside;
  }
  std::map<std::string, nlohmann::json> parameters;
  const auto data = page_data(page);
  for (const auto& parameter : data["parameters"]) parameters[parameter["name"]] = parameter;
  EXPECT_EQ(parameters.at("G1")["origin"], "--set");
  EXPECT_EQ(parameters.at("G1")["value"], 70);
  EXPECT_EQ(parameters.at("min_area_um2")["origin"], "default");
}

TEST(Preview, AreasAreInMicrometresOfTheSlide) {
  const TemporaryFolder folder;
  const auto preview = [&](const std::string& slide) {
    const Outcome outcome =
        shell("starpath preview " + slide + " --fields 1 --gpus 0 --json --quiet --out " + folder / "p.html");
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return nlohmann::json::parse(outcome.output).at("fields").at(0).at("variants").at(0);
  };
  const auto known =
      preview("synthetic:600x500,seed=5 --mpp 0.497");  // within 1 % of 0.5: its pixels are taken as they are
  const double pixels = known["median_area_px"];
  EXPECT_GT(pixels, 0);
  EXPECT_NEAR(known["median_area_um2"], pixels * 0.497 * 0.497, 1e-9);
  EXPECT_NEAR(page_data(read_file(folder / "p.html"))["pixel_um2"], 0.497 * 0.497, 1e-9);
  support::write_tiled_tiff(folder / "unknown.tif", 1);
  const auto unknown = preview(folder / "unknown.tif");
  EXPECT_TRUE(unknown.contains("median_area_px"));
  EXPECT_FALSE(unknown.contains("median_area_um2"));
  EXPECT_EQ(page_data(read_file(folder / "p.html"))["pixel_um2"], 0);
}

TEST(Preview, ContradictionsInASweepAreShownAndOthersRefused) {
  const TemporaryFolder folder;
  const Outcome outcome = shell(
      "starpath preview synthetic:600x500,seed=5 --set G2=40 --sweep G1=30,60 --fields 1 --gpus 0 --json --quiet "
      "--out " +
      folder / "p.html");
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const auto variants = nlohmann::json::parse(outcome.output).at("fields").at(0).at("variants");
  EXPECT_TRUE(variants[1].contains("refused"));
  EXPECT_TRUE(variants[2].contains("nuclei"));
  const std::string start = "starpath preview synthetic:600x500,seed=5 --out " + (folder / "no.html") + " ";
  expect_one_line(shell(start + "--sweep G1=20:100"), 2, {"--sweep", "G1=20:100:20"});
  expect_one_line(shell(start + "--sweep G7=1,2"), 2, {"G7"});
  expect_one_line(shell(start + "--set G1=30,G2=60"), 2, {"G1", "G2"});
  expect_one_line(shell(start + "--roi 5000,0,100,100"), 2, {"--roi"});
  expect_one_line(shell("starpath preview nothing.svs"), 3, {"nothing.svs"});
  EXPECT_FALSE(std::filesystem::exists(folder / "no.html"));
}

TEST(Preview, WarnsWhereNothingIsFound) {
  const TemporaryFolder folder;
  const Outcome outcome = shell(
      "starpath preview synthetic:600x500,seed=5 --set G1=254,G2=254 --fields 1 --gpus 0 --out " + folder / "p.html");
  expect_says(outcome, 0, {"warning: No nucleus in any field"});
}

}  // namespace
}  // namespace starpath::test
