// `starpath segment` from outside: what it writes, and that nothing but the slide decides what that is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "io/results/nucleus_store.hpp"
#include "io/results/tile_store.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/kills.hpp"
#include "tests/apps/results.hpp"
#include "tests/support/real_slide.hpp"

namespace starpath {
namespace {

using test::read_file;
using test::shell;
using test::TemporaryFolder;

const std::vector<std::string> kExports = {"nuclei.geojson", "nuclei.csv", "labels.tif", "overlay.png"};

std::map<std::string, std::string> exported(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const std::string& name : kExports) files[name] = read_file(folder + "/" + name);
  return files;
}

void expect_same_exports(const std::string& a, const std::string& b) {
  const auto left = exported(a), right = exported(b);
  for (const std::string& name : kExports)
    EXPECT_TRUE(left.at(name) == right.at(name)) << name << " differs: " << a << ", " << b;
}

TEST(Segment, NamesItsFilesAndSumsUp) {
  const TemporaryFolder folder;
  const auto run = shell("starpath segment synthetic:700x600,seed=3 --out " + folder / "out");
  ASSERT_EQ(run.code, 0) << run.output;
  for (const std::string& name : kExports)
    EXPECT_NE(run.output.find(folder / "out/" + name), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("1 tile (0 glass, 0 failed, 0 from before)"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("under apex; cpu"), std::string::npos) << run.output;
  EXPECT_GT(test::outlines(folder / "out").size(), 50u);
}

TEST(Segment, JsonSummaryIsTheLastLine) {
  const TemporaryFolder folder;
  const auto run =
      shell("starpath segment synthetic:700x600,seed=3 --json --policy fcfs --export none --out " + folder / "out");
  ASSERT_EQ(run.code, 0) << run.output;
  const std::string body = run.output.substr(0, run.output.size() - 1);
  const auto summary = nlohmann::json::parse(body.substr(body.rfind('\n') + 1));
  EXPECT_EQ(summary["event"], "summary");
  EXPECT_EQ(summary["policy"], "fcfs");
  EXPECT_EQ(summary["tiles"], 1);
  EXPECT_EQ(summary["nuclei"], test::outlines(folder / "out").size());
  EXPECT_EQ(summary["shares"]["cpu"]["watershed"]["tasks"], 1);
}

TEST(Segment, QuietSaysNothing) {
  const TemporaryFolder folder;
  EXPECT_EQ(shell("starpath segment synthetic:300x300 --quiet --out " + folder / "out").output, "");
}

TEST(Segment, SameBytesUnderEveryPolicyAndWorkerCount) {
  const TemporaryFolder folder;
  for (const std::string policy : {"fcfs", "pats", "apex", "eager", "dmda"})
    for (const std::string cpus : {"1", "2"}) {
      const auto run = shell("starpath segment synthetic:1500x1300,seed=5 --tile 512 --policy " + policy + " --cpus " +
                             cpus + " --out " + folder / (policy + cpus));
      ASSERT_EQ(run.code, 0) << run.output;
      expect_same_exports(folder / "fcfs1", folder / (policy + cpus));
    }
}

TEST(Segment, EachTaskIsMeasuredWithTheFactsOfItsTile) {
  const TemporaryFolder folder;
  const std::string profile = folder / "my.profile";
  for (const std::string policy : {"fcfs", "apex"}) {
    const auto run = shell("STARPATH_PROFILE=" + profile + policy + " starpath segment synthetic:1500x1300,seed=5 " +
                           "--tile 512 --json --export none --policy " + policy + " --out " + folder / policy);
    ASSERT_EQ(run.code, 0) << run.output;
    EXPECT_EQ(run.output.find("performance model declares"), std::string::npos) << run.output;
    const std::string body = run.output.substr(0, run.output.size() - 1);
    const auto shares = nlohmann::json::parse(body.substr(body.rfind('\n') + 1))["shares"]["cpu"];
    const auto list = nlohmann::json::parse(shell("starpath profile list --json --profile " + profile + policy).output);
    for (const char* codelet : {"read", "detect", "watershed", "colour_deconvolution", "texture_features", "collect"}) {
      const auto row = std::ranges::find_if(list, [&](const auto& each) { return each["codelet"] == codelet; });
      ASSERT_NE(row, list.end()) << codelet;
      EXPECT_EQ((*row)["measured"], shares[codelet]["tasks"]) << codelet << ": none had a fact that was not there";
    }
  }
  const auto sample =
      nlohmann::json::parse(shell("starpath profile show texture_features --json --profile " + profile + "fcfs").output)
          .at(0);
  EXPECT_GT(sample["numeric"]["nuclei"], 0);
  EXPECT_GT(sample["numeric"]["patch_pixels"], sample["numeric"]["nuclei"]);
}

TEST(Segment, NormalisedFeaturesHaveTheSameBytesToo) {
  const TemporaryFolder folder;
  for (const std::string policy : {"fcfs", "apex"})
    for (const std::string cpus : {"1", "2"}) {
      const auto run = shell("starpath segment synthetic:1500x1300,seed=5 --set normalise=1 --tile 512 --policy " +
                             policy + " --cpus " + cpus + " --out " + folder / (policy + cpus));
      ASSERT_EQ(run.code, 0) << run.output;
      expect_same_exports(folder / "fcfs1", folder / (policy + cpus));
    }
  ASSERT_EQ(shell("starpath segment synthetic:1500x1300,seed=5 --tile 512 --out " + folder / "off").code, 0);
  EXPECT_EQ(test::outlines(folder / "off"), test::outlines(folder / "fcfs1")) << "what is found stays the same";
  EXPECT_FALSE(read_file(folder / "off/nuclei.csv") == read_file(folder / "fcfs1/nuclei.csv"));
}

TEST(Segment, ColoursNormalisedFirstChangeWhatIsFoundAndNothingElseDoes) {
  const TemporaryFolder folder;
  const std::string call = "starpath segment synthetic:1500x1300,seed=5 --quiet --out ";
  const auto run = [&](const std::string& name, const std::string& options) {
    const auto outcome = shell(call + folder / name + " " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
  };
  run("off", "--tile 512");
  run("fcfs", "--set normalise=2 --tile 512 --policy fcfs --cpus 1");
  for (const char* policy : {"apex", "pats"})
    run(policy, std::string("--set normalise=2 --tile 512 --cpus 2 --policy ") + policy);
  run("large", "--set normalise=2 --tile 1024");
  expect_same_exports(folder / "fcfs", folder / "apex");
  expect_same_exports(folder / "fcfs", folder / "pats");
  EXPECT_EQ(test::outlines(folder / "fcfs"), test::outlines(folder / "large")) << "each pixel is changed alone";
  EXPECT_NE(test::outlines(folder / "off"), test::outlines(folder / "fcfs"));
  test::expect_one_line(shell(call + folder / "fcfs --resume --set normalise=1 --tile 512"), 5, {"normalise"});
  run("paper", "--preset paper --set normalise=2");
  const io::ResultStore store = io::ResultStore::open(folder / "paper/results.sqlite");
  EXPECT_TRUE(store.kept("survey")) << "it finds the stains";
}

TEST(Segment, ATileAsOneTaskGivesTheBytesOfThePipeline) {
  const TemporaryFolder folder;
  const std::string call = "starpath segment synthetic:1100x900,seed=5 --tile 512 --json --out ";
  const auto run = [&](const std::string& name, const std::string& options) {
    const auto outcome = shell(call + folder / name + " " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    const std::string body = outcome.output.substr(0, outcome.output.size() - 1);
    return nlohmann::json::parse(body.substr(body.rfind('\n') + 1));
  };
  for (const std::string options : {"", " --set normalise=1", " --set normalise=2", " --families shape,intensity"}) {
    SCOPED_TRACE(options);
    run("pipelined", options + " --overwrite");
    for (const char* devices : {" --policy fcfs --cpus 1", " --policy pats --cpus 2"}) {
      const auto summary = run("tiles", options + devices + " --overwrite --non-pipelined");
      expect_same_exports(folder / "pipelined", folder / "tiles");
      EXPECT_EQ(summary["shares"]["cpu"]["whole_tile"]["tasks"], summary["tiles"]);
      EXPECT_FALSE(summary["shares"]["cpu"].contains("watershed"));
    }
  }
  run("tiles", " --resume --families shape,intensity");  // what of it is one task is no matter of the results
}

// Nuclei whose pixels are the same in both, as a share of the larger set.
double agreement(const std::string& a, const std::string& b) {
  const auto left = test::outlines(a), right = test::outlines(b);
  std::size_t same = 0;
  for (const auto& [first, contour] : left) {
    const auto found = right.find(first);
    same += found != right.end() && found->second == contour;
  }
  return static_cast<double>(same) / static_cast<double>(std::max(left.size(), right.size()));
}

void expect_disjoint(const std::string& folder) {
  std::map<std::pair<int, int>, std::int64_t> owner;
  const io::ResultStore store = io::ResultStore::open(folder + "/results.sqlite");
  io::NucleusStore(store).for_each_nucleus(false, [&](std::int64_t id, const io::NucleusRecord& nucleus) {
    std::int64_t pixels = 0;
    for (const io::PixelRun& run : io::pixel_runs(nucleus.contour))
      for (int x = run.x0; x < run.x1; ++x, ++pixels)
        EXPECT_TRUE(owner.emplace(std::make_pair(x, run.y), id).second)
            << "nuclei " << owner[{x, run.y}] << " and " << id;
    EXPECT_EQ(pixels, nucleus.area);
  });
}

TEST(Segment, TileSizesAgreeAndSeamsNeitherDoubleNorCut) {
  const TemporaryFolder folder;
  for (const std::string tile : {"4096", "1024", "400"}) {
    const auto run =
        shell("starpath segment synthetic:2300x2200,seed=9 --export none --tile " + tile + " --out " + folder / tile);
    ASSERT_EQ(run.code, 0) << run.output;
    expect_disjoint(folder / tile);
  }
  EXPECT_GE(agreement(folder / "1024", folder / "4096"), 0.995);
  EXPECT_GE(agreement(folder / "400", folder / "4096"), 0.99);
}

TEST(Segment, RegionOfInterestGivesTheNucleiOfTheWhole) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      shell("starpath segment synthetic:1600x1600,seed=2 --tile 512 --export none --out " + folder / "whole").code, 0);
  const auto run =
      shell("starpath segment synthetic:1600x1600,seed=2 --tile 512 --export none --roi 300,400,700,500 --out " +
            folder / "roi");
  ASSERT_EQ(run.code, 0) << run.output;
  const auto whole = test::outlines(folder / "whole"), roi = test::outlines(folder / "roi");
  std::size_t same = 0;
  for (const auto& [first, contour] : roi) {
    EXPECT_GE(first.first, 350);
    EXPECT_LT(first.first, 900);
    const auto found = whole.find(first);
    same += found != whole.end() && found->second == contour;
  }
  EXPECT_GT(roi.size(), 100u);
  EXPECT_GE(static_cast<double>(same), 0.99 * static_cast<double>(roi.size()));
}

TEST(Segment, ANucleusBelongsToOneOfTwoRectangles) {
  const TemporaryFolder folder;
  const auto nuclei_in = [&](const std::string& name, int x, int width) {
    const auto run =
        shell(fmt::format("starpath segment synthetic:900x600,seed=2 --mpp 0.5 --preset paper --export none "
                          "--roi {},0,{},600 --out {}",
                          x, width, folder / name));
    EXPECT_EQ(run.code, 0) << run.output;
    io::NucleusStore(io::ResultStore::open(folder / name + "/results.sqlite"))
        .for_each_nucleus(false, [&](std::int64_t, const auto& n) {
          EXPECT_GE(n.centroid_x, x);
          EXPECT_LT(n.centroid_x, x + width);
        });
    return test::outlines(folder / name);
  };
  const auto whole = nuclei_in("whole", 0, 900), left = nuclei_in("left", 0, 431), right = nuclei_in("right", 431, 469);
  for (const auto& [first, contour] : left) EXPECT_FALSE(right.contains(first));
  EXPECT_NEAR(static_cast<double>(left.size() + right.size()), static_cast<double>(whole.size()), 2);
}

TEST(Segment, KilledAtAnyMomentItResumesToTheSameBytes) {
  const TemporaryFolder folder;
  const std::string run = "segment synthetic:1400x1400,seed=4 --tile 256 --halo 64 --quiet";
  const double seconds = test::seconds_of(run + " --out " + folder / "whole");
  for (int round = 0; round < 4; ++round) {
    const std::string out = folder / ("killed" + std::to_string(round));
    ASSERT_NO_FATAL_FAILURE(test::kill_and_resume(run, out, seconds, 50));
    expect_same_exports(folder / "whole", out);
  }
}

TEST(Segment, InterruptKeepsFinishedTilesAndSaysHowToGoOn) {
  const TemporaryFolder folder;
  const std::string out = folder / "out", pid = folder / "pid";
  auto run = std::async(std::launch::async, [&] {
    return shell(STARPATH_PROGRAM " segment synthetic:30000x30000 --tile 512 --out " + out + " & echo $! > " + pid +
                 "; wait $!");
  });
  const auto results = out + "/results.sqlite";  // locked by the run, but it grows
  std::error_code missing;
  while (!std::filesystem::exists(results, missing) || std::filesystem::file_size(results, missing) < 1'000'000)
    ASSERT_EQ(run.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout) << run.get().output;
  kill(std::stoi(test::read_file(pid)), SIGINT);
  const auto outcome = run.get();
  EXPECT_NE(outcome.output.find("continue with --resume"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find(" of 3481 tiles ("), std::string::npos) << "what is done, not all: " << outcome.output;
  EXPECT_EQ(outcome.output.find(" 0 nuclei, 0.5 um/px"), std::string::npos) << outcome.output;
  EXPECT_FALSE(io::TileStore(io::ResultStore::open(results)).tiles().empty());
}

TEST(Segment, RealSlide) {
  const std::string slide = support::real_slide();
  if (!std::filesystem::exists(slide)) GTEST_SKIP() << "no real slide at " << slide << " (set STARPATH_DATA)";
  const TemporaryFolder folder;
  ASSERT_EQ(shell("starpath segment " + slide + " --tile 1024 --policy pats --out " + folder / "a").code, 0);
  ASSERT_EQ(shell("starpath segment " + slide + " --tile 1024 --policy fcfs --cpus 1 --out " + folder / "b").code, 0);
  ASSERT_EQ(shell("starpath segment " + slide + " --tile 4096 --export none --out " + folder / "c").code, 0);
  expect_same_exports(folder / "a", folder / "b");
  expect_disjoint(folder / "a");
  EXPECT_GT(test::outlines(folder / "a").size(), 500u);
  EXPECT_GE(agreement(folder / "a", folder / "c"), 0.995);
}

}  // namespace
}  // namespace starpath
