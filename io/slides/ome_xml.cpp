// Reads <OME><Image><Pixels .../></Image></OME> with Expat. The attributes are those of OME's schema of June 2016;
// older schemas have lengths in micrometres only.
#include "io/slides/ome_xml.hpp"

#include <expat.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <climits>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/pure/parse_number.hpp"
#include "base/utf8.hpp"
#include "io/slides/length_units.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/tiff_pages.hpp"

namespace starpath::io {
namespace {

constexpr std::int64_t kMostOfASize = 0x7fffffff;
constexpr const char* kPlaneHint =
    "save the wanted image as an RGB TIFF or OME-TIFF of one plane, for instance in Fiji or QuPath";
constexpr const char* kDamagedHint =
    "write the file again with the program that made it, or convert it to a tiled TIFF";

/// The attributes of <Pixels>.
struct Pixels {
  std::int64_t width = 0, height = 0, focal_planes = 1, channels = 1, times = 1;
  double mpp_x = 0, mpp_y = 0;  // 0: not stated as a length
  int significant_bits = 0;     // 0: not stated
  bool beside = false;          // of an image that is called a label, macro or thumbnail
};

struct Reading {
  XML_Parser parser = nullptr;
  bool begun = false, is_ome = false;
  bool beside = false;  // as the image is called whose elements follow
  std::vector<Pixels> images;
  std::string flaw;
};

/// Attributes of one element: names and values by turns, then null.
class Attributes {
 public:
  explicit Attributes(const XML_Char** pairs) : pairs_(pairs) {}

  const char* find(std::string_view name) const {
    for (const XML_Char** at = pairs_; *at != nullptr; at += 2)
      if (*at == name) return at[1];
    return nullptr;
  }

  double micrometres(const char* size, const char* unit) const {
    const char *text = find(size), *unit_text = find(unit);
    const double value = text != nullptr ? parse_number<double>(text).value_or(0) : 0;
    return value > 0 ? value * micrometres_of(unit_text != nullptr ? unit_text : "um").value_or(0) : 0;
  }

