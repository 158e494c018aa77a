// `starpath tissue SLIDE --out FILE`: where a slide has tissue, as regions for QuPath and for --roi, or as a mask.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands.hpp"
#include "apps/number_range.hpp"
#include "apps/one_process.hpp"
#include "apps/run/kept_files.hpp"
#include "apps/run/own_file.hpp"
#include "apps/run/words.hpp"
#include "apps/terminal.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/lower_case.hpp"
#include "io/exports/png_writer.hpp"
#include "io/outlines/grid_regions.hpp"
#include "io/slides/image_names.hpp"
#include "io/slides/resolution.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter =
    R"(Cells of 128 um in which less than 90 % of the pixels are brighter than --glass in R, G and B, seen at 8 um a pixel.
Mend the regions in QuPath and give them to segment. A file whose name ends in .png is a mask over the whole slide, at 8 um a
pixel: white where there is tissue. segment takes that too.

Examples:
  starpath tissue slide.svs --out tissue.geojson
  starpath tissue slide.svs --out tissue.png
  starpath segment slide.svs --out results --roi tissue.geojson)";

constexpr double kMaskMpp = 8;  // of the grid on which glass is told from tissue
constexpr int kCell = 16;       // pixels of it: as long as a cell of the segmentation, 256 pixels of 0.5 um
// The papers' share of glass. The segmentation's default leaves out less, so that single cells are found.
constexpr int kGlassPercent = 90;
// What the files begin with, by which they are known again.
constexpr const char* kRegionsStart = R"({"type":"FeatureCollection","features":[)";
constexpr const char* kMaskTitle = "Tissue, by starpath tissue";

struct TissueArguments {
  std::string input, out;
  double mpp = 0, least_mm2 = 0.1;
  int glass = 220;
};

/// Cells row by row: 0 for tissue, -1 for glass.
std::vector<int> cells_of(const io::WorkingSlide& grid, int glass, int columns, int rows) {
  std::vector<int> cells;
  std::vector<Rgb> pixels(static_cast<std::size_t>(columns) * kCell * kCell);
  for (int row = 0; row < rows; ++row) {
    const View<Rgb> band{pixels.data(), columns * kCell, kCell, columns * kCell};
    grid.read(0, std::int64_t{row} * kCell, band);
    for (int column = 0; column < columns; ++column) {
      int bright = 0;  // what is outside of the slide is white
      for (int y = 0; y < kCell; ++y)
        for (int x = column * kCell; x < (column + 1) * kCell; ++x) {
          const Rgb p = band.at(x, y);
          bright += p.r > glass && p.g > glass && p.b > glass;
        }
      cells.push_back(100 * bright >= kGlassPercent * kCell * kCell ? -1 : 0);
    }
  }
  return cells;
}

/// A region of cells as a GeoJSON feature, in level-0 pixels within the slide.
std::string feature_of(const io::GridRegion& region, double cell, const io::SlideInfo& slide) {
  std::string text = R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[)";
  for (std::size_t r = 0; r < region.rings.size(); ++r) {
    text += r == 0 ? "[" : ",[";
    for (std::size_t i = 0; i <= region.rings[r].size(); ++i) {
      const io::Point p = region.rings[r][i % region.rings[r].size()];
      fmt::format_to(std::back_inserter(text), "{}[{:.1f},{:.1f}]", i == 0 ? "" : ",",
                     std::min(p.x * cell, static_cast<double>(slide.width())),
                     std::min(p.y * cell, static_cast<double>(slide.height())));
    }
    text += "]";
  }
  return text +
         R"(]},"properties":{"objectType":"annotation","classification":{"name":"Tissue","color":[200,60,160]}}})";
}

/// The tissue of a slide: cells of its grid that hang together.
struct Tissue {
  int columns = 0, rows = 0;
  std::int64_t width = 0, height = 0;  // of the grid
  double cell = 0, pixel_mm2 = 0;      // side of a cell in level-0 pixels; area of a pixel of the grid
  std::vector<io::GridRegion> regions;

  /// Of its cells within the slide.
  double mm2(const io::GridRegion& region) const {
    std::int64_t pixels = 0;
    for (const io::Point& at : region.cells)
      pixels +=
          std::min<std::int64_t>(kCell, width - at.x * kCell) * std::min<std::int64_t>(kCell, height - at.y * kCell);
    return static_cast<double>(pixels) * pixel_mm2;
  }
  double mm2() const {
    double all = 0;
    for (const io::GridRegion& region : regions) all += mm2(region);
    return all;
  }
};

