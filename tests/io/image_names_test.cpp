// Endings of files.
#include "io/slides/image_names.hpp"

#include <gtest/gtest.h>

namespace starpath::io {
namespace {

TEST(ImageNames, AreThoseOfPicturesAndSlides) {
  for (const char* name : {"a.png", "b/c.TIFF", "d.x.jpg"})
    EXPECT_TRUE(is_image_name(name) && is_slide_name(name)) << name;
  for (const char* name : {"a.svs", "b.NDPI"}) EXPECT_TRUE(!is_image_name(name) && is_slide_name(name)) << name;
  for (const char* name : {"", "a.geojson", "png", "svs", "a.png.json", "a.dcm"})
    EXPECT_FALSE(is_slide_name(name)) << name;
}

}  // namespace
}  // namespace starpath::io
