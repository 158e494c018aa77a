// Nuclei that two tiles both see, or both leave to the other.
#include "pipelines/segmentation/seams.hpp"

#include <gtest/gtest.h>

namespace starpath {
namespace {

using Verdict = std::vector<bool>;

bool boxes_overlap(std::size_t, std::size_t) { return true; }

TEST(ResolveSeams, TheFirstOfTwoOwnedVersionsCounts) {
  const std::vector<SeamNucleus> nuclei = {{0, io::NucleusRole::owned, {95, 10, 10, 10}},
                                           {1, io::NucleusRole::owned, {96, 10, 10, 10}}};
  EXPECT_EQ(resolve_seams(nuclei, boxes_overlap), (Verdict{true, false}));
}

TEST(ResolveSeams, NeighboursThatShareNoPixelBothCount) {
  const std::vector<SeamNucleus> nuclei = {{0, io::NucleusRole::owned, {95, 10, 10, 10}},
                                           {1, io::NucleusRole::owned, {96, 10, 10, 10}}};
  EXPECT_EQ(resolve_seams(nuclei, [](std::size_t, std::size_t) { return false; }), (Verdict{true, true}));
}

TEST(ResolveSeams, OneTileNeverClashesWithItself) {
  const std::vector<SeamNucleus> nuclei = {{0, io::NucleusRole::owned, {95, 10, 10, 10}},
                                           {0, io::NucleusRole::owned, {96, 10, 10, 10}}};
  EXPECT_EQ(resolve_seams(nuclei, boxes_overlap), (Verdict{true, true}));
}

TEST(ResolveSeams, ACandidateCountsWhenNobodyOwnsIt) {
  const std::vector<SeamNucleus> alone = {{0, io::NucleusRole::candidate, {95, 10, 10, 10}}};
  EXPECT_EQ(resolve_seams(alone, boxes_overlap), (Verdict{true}));
  const std::vector<SeamNucleus> both = {{0, io::NucleusRole::candidate, {95, 10, 10, 10}},
                                         {1, io::NucleusRole::candidate, {96, 10, 10, 10}}};
  EXPECT_EQ(resolve_seams(both, boxes_overlap), (Verdict{true, false}));
}

TEST(ResolveSeams, ACandidateGivesWayToItsOwnerEvenIfItComesFirst) {
  const std::vector<SeamNucleus> nuclei = {{0, io::NucleusRole::candidate, {95, 10, 10, 10}},
                                           {1, io::NucleusRole::owned, {96, 10, 10, 10}}};
  EXPECT_EQ(resolve_seams(nuclei, boxes_overlap), (Verdict{false, true}));
}

TEST(ResolveSeams, GlassNeverCountsAndKeepsCandidatesOut) {
  const std::vector<SeamNucleus> nuclei = {{0, io::NucleusRole::candidate, {95, 10, 10, 10}},
                                           {1, io::NucleusRole::background, {96, 10, 10, 10}}};
  EXPECT_EQ(resolve_seams(nuclei, boxes_overlap), (Verdict{false, false}));
}

TEST(ResolveSeams, LooksAcrossBuckets) {
  const std::vector<SeamNucleus> nuclei = {{0, io::NucleusRole::owned, {60, 60, 10, 10}},
                                           {1, io::NucleusRole::owned, {66, 66, 300, 2}},
                                           {2, io::NucleusRole::owned, {350, 67, 5, 5}}};
  EXPECT_EQ(resolve_seams(nuclei, boxes_overlap), (Verdict{true, false, true}));
}

}  // namespace
}  // namespace starpath
