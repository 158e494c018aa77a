// The image that an OME-TIFF says its first page is.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/slides/slide.hpp"

namespace starpath::io {

struct OmeImage {
  /// PhysicalSizeX and PhysicalSizeY, in any unit of length, where one of them is stated as a length.
  std::optional<PixelShape> pixel;
  int significant_bits = 0;  ///< of a value, those that the camera filled; 0 when it does not say
};

/// `description`: the text of the first page, which has `width` x `height` pixels of `samples` values. Nothing when it
/// is no OME-XML. Throws Error{input} when the XML is damaged, or has no image of this size, several of them, or one of
/// several planes: focal planes, times, channels in pages of their own.
std::optional<OmeImage> ome_image(const std::string& path, const std::string& description, std::int64_t width,
                                  std::int64_t height, int samples);

/// Width and height of the images that OME-XML calls a label, macro or thumbnail (is_called_beside), if no other image
/// has this size. None where the text is no OME-XML, or damaged.
std::vector<std::pair<std::int64_t, std::int64_t>> ome_sizes_beside(const std::string& description);

}  // namespace starpath::io
