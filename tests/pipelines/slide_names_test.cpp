// The slides of many that a file of annotations is of.
#include "pipelines/classification/slide_names.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/growth.hpp"

namespace starpath {
namespace {

using Places = std::vector<std::size_t>;

TEST(SlideNames, TheFolderIsSurerThanTheFile) {
  const SlideNames names({{1, "", "a", "b.svs", ""},
                          {2, "", "b", "c.svs", ""},
                          {3, "", "p1_c", "c.svs", ""},
                          {4, "", "d", "a.ome.tif", ""}});
  EXPECT_EQ(names.places_of("a"), Places{0});
  EXPECT_EQ(names.places_of("b"), Places{1});
  EXPECT_EQ(names.places_of("b.svs"), Places{0});
  EXPECT_EQ(names.places_of("c"), (Places{1, 2}));
  EXPECT_EQ(names.places_of("a.ome"), Places{3});
  EXPECT_EQ(names.places_of("e"), Places{});
}

TEST(SlideNames, AreNotSearchedOneByOne) {
  const double times = test::growth(100, 6400, [](std::size_t count) {
    std::vector<ClassifiedSlide> slides;
    for (std::size_t i = 0; i < count; ++i)
      slides.push_back({1, "", "slide " + std::to_string(i), std::to_string(i) + ".svs", ""});
    return [names = std::make_shared<SlideNames>(slides), count] {
      for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(names->places_of(std::to_string(i * 7919 % count)).size(), 1u);
    };
  });
  EXPECT_LT(times, 32) << "of 64 times as many slides";
}

}  // namespace
}  // namespace starpath
