// Squares cut out of slides, side by side.
#include "runs/clusters/contact_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <system_error>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/own_file.hpp"
#include "io/exports/png_writer.hpp"
#include "io/exports/slide_of_results.hpp"
#include "io/outputs/picture_start.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/slides/working_slide.hpp"
#include "runs/kept_files.hpp"

namespace starpath {
namespace {

constexpr int kEnlarged = 2, kSide = 96, kGap = 4, kBar = 16;  // pixels of the picture
constexpr const char* kTitle = "Typical nuclei of clusters, by starpath cluster";
constexpr OutputKind kSheet = {"starpath cluster",
                               [](const std::filesystem::path& file) { return io::is_picture_titled(file, kTitle); }};
constexpr Rgb kNothing{200, 200, 200}, kPaper{255, 255, 255}, kOutline{0, 255, 64};

struct Place {
  std::size_t row, column;
};

class Sheet {
 public:
  explicit Sheet(const std::vector<io::StudyCluster>& clusters)
      : width_(kBar + kGap + static_cast<int>(kTypicalNuclei) * (kSide + kGap)),
        height_(kGap + static_cast<int>(clusters.size()) * (kSide + kGap)),
        pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), kPaper) {
    for (std::size_t row = 0; row < clusters.size(); ++row) {
      const std::uint32_t colour = clusters[row].colour;
      const auto part = [&](int shift) { return static_cast<std::uint8_t>(colour >> shift & 0xffU); };
      fill({view().data + std::ptrdiff_t{top_of(row)} * width_, kBar, kSide, width_}, {part(16), part(8), part(0)});
    }
  }

  View<Rgb> square(const Place& at) {
    const int left = kBar + kGap + static_cast<int>(at.column) * (kSide + kGap);
    return {view().row(top_of(at.row)) + left, kSide, kSide, width_};
  }
  static void fill(View<Rgb> part, Rgb colour) {
    for (int y = 0; y < part.height; ++y) std::fill_n(part.row(y), part.width, colour);
  }
  View<Rgb> view() { return {pixels_.data(), width_, height_, width_}; }

 private:
  static int top_of(std::size_t row) { return kGap + static_cast<int>(row) * (kSide + kGap); }

  int width_, height_;
  std::vector<Rgb> pixels_;
};

/// Draws the outline, along the edges between pixels of the nucleus and other pixels.
void draw(const io::Contour& contour, std::int64_t left, std::int64_t top, View<Rgb> square) {
  const auto paint = [&](std::int64_t x, std::int64_t y) {
    if (x >= 0 && x < square.width && y >= 0 && y < square.height)
      square.at(static_cast<int>(x), static_cast<int>(y)) = kOutline;
  };
  for (std::size_t i = 0; i < contour.size(); ++i) {
    const io::Point a = contour[i], b = contour[(i + 1) % contour.size()];
    const std::int64_t x0 = std::min(a.x, b.x) * kEnlarged - left, x1 = std::max(a.x, b.x) * kEnlarged - left,
                       y0 = std::min(a.y, b.y) * kEnlarged - top, y1 = std::max(a.y, b.y) * kEnlarged - top;
    for (std::int64_t y = y0; y <= y1; ++y)
      for (std::int64_t x = x0; x <= x1; ++x) paint(x, y);
  }
}

void show(const ClusteredSlide& slide, const std::map<std::int64_t, Place>& places, Sheet& sheet) {
  const io::ResultStore store = io::ResultStore::open(slide.results);
  const io::RunInfo info = store.info();
  const std::unique_ptr<io::Slide> image = io::open_slide_of(info);
  const io::WorkingSlide grid(*image, info.scale / kEnlarged, 1.0);  // in units of level-0 pixels
  io::NucleusStore(store).for_each_nucleus(false, [&](std::int64_t id, const io::NucleusRecord& nucleus) {
    const auto found = places.find(id);
    if (found == places.end()) return;
    const auto begin = [](double centre) { return std::llround(centre * kEnlarged) - kSide / 2; };
    const std::int64_t left = begin(nucleus.centroid_x), top = begin(nucleus.centroid_y);
    const View<Rgb> square = sheet.square(found->second);
    grid.read_around_gaps(left, top, square);
    draw(nucleus.contour, left, top, square);
  });
}

}  // namespace

void write_contact_sheet(const std::filesystem::path& file, const std::vector<ClusteredSlide>& slides,
                         const std::vector<io::StudyCluster>& clusters,
                         const std::vector<std::vector<std::int64_t>>& chosen, std::vector<std::string>& warnings) {
  Sheet sheet(clusters);
  for (const ClusteredSlide& slide : slides) {
    std::map<std::int64_t, Place> places;  // by id, of this slide's nuclei
    for (std::size_t row = 0; row < chosen.size(); ++row)
      for (std::size_t column = 0; column < chosen[row].size(); ++column)
        if (const std::int64_t id = chosen[row][column] - slide.first + 1; id >= 1 && id <= slide.nuclei)
          places.insert({id, {row, column}});
    if (places.empty()) continue;
    for (const auto& [id, place] : places) Sheet::fill(sheet.square(place), kNothing);
    try {
      show(slide, places, sheet);
    } catch (const Error& error) {
      warnings.push_back(fmt::format("{} lacks nuclei of a slide: {}", file.string(), error.what()));
    }
  }
  AtomicFile output(file, kSheet);
  const View<Rgb> picture = sheet.view();
  io::PngWriter writer(output, picture.width, picture.height, kTitle);
  writer.write(picture);
  writer.finish();
  output.commit();
}

void check_contact_sheet(const std::filesystem::path& study) {
  if (!std::filesystem::exists(study / "study.sqlite")) return;  // who opens it says so
  Paths slides;
  for (const io::StudyRow& row : io::StudyStore::open(study / "study.sqlite").rows())
    slides.emplace_back(row.slide.path);
  check_is_no_input(study / "clusters.png", slides, "the study", "move the slide, or say --no-contact-sheet");
  check_may_replace(study / "clusters.png", kSheet);
}

void remove_contact_sheet(const std::filesystem::path& file, std::vector<std::string>& warnings) {
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(file, error))) return;
  if (is_own_file(file, kSheet) && std::filesystem::remove(file, error)) return;
  warnings.push_back(fmt::format("{} shows no clusters of this run, and is left as it is", file.string()));
}

}  // namespace starpath