Tissue find_tissue(const io::WorkingSlide& grid, double mpp, const TissueArguments& arguments) {
  const auto cells_on = [](std::int64_t pixels) { return static_cast<int>((pixels + kCell - 1) / kCell); };
  Tissue tissue{.columns = cells_on(grid.width()),
                .rows = cells_on(grid.height()),
                .width = grid.width(),
                .height = grid.height(),
                .cell = kCell * grid.scale(),
                .pixel_mm2 = std::pow(grid.scale() * mpp / 1000, 2),
                .regions = {}};
  tissue.regions =
      io::grid_regions(cells_of(grid, arguments.glass, tissue.columns, tissue.rows), tissue.columns, tissue.rows);
  std::erase_if(tissue.regions, [&](const io::GridRegion& region) { return tissue.mm2(region) < arguments.least_mm2; });
  return tissue;
}

void write_regions(const Tissue& tissue, const io::SlideInfo& slide, AtomicFile& file) {
  file.write(kRegionsStart);
  for (std::size_t i = 0; i < tissue.regions.size(); ++i)
    file.write((i == 0 ? "\n" : ",\n") + feature_of(tissue.regions[i], tissue.cell, slide));
  file.write("\n]}\n");
}

/// A pixel is one of the grid, so that the mask covers what the slide does.
void write_mask(const Tissue& tissue, const io::WorkingSlide& grid, AtomicFile& file) {
  const int width = static_cast<int>(grid.width()), height = static_cast<int>(grid.height());
  std::vector<Rgb> cells(static_cast<std::size_t>(tissue.columns) * static_cast<std::size_t>(tissue.rows));
  for (const io::GridRegion& region : tissue.regions)
    for (const io::Point& cell : region.cells)
      cells[static_cast<std::size_t>(cell.y * tissue.columns + cell.x)] = {255, 255, 255};
  io::PngWriter writer(file, width, height, kMaskTitle);
  std::vector<Rgb> row(static_cast<std::size_t>(width));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      row[static_cast<std::size_t>(x)] = cells[static_cast<std::size_t>(y / kCell * tissue.columns + x / kCell)];
    writer.write({row.data(), width, 1, width});
  }
  writer.finish();
}

/// By the ending. --roi takes files with endings of pictures for masks.
bool is_mask(const std::string& out) {
  if (!io::is_image_name(out)) return false;
  if (lower_case(std::filesystem::path(out).extension().string()) != ".png")
    throw Error(ErrorKind::usage, fmt::format("--out {}: a mask is written as .png, regions as .geojson", out));
  return true;
}

void run(const TissueArguments& arguments) {
  const bool mask = is_mask(arguments.out);
  check_is_no_input(arguments.out, {arguments.input}, mask ? "the mask" : "the file");
  check_may_replace(arguments.out,
                    mask ? FileMark{"\x89PNG", kMaskTitle} : FileMark{kRegionsStart + std::string("\n"), ""},
                    "starpath tissue");
  const std::unique_ptr<io::Slide> slide = io::open_slide(arguments.input);
  const io::Resolution stated = io::stated_resolution(slide->info(), arguments.mpp);
  if (!stated.known())
    print_error("starpath: warning: {}: no resolution is known, 0.5 um/px is taken; say --mpp\n", arguments.input);
  const double mpp = stated.known() ? stated.mpp : io::kDesignMpp;
  const io::WorkingSlide grid(*slide, std::min(kMaskMpp, io::kMostScale * mpp), mpp);
  AtomicFile file(arguments.out);
  const Tissue tissue = find_tissue(grid, mpp, arguments);
  if (mask)
    write_mask(tissue, grid, file);
  else
    write_regions(tissue, slide->info(), file);
  file.commit();
  print_out("{}  ({}, {:.3g} mm2 of tissue)\n", arguments.out, plural(std::ssize(tissue.regions), "region"),
            tissue.mm2());
}

}  // namespace

void add_tissue_command(CLI::App& app) {
  auto arguments = std::make_shared<TissueArguments>();
  CLI::App* command = app.add_subcommand("tissue", "Write where a slide has tissue, as regions for QuPath and --roi");
  for_one_process(*command);
  command->add_option("SLIDE", arguments->input, "Any input of `starpath segment`")->required();
  command
      ->add_option("--out", arguments->out, "GeoJSON file, or a mask if its name ends in .png; replaced if it is one")
      ->required();
  command->add_option("--mpp", arguments->mpp, "Micrometres a pixel of the slide, if it does not say or says it wrong")
      ->check(micrometres_a_pixel());
  command->add_option("--glass", arguments->glass, "What is brighter in R, G and B is glass")
      ->check(CLI::Range(1, 254))
      ->capture_default_str();
  command->add_option("--least-mm2", arguments->least_mm2, "Regions that are smaller are left out, square millimetres")
      ->check(number_between(0, 1e6))
      ->capture_default_str();
  command->footer(kFooter);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
