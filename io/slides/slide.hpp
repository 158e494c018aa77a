// A slide as the pipelines see it: pixels by region and level, for every file format.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codelets/kernels/image.hpp"

namespace starpath::io {

struct SlideLevel {
  std::int64_t width, height;
  double downsample;                               // >= 1; level 0 has 1
  std::int64_t block_width = 0, block_height = 0;  // of the pieces that are stored, from the top left on; 0: not known
};

/// A stored piece of a slide that cannot be read, in level-0 pixels.
struct Gap {
  std::int64_t x, y, width, height;
  std::string why;  // names file, level, place and reason
};

/// Where a slide lies on the canvas that its file describes, in level-0 pixels.
struct PlaceOnCanvas {
  std::int64_t x = 0, y = 0;           // of the slide's first pixel
  std::int64_t width = 0, height = 0;  // of the canvas
};

/// Of one pixel, in micrometres.
struct PixelShape {
  double width, height;
};

struct SlideInfo {
  std::string path;
  std::string format;  // "aperio" (and OpenSlide's other vendors), "dicom", "tiff", "png", "jpeg", "tiles", "synthetic"
  double mpp = 0;      // micrometres a pixel at level 0; 0 when the file does not say
  std::string mpp_by;  // what says so, for people; empty: the format's own field
  std::optional<PixelShape> oblong;  // what the file says instead of an mpp: pixels that are no squares
  double power = 0;                  // of the objective, where a description says it; 0: it does not
  std::string mpp_doubt;             // what else could be a resolution, and why it was not taken, for people
  std::vector<SlideLevel> levels;    // at least one
  std::string fingerprint;  // hex digest that tells this slide from another (used by --resume); see fingerprint.hpp
  std::map<std::string, std::string> properties;  // other properties of the file, under its vendor's names
  /// Where the slide is a part of a canvas (slide_bounds.hpp). All other places and sizes are the slide's own.
  std::optional<PlaceOnCanvas> place;
  std::string
      decoded_by;  // which process decodes it and what that may do, for people; empty: this one (child_slide.hpp)
  std::int64_t width() const { return levels.front().width; }
  std::int64_t height() const { return levels.front().height; }
};

class Slide {
 public:
  virtual ~Slide() = default;
  virtual const SlideInfo& info() const = 0;

  /// Reads the region whose top left pixel is (x, y) *in pixels of `level`* and whose size is the view's. Pixels
  /// outside the slide come out white. Throws Error{input} naming file, level, place and reason. Thread-safe.
  virtual void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const = 0;

  /// The same, where what cannot be read comes out white and is returned (gaps.hpp). Thread-safe.
  virtual std::vector<Gap> read_around_gaps(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const;

  /// What has been noticed of the slide so far that makes its pixels doubtful, a line each. Thread-safe.
  virtual std::vector<std::string> warnings() const { return {}; }
};

/// Opens any input: an OpenSlide slide; a TIFF, PNG or JPEG file; a folder of tiles (names: tile_names.hpp); a DICOM
/// file of a slide or a folder with the DICOM files of one (dicom_series.hpp);
/// "synthetic:WxH[,seed=N][,density=D][,mpp=M]" (io/synthetic/spec.hpp). Transparent pixels are laid over white.
/// Throws Error{input} or Error{usage} (a malformed synthetic: specification).
std::unique_ptr<Slide> open_slide(const std::string& input);

/// Whether the first bytes of the input are those of a format that open_slide reads. Never throws.
bool is_recognised(const std::string& input);

}  // namespace starpath::io
