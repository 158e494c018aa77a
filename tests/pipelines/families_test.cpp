// Families of features: their names, and runs that compute some of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/tile_store.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "pipelines/segmentation/asked_families.hpp"
#include "pipelines/segmentation/segment_slide.hpp"

namespace starpath {
namespace {

FamilySet families_of(unsigned bits) {
  FamilySet families;
  for (std::size_t i = 0; i < kFamilyCount; ++i) families.set(static_cast<FeatureFamily>(i), (bits >> i & 1) != 0);
  return families;
}

std::string families_refusal(const std::vector<std::string>& names) {
  try {
    families_named(names);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(Families, HaveNames) {
  EXPECT_EQ(families_named({"all"}), FamilySet());
  EXPECT_EQ(families_named({"intensity", "shape"}), families_of(0b00011));
  EXPECT_EQ(text_of(families_named({"texture", "shape", "texture"})), "shape,texture");
  EXPECT_EQ(text_of(FamilySet()), "shape,intensity,gradient,edges,texture");
  EXPECT_NE(families_refusal({"shape", "size"}).find("'size'; there are shape, intensity, gradient, edges, texture"),
            std::string::npos)
      << families_refusal({"shape", "size"});
  EXPECT_FALSE(families_refusal({"all", "shape"}).empty());
  EXPECT_FALSE(families_refusal({}).empty());
}

TEST(Families, SayWhichFeaturesTheyHave) {
  EXPECT_EQ(feature_names({}), std::vector<std::string>(kFeatureNames.begin(), kFeatureNames.end()));
  const std::vector<std::string> shape = feature_names(families_of(1));
  EXPECT_EQ(shape, std::vector<std::string>(kFeatureNames.begin(), kFeatureNames.begin() + 9));
}

TEST(Families, ThatTheStainCheckNeedsCannotBeLeftOut) {
  SegmentationOptions options;
  options.families = families_of(1);
  try {
    check_options(options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("needs intensity"), std::string::npos) << error.what();
  }
  options.parameters.stain_check = 0;
  check_options(options);
}

/// The nuclei that a run over a picture stores, all of them.
class FamilyRuns : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::vector<io::NucleusRecord> nuclei_of(const FamilySet& families) {
    SegmentationOptions options;
    options.parameters.stain_check = 0;
    options.families = families;
    const std::string file = folder_ / (text_of(families) + ".sqlite");
    io::ResultStore store =
        io::ResultStore::create(file, run_key(slide_->info(), options), run_info(slide_->info(), grid_, options));
    EXPECT_EQ(segment_slide(grid_, io::TileStore(store), options, {}, stop_).tiles_failed, 0);
    EXPECT_EQ(store.info().feature_names, feature_names(families));
    std::vector<io::NucleusRecord> nuclei;
    io::NucleusStore(store).for_each_stored(
        true, [&](std::int64_t, const io::NucleusRecord& nucleus) { nuclei.push_back(nucleus); });
    return nuclei;
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("starpath_families_" + std::to_string(getpid()));
  const std::unique_ptr<io::Slide> slide_ = io::open_slide("synthetic:260x240,seed=5");
  const io::WorkingSlide grid_{*slide_, io::kDesignMpp, 0};
  const std::atomic<bool> stop_{false};
};

TEST_F(FamilyRuns, HaveTheColumnsOfTheRunOfAll) {
  const StarpuSession session({.policy = "eager", .cpus = 2, .gpus = 0});
  const std::vector<io::NucleusRecord> all = nuclei_of({});
  ASSERT_GT(all.size(), 5u);
  for (unsigned bits = 1; bits < (1U << kFamilyCount) - 1; ++bits) {
    const FamilySet families = families_of(bits);
    const std::vector<io::NucleusRecord> some = nuclei_of(families);
    ASSERT_EQ(some.size(), all.size()) << text_of(families);
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::vector<double> expected;
      for (std::size_t f = 0; f < kFeatureTotal; ++f)
        if (families.has(kFeaturePlaces[f].family)) expected.push_back(all[i].features[f]);
      ASSERT_EQ(some[i].features, expected) << text_of(families) << ", nucleus " << i;
      ASSERT_EQ(some[i].contour.size(), all[i].contour.size());
    }
  }
}

TEST_F(FamilyRuns, AreOtherRunsUnlessAllAreAsked) {
  SegmentationOptions options;
  const io::RunKey all = run_key(slide_->info(), options);
  EXPECT_EQ(all.parameters.find("families"), std::string::npos) << "results of versions before have none";
  options.families = families_of(0b00011);
  EXPECT_NE(run_key(slide_->info(), options).parameters.find(R"("families":"shape,intensity")"), std::string::npos);
}

}  // namespace
}  // namespace starpath
