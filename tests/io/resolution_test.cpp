// What is known of a slide's resolution, from the surest source to the least, and what is told.
#include "io/slides/resolution.hpp"

#include <gtest/gtest.h>

#include "io/slides/working_slide.hpp"

namespace starpath::io {
namespace {

SlideInfo slide(double mpp, const char* power = nullptr) {
  SlideInfo info;
  info.format = "aperio";
  info.mpp = mpp;
  if (power != nullptr) info.properties["openslide.objective-power"] = power;
  return info;
}

TEST(Resolution, TheUserComesFirstThenTheFileThenTheObjective) {
  EXPECT_EQ(stated_resolution(slide(0.25, "20"), 0.4).source, MppSource::said);
  EXPECT_EQ(stated_resolution(slide(0.25, "20"), 0.4).mpp, 0.4);
  EXPECT_EQ(stated_resolution(slide(0.25, "20"), 0).source, MppSource::file);
  EXPECT_EQ(stated_resolution(slide(0.25, "20"), 0).mpp, 0.25);
  EXPECT_EQ(stated_resolution(slide(0, "40"), 0).source, MppSource::objective);
  EXPECT_EQ(stated_resolution(slide(0, "40"), 0).mpp, 0.25);
  EXPECT_EQ(stated_resolution(slide(0, "20"), 0).mpp, 0.5);
}

TEST(Resolution, IsUnknownOtherwise) {
  for (const char* power : {static_cast<const char*>(nullptr), "", "0", "-40", "many", "4000"}) {
    const Resolution found = stated_resolution(slide(0, power), 0);
    EXPECT_FALSE(found.known());
    EXPECT_EQ(found.mpp, kDesignMpp);
  }
}

TEST(Resolution, IsTold) {
  EXPECT_EQ(text_of(stated_resolution(slide(0.25), 0)), "0.25 um/px, stated by the slide (aperio)");
  EXPECT_EQ(text_of(stated_resolution(slide(0, "40"), 0)), "0.25 um/px, assumed from the objective's power (40x)");
  EXPECT_EQ(text_of({0.3, MppSource::said, ""}), "0.3 um/px, as --mpp says");
}

TEST(Resolution, WarnsUnlessItIsSaidOrStatedAndPlausible) {
  const auto warns = [](const Resolution& resolution, const char* word) {
    return resolution_warning(resolution).find(word) != std::string::npos;
  };
  EXPECT_EQ(resolution_warning(stated_resolution(slide(0.25), 0)), "");
  EXPECT_EQ(resolution_warning(stated_resolution(slide(0), 2)), "");
  EXPECT_TRUE(warns(stated_resolution(slide(0), 0), "--mpp"));
  EXPECT_TRUE(warns(stated_resolution(slide(0, "40"), 0), "objective"));
  EXPECT_TRUE(warns(stated_resolution(slide(5), 0), "0.05 to 2"));
  EXPECT_TRUE(warns(stated_resolution(slide(0), 0.04), "0.05 to 2"));
  EXPECT_TRUE(warns({0.25, MppSource::nuclei, ""}, "nuclei"));
}

}  // namespace
}  // namespace starpath::io
