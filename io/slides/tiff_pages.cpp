// Pages by size, flags and names.
#include "io/slides/tiff_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "base/lower_case.hpp"
#include "io/slides/ome_xml.hpp"
#include "io/slides/slide_backend.hpp"

namespace starpath::io {
namespace {

constexpr std::size_t kMostPages = 1001;
constexpr const char* kConvertHint = "convert it to a tiled 8-bit RGB TIFF";
// Of NewSubfileType, beside those of TIFF 6.0: Aperio's macro, and TIFF/EP's preview of another kind.
constexpr std::uint32_t kMacroFlag = 8, kOtherPreviewFlag = 0x10000;

struct Page {
  TiffLevel level;
  std::string flaw;    // why it cannot be read; empty when it can
  std::uint32_t kind;  // NewSubfileType
  bool beside;         // called or flagged a label, macro or thumbnail
  std::string description;
  int number;    // of the page, or of that which the sub-directory belongs to; the first is 0
  bool is_page;  // no sub-directory
  bool is_mask() const { return (kind & FILETYPE_MASK) != 0; }
  bool is_reduced() const { return (kind & FILETYPE_REDUCEDIMAGE) != 0; }
  std::int64_t pixels() const { return std::int64_t{level.width} * level.height; }
  std::string name() const {
    return fmt::format("{}page {} ({}x{})", is_page ? "" : "a sub-directory of ", number + 1, level.width,
                       level.height);
  }
};

std::string text_of(TIFF* tiff, std::uint32_t tag) {
  const char* text = nullptr;
  return TIFFGetField(tiff, tag, &text) == 1 && text != nullptr ? text : "";
}

Page current_page(TiffFile& file, int number, bool is_page) {
  Page page{{}, "", 0, false, text_of(file.get(), TIFFTAG_IMAGEDESCRIPTION), number, is_page};
  page.flaw = file.describe(page.level);
  TIFFGetFieldDefaulted(file.get(), TIFFTAG_SUBFILETYPE, &page.kind);
  page.beside = (page.kind & (kMacroFlag | kOtherPreviewFlag)) != 0 || is_called_beside(page.description) ||
                is_called_beside(text_of(file.get(), TIFFTAG_PAGENAME));
  return page;
}

std::vector<Page> all_pages(TiffFile& file) {
  TIFF* tiff = file.get();
  std::vector<Page> pages;
  std::vector<std::pair<std::uint64_t, int>> subs;
  do {
    const int number = static_cast<int>(pages.size());
    pages.push_back(current_page(file, number, true));
    std::uint16_t count = 0;
    const std::uint64_t* offsets = nullptr;
    if (TIFFGetField(tiff, TIFFTAG_SUBIFD, &count, &offsets) == 1 && offsets != nullptr)
      for (std::uint16_t i = 0; i < count; ++i) subs.emplace_back(offsets[i], number);
  } while (pages.size() < kMostPages && TIFFReadDirectory(tiff) == 1);
  for (const auto& [offset, number] : subs)
    if (pages.size() < kMostPages && TIFFSetSubDirectory(tiff, offset) == 1)
      pages.push_back(current_page(file, number, false));
  return pages;
}

/// The largest page that `is_one` takes. Among pages of equal size it is the first.
template <class Choice>
const Page* largest(const std::vector<Page>& pages, const Choice& is_one) {
  const Page* found = nullptr;
  for (const Page& page : pages)
    if (is_one(page) && (found == nullptr || page.pixels() > found->pixels())) found = &page;
  return found;
}

const Page& find_slide(const std::string& path, const std::vector<Page>& pages) {
  const Page* of_all = largest(pages, [](const Page& page) { return !page.is_mask() && !page.beside; });
  if (of_all == nullptr) of_all = largest(pages, [](const Page& page) { return !page.is_mask(); });
  if (of_all == nullptr) return pages.front();
  const Page* whole =
      largest(pages, [](const Page& page) { return !page.is_mask() && !page.beside && !page.is_reduced(); });
  if (whole != nullptr && whole->pixels() < of_all->pixels())
    fail_input(path,
               fmt::format("TIFF does not tell which of its pictures is the slide: {} is the largest, and says that it "
                           "is a reduced image; {} is the largest of the others",
                           of_all->name(), whole->name()),
               fmt::format("save the wanted one as a file of its own, as with: tiffcp slide.tif,{} image.tif",
                           of_all->number));
  return *of_all;
}

/// A power of two that divides the slide's sides to those of the page.
std::optional<std::uint32_t> factor_of(const Page& page, const Page& slide) {
  for (std::uint32_t factor = 2; factor <= std::max(slide.level.width, slide.level.height) && factor < 1U << 30;
       factor *= 2)
    if (is_reduced(page.level.width, page.level.height, slide.level.width, slide.level.height, factor)) return factor;
  return std::nullopt;
}

/// Whether the page may be a level of the slide, or another image of a stack: as of a time or of a focal plane.
bool is_of_slide(const Page& page, const Page& slide) {
  return page.flaw.empty() && !page.is_mask() && !page.beside && page.level.samples == slide.level.samples &&
         (page.is_page || page.number == slide.number);
}

}  // namespace

bool is_called_beside(const std::string& text) {
  constexpr std::array<std::string_view, 6> names = {"label", "macro", "thumbnail", "thumb", "overview", "barcode"};
  constexpr std::string_view blanks = " \t\r\n\"'", type = "<imagetype>";
  const std::string low = lower_case(text);
  // What follows tells a name from a sentence, as "overview of ...", and from a property, as "label = ...".
  const auto begins_with_name = [&](std::string_view rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    return std::ranges::any_of(names, [&](std::string_view name) {
      if (!rest.starts_with(name)) return false;
      std::string_view after = rest.substr(name.size());
      if (!after.empty() && after[0] >= 'a' && after[0] <= 'z') return false;
      after.remove_prefix(std::min(after.find_first_not_of(blanks), after.size()));
      return after.empty() || after.starts_with("image") ||
             std::string_view("0123456789,;|.<").find(after[0]) != std::string_view::npos;
    });
  };
  if (const std::size_t at = low.find(type); at != std::string::npos)
    return begins_with_name(std::string_view(low).substr(at + type.size()));
  for (std::size_t at = 0; at < low.size();) {
    const std::size_t end = std::min(low.find_first_of("\r\n", at), low.size());
    if (begins_with_name(std::string_view(low).substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

bool is_reduced(std::int64_t width, std::int64_t height, std::int64_t of_width, std::int64_t of_height,
                std::int64_t factor) {
  const auto fits = [&](std::int64_t side, std::int64_t of) {
    const double apart = std::abs(static_cast<double>(of) / static_cast<double>(factor) - static_cast<double>(side));
    return apart <= (std::min(width, height) < 32 ? 1 : 2);
  };
  return fits(width, of_width) && fits(height, of_height);
}

TiffPages find_pages(const std::string& path, TiffFile& file) {
  std::vector<Page> all = all_pages(file);
  for (const auto& [width, height] : ome_sizes_beside(all.front().description))
    for (Page& page : all) page.beside = page.beside || (page.level.width == width && page.level.height == height);
  const Page& slide = find_slide(path, all);
  if (!slide.flaw.empty())
    fail_input(path,
               fmt::format("TIFF {}{}", all.size() > 1 && slide.level.width > 0 ? slide.name() + " " : "", slide.flaw),
               kConvertHint);
  TiffPages found;
  found.levels.push_back(slide.level);
  std::vector<TiffLevel> reduced;
  for (const Page& page : all) {
    if (&page == &slide) continue;
    const bool of_slide = is_of_slide(page, slide);
    const bool same_size = page.level.width == slide.level.width && page.level.height == slide.level.height;
    const auto factor = factor_of(page, slide);
    if (of_slide && factor) {
      reduced.push_back(page.level);
      reduced.back().downsample = *factor;
    } else if (of_slide && same_size && page.is_page && !page.is_reduced()) {
      ++found.images;
    } else if (!page.is_mask() && !page.beside && !page.is_reduced() && page.is_page && !same_size && !factor) {
      found.others.push_back(page.name());
    }
  }
  std::ranges::stable_sort(reduced, {}, &TiffLevel::downsample);
  for (const TiffLevel& level : reduced)
    if (level.downsample > found.levels.back().downsample) found.levels.push_back(level);
  if (TIFFSetSubDirectory(file.get(), slide.level.offset) != 1)
    fail_input(path, "TIFF cannot be read: " + file.message(), "copy or download it again");
  const std::string& first = all.front().description;
  found.description = slide.description.empty() || first.find("<OME") != std::string::npos ? first : slide.description;
  return found;
}

}  // namespace starpath::io
