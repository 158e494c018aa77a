// Slides that cross-validation holds out together.
#include "pipelines/classification/held_out.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "tests/support/growth.hpp"

namespace starpath {
namespace {

using Slides = std::vector<ClassifiedSlide>;
using Places = std::vector<std::size_t>;

ClassifiedSlide slide(const std::string& folder, const std::string& fingerprint, const std::string& patient = "") {
  return {1, "study/" + folder + "/results.sqlite", folder, folder + ".svs", fingerprint, patient};
}

HeldOut held_out(const Slides& slides, std::vector<std::string>& lines) {
  std::vector<const ClassifiedSlide*> all;
  for (const ClassifiedSlide& each : slides) all.push_back(&each);
  return held_out_units(all, lines);
}

TEST(HeldOut, SlidesOfAPatientAndCopiesAreTogether) {
  std::vector<std::string> lines;
  const HeldOut found = held_out({slide("a", "1", "P1"), slide("b", "2"), slide("c", "3", "P2"), slide("d", "4", "P1"),
                                  slide("e", "5"), slide("f", "3", "P1"), slide("g", "3")},
                                 lines);
  EXPECT_EQ(found.units, (Places{0, 1, 0, 0, 2, 0, 0})) << "f joins the patients";
  EXPECT_EQ(found.by, "patient");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0],
            "study/c/results.sqlite and study/f/results.sqlite are the same slide: they are held out together");
  EXPECT_EQ(lines[1],
            "study/c/results.sqlite and study/g/results.sqlite are the same slide: they are held out together");
  EXPECT_EQ(lines[2],
            "study/f/results.sqlite and study/g/results.sqlite are the same slide: they are held out together");
  EXPECT_EQ(held_out({slide("a", "1"), slide("b", "2")}, lines).by, "slide");
}

TEST(HeldOut, APatientStaysTogetherWhenACopyJoinsAnother) {
  std::vector<std::string> lines;
  const HeldOut found =
      held_out({slide("a", "1", "P1"), slide("b", "2", "P2"), slide("c", "3", "P2"), slide("d", "2", "P1")}, lines);
  EXPECT_EQ(found.units, (Places{0, 0, 0, 0})) << "c is of the patient of b, whose copy d is of the patient of a";
}

TEST(HeldOut, UnitsAreTheSameAsWhenEachPairIsJoined) {
  std::mt19937 random(4);
  for (int round = 0; round < 50; ++round) {
    Slides slides;
    for (int i = 0; i < 40; ++i) {
      const auto patient = random() % 20;
      slides.push_back(
          slide(std::to_string(i), std::to_string(random() % 40), patient < 5 ? "" : "P" + std::to_string(patient)));
    }
    Places first(slides.size());
    for (std::size_t i = 0; i < slides.size(); ++i) {
      first[i] = i;
      for (std::size_t j = 0; j < i; ++j)
        if (slides[i].fingerprint == slides[j].fingerprint ||
            (!slides[i].patient.empty() && slides[i].patient == slides[j].patient)) {
          const auto [least, most] = std::minmax({first[i], first[j]});
          std::ranges::replace(first, most, least);
        }
    }
    std::vector<std::string> lines;
    const Places units = held_out(slides, lines).units;
    std::size_t next = 0;
    for (std::size_t i = 0; i < slides.size(); ++i)
      ASSERT_EQ(units[i], first[i] == i ? next++ : units[first[i]]) << i << " in round " << round;
  }
}

TEST(HeldOut, SlidesAreNotComparedPairByPair) {
  const double times = test::growth(100, 1600, [](std::size_t count) {
    auto slides = std::make_shared<Slides>();
    for (std::size_t i = 0; i < count; ++i)
      slides->push_back(slide("s" + std::to_string(i), std::to_string(i), "patient " + std::to_string(i / 20)));
    return [slides] {
      std::vector<std::string> lines;
      EXPECT_EQ(held_out(*slides, lines).units.back(), slides->size() / 20 - 1);
    };
  });
  EXPECT_LT(times, 64) << "of 16 times as many slides";
}

}  // namespace
}  // namespace starpath