 private:
  const XML_Char** pairs_;
};

void take_pixels(Reading& reading, const Attributes& attributes) {
  Pixels pixels;
  for (const auto& [name, size] : {std::pair{"SizeX", &Pixels::width},
                                   {"SizeY", &Pixels::height},
                                   {"SizeZ", &Pixels::focal_planes},
                                   {"SizeC", &Pixels::channels},
                                   {"SizeT", &Pixels::times}}) {
    const char* text = attributes.find(name);
    if (text == nullptr) continue;
    pixels.*size = parse_number<std::int64_t>(text).value_or(0);
    if (pixels.*size >= 1 && pixels.*size <= kMostOfASize) continue;
    reading.flaw = fmt::format("gives no whole number above 0 as {}", name);
    XML_StopParser(reading.parser, XML_FALSE);
    return;
  }
  pixels.mpp_x = attributes.micrometres("PhysicalSizeX", "PhysicalSizeXUnit");
  pixels.mpp_y = attributes.micrometres("PhysicalSizeY", "PhysicalSizeYUnit");
  if (const char* bits = attributes.find("SignificantBits"); bits != nullptr)
    pixels.significant_bits = parse_number<int>(bits).value_or(0);
  pixels.beside = reading.beside;
  reading.images.push_back(pixels);
}

void XMLCALL on_element(void* data, const XML_Char* full_name, const XML_Char** pairs) {
  auto& reading = *static_cast<Reading*>(data);
  std::string_view name = full_name;
  name.remove_prefix(name.rfind(':') + 1);  // npos + 1 is 0
  if (!reading.begun) {
    reading.begun = true;
    reading.is_ome = name == "OME";
    if (!reading.is_ome) XML_StopParser(reading.parser, XML_FALSE);
  } else if (name == "Image") {
    const char* called = Attributes(pairs).find("Name");
    reading.beside = called != nullptr && is_called_beside(called);
  } else if (name == "Pixels") {
    take_pixels(reading, Attributes(pairs));
  }
}

/// Programs write Latin-1, or declare an encoding that the bytes of a TIFF are not in.
Reading read(const std::string& text) {
  Reading reading;
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(is_utf8(text) ? "UTF-8" : "ISO-8859-1"), XML_ParserFree);
  reading.parser = parser.get();
  XML_SetUserData(parser.get(), &reading);
  XML_SetStartElementHandler(parser.get(), on_element);
  const int size = static_cast<int>(std::min<std::size_t>(text.size(), INT_MAX));  // a part that is cut off is damaged
  const auto status = XML_Parse(parser.get(), text.data(), size, XML_TRUE);
  if (status == XML_STATUS_ERROR && reading.flaw.empty())
    reading.flaw = fmt::format("is damaged in line {}: {}", XML_GetCurrentLineNumber(parser.get()),
                               XML_ErrorString(XML_GetErrorCode(parser.get())));
  return reading;
}

void check_is_one_plane(const std::string& path, const Pixels& pixels, int samples) {
  std::vector<std::string> several;
  const auto note = [&](std::int64_t count, const char* what) {
    if (count > 1) several.push_back(fmt::format("{} {}", count, what));
  };
  note((pixels.channels - 1) / std::max(1, samples) + 1, "channels in pages of their own (SizeC)");
  note(pixels.focal_planes, "focal planes (SizeZ)");
  note(pixels.times, "times (SizeT)");
  if (!several.empty())
    fail_input(path, fmt::format("OME-TIFF has {}, and one plane of gray or RGB is read", fmt::join(several, ", ")),
               kPlaneHint);
}

/// Labels and overviews are images of other sizes.
const Pixels& image_of_size(const std::string& path, const std::vector<Pixels>& images, std::int64_t width,
                            std::int64_t height) {
  const auto fits = [&](const Pixels& pixels) { return pixels.width == width && pixels.height == height; };
  const auto count = std::ranges::count_if(images, fits);
  if (count == 0)
    fail_input(path,
               fmt::format("OME-XML describes no image of {}x{} pixels, as the largest page has ({} of other sizes)",
                           width, height, images.size()),
               kDamagedHint);
  if (count > 1)
    fail_input(path, fmt::format("OME-XML describes {} images of {}x{} pixels, and one is read", count, width, height),
               kPlaneHint);
  return *std::ranges::find_if(images, fits);
}

}  // namespace

std::optional<OmeImage> ome_image(const std::string& path, const std::string& description, std::int64_t width,
                                  std::int64_t height, int samples) {
  if (description.find("OME") == std::string::npos) return std::nullopt;
  const Reading reading = read(description);
  if (!reading.is_ome) return std::nullopt;
  if (!reading.flaw.empty()) fail_input(path, "OME-XML " + reading.flaw, kDamagedHint);
  const Pixels& pixels = image_of_size(path, reading.images, width, height);
  check_is_one_plane(path, pixels, samples);
  OmeImage image{std::nullopt, pixels.significant_bits};
  if (pixels.mpp_x > 0 || pixels.mpp_y > 0)
    image.pixel = {pixels.mpp_x > 0 ? pixels.mpp_x : pixels.mpp_y, pixels.mpp_y > 0 ? pixels.mpp_y : pixels.mpp_x};
  return image;
}

std::vector<std::pair<std::int64_t, std::int64_t>> ome_sizes_beside(const std::string& description) {
  if (description.find("OME") == std::string::npos) return {};
  const Reading reading = read(description);
  if (!reading.is_ome || !reading.flaw.empty()) return {};
  std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
  for (const Pixels& pixels : reading.images) {
    const auto is_other = [&](const Pixels& other) {
      return !other.beside && other.width == pixels.width && other.height == pixels.height;
    };
    if (pixels.beside && std::ranges::none_of(reading.images, is_other))
      sizes.emplace_back(pixels.width, pixels.height);
  }
  return sizes;
}

}  // namespace starpath::io
