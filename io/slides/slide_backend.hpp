// A slide backend: one file <kind>_slide.cpp that ends in a descriptor, listed in the table of slide.cpp.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "io/slides/opening.hpp"
#include "io/slides/slide.hpp"

namespace starpath::io {

/// The known facts about an input before a backend opens it.
struct InputProbe {
  std::string input;  // as the user gave it
  bool is_directory = false;
  bool is_specification = false;  // "synthetic:…": no file at all
  std::string head = {};          // first bytes of the file (at most 64)
  Opening opening = {};
  bool begins_with(std::string_view magic) const { return head.compare(0, magic.size(), magic) == 0; }
  bool is_tiff() const;  // classic or BigTIFF, by its first bytes
};

struct SlideBackend {
  const char* name;
  /// Cheap: looks at the probe, or asks the library whether it knows the file. Never throws.
  bool (*recognises)(const InputProbe& probe);
  /// Throws Error{input} (Error{usage} for a malformed specification).
  std::unique_ptr<Slide> (*open)(const InputProbe& probe);
};

extern const SlideBackend kSyntheticBackend, kDicomBackend, kTilesBackend, kAperioBackend, kOpenslideBackend,
    kTiffBackend, kPngBackend, kJpegBackend;
/// Takes what has a vendor's ending and is no such slide, and says what is missing. Stands behind the vendors' reader.
extern const SlideBackend kIncompleteBackend;

/// Throws Error{input} with one line "<path>: <what>; <hint>". Line breaks in `what` (libraries put them there) become
/// spaces.
[[noreturn]] void fail_input(const std::string& path, std::string what, const std::string& hint);

/// The same for a failed read: names level and place.
[[noreturn]] void fail_read(const SlideInfo& info, int level, std::int64_t x, std::int64_t y, int width, int height,
                            const std::string& why);

/// Throws Error{internal} when the slide has no such level.
void check_level(const SlideInfo& info, int level);

/// Images that must be decoded whole may have at most this many pixels.
inline constexpr std::int64_t kMaxWholeImagePixels = std::int64_t{1} << 31;
/// Nor may their pixels take more than this share of the machine's memory: the rest is for the work.
inline constexpr double kMostOfMemory = 0.5;

/// Throws Error{input} for an empty image or one with more pixels than max_whole_image_pixels.
void check_whole_image_size(const std::string& path, std::int64_t width, std::int64_t height);

/// A resolution read from a file, or 0 when it cannot be that of a microscope (72 dpi of a photograph, say).
double plausible_mpp(double mpp);
/// Pixels that are longer than wide by more than this are no squares: with the mean of both, a length would be wrong by
/// over 2.5 % in one direction.
inline constexpr double kMostOblong = 1.05;

}  // namespace starpath::io
