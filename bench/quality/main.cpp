// How good the segmentation is: Dice, AJI and F1 at 0.5 on images with instance labels and on synthetic slides with
// their truth.
#include <fmt/format.h>
#include <png.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <vector>

#include "bench/quality/metrics.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "io/synthetic/truth.hpp"
#include "support/segment_image.hpp"

namespace {

namespace fs = std::filesystem;
using starpath::SegmentationQuality;
using starpath::View;
using starpath::support::Image;

/// A 16-bit grey PNG as numbers.
Image<std::int32_t> read_labels(const fs::path& file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&png, file.c_str())) throw std::runtime_error(file.string() + ": " + png.message);
  png.format = PNG_FORMAT_LINEAR_Y;  // 16-bit files come out as they are
  std::vector<std::uint16_t> values(std::size_t{png.width} * png.height);
  if (!png_image_finish_read(&png, nullptr, values.data(), 0, nullptr))
    throw std::runtime_error(file.string() + ": " + png.message);
  Image<std::int32_t> labels(static_cast<int>(png.width), static_cast<int>(png.height), 0);
  std::copy(values.begin(), values.end(), labels.view().data);
  return labels;
}

/// The label under the centre of each pixel of a grid `scale` times coarser.
Image<std::int32_t> on_grid(const Image<std::int32_t>& labels, int width, int height, double scale) {
  Image<std::int32_t> out(width, height, 0);
  const auto at = [&](int i, int size) { return std::min(static_cast<int>((i + 0.5) * scale), size - 1); };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) out.at(x, y) = labels.at(at(x, labels.width()), at(y, labels.height()));
  return out;
}

SegmentationQuality measure(const starpath::io::WorkingSlide& slide, const Image<std::int32_t>& truth) {
  const int width = static_cast<int>(slide.width()), height = static_cast<int>(slide.height());
  Image<starpath::Rgb> rgb(width, height, 0);
  slide.read(0, 0, rgb.view());
  Image<std::int32_t> labels(width, height, 0);
  starpath::cpu::segment_image(rgb.view(), starpath::kPaperPixels, labels.view());
  return compare_labels(truth.view(), labels.view());
}

void print(const std::string& name, const std::vector<SegmentationQuality>& all) {
  double dice = 0, aji = 0, f1 = 0;
  std::int64_t truth = 0, predicted = 0;
  for (const SegmentationQuality& one : all) {
    dice += one.dice;
    aji += one.aji;
    f1 += one.f1;
    truth += one.truth_objects;
    predicted += one.predicted_objects;
  }
  const auto n = static_cast<double>(std::max<std::size_t>(all.size(), 1));
  fmt::print("{:<44} {:>6} {:>8} {:>9} {:>7.3f} {:>7.3f} {:>7.3f}\n", name, all.size(), truth, predicted, dice / n,
             aji / n, f1 / n);
}

std::vector<fs::path> images_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder / "images")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The resolution at which the median labelled nucleus of an image has `area` pixels on the working grid.
double mpp_for_area(const Image<std::int32_t>& labels, double area) {
  std::map<std::int32_t, std::int64_t> pixels;
  for (int y = 0; y < labels.height(); ++y)
    for (int x = 0; x < labels.width(); ++x)
      if (labels.at(x, y) != 0) ++pixels[labels.at(x, y)];
  if (pixels.empty()) return starpath::io::kDesignMpp;
  std::vector<std::int64_t> areas;
  for (const auto& [label, count] : pixels) areas.push_back(count);
  std::nth_element(areas.begin(), areas.begin() + static_cast<std::ptrdiff_t>(areas.size() / 2), areas.end());
  return starpath::io::kDesignMpp * std::sqrt(area / static_cast<double>(areas[areas.size() / 2]));
}

/// Every image at one resolution (mpp > 0), or each at that which gives its median nucleus `area` pixels.
void measure_folder(const fs::path& folder, double mpp, double area) {
  std::vector<SegmentationQuality> all;
  for (const fs::path& file : images_of(folder)) {
    const auto labels = read_labels(folder / "labels" / file.filename());
    const auto slide = starpath::io::open_slide(file.string());
    const starpath::io::WorkingSlide grid(*slide, starpath::io::kDesignMpp, mpp > 0 ? mpp : mpp_for_area(labels, area));
    all.push_back(
        measure(grid, on_grid(labels, static_cast<int>(grid.width()), static_cast<int>(grid.height()), grid.scale())));
  }
  const std::string name = folder.filename().string();
  print(mpp > 0 ? fmt::format("{} as {} um/px", name, mpp) : fmt::format("{}, median nucleus {} px", name, area), all);
}

void measure_synthetic(const std::string& text) {
  const auto slide = starpath::io::open_slide(text);
  const starpath::io::WorkingSlide grid(*slide, starpath::io::kDesignMpp, 0);
  const auto spec = starpath::io::parse_synthetic(text);
  Image<std::int32_t> truth(static_cast<int>(spec.width), static_cast<int>(spec.height), 0);
  starpath::io::synthetic_labels(spec, 0, 0, truth.view());
  print(text,
        {measure(grid, on_grid(truth, static_cast<int>(grid.width()), static_cast<int>(grid.height()), grid.scale()))});
}

fs::path default_folder() {
  const char* data = std::getenv("STARPATH_DATA");
  return fs::path(data == nullptr ? "../shared/data" : data) / "nuclei_dsb2018";
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Segmentation quality (mean over images) with the default parameters of bench/results/foundation.md"};
  std::string folder = default_folder().string();
  std::vector<double> mpp = {0.2, 0.25, 0.3, 0.5};
  std::vector<double> areas = {80};
  std::vector<std::string> synthetic = {"synthetic:2048x2048,seed=1", "synthetic:2048x2048,seed=2",
                                        "synthetic:2048x2048,seed=3,density=2"};
  app.add_option("--labelled", folder, "Folder with images/*.png and labels/*.png (16-bit instance numbers)");
  app.add_option("--mpp", mpp, "Resolutions to take the labelled images at, um a pixel: the data set does not say")
      ->delimiter(',');
  app.add_option(
         "--nucleus-area", areas,
         "Take each labelled image at the resolution that gives its median nucleus this area on the 0.5 um grid")
      ->delimiter(',');
  app.add_option("--synthetic", synthetic, "Synthetic slides")->delimiter(';');
  CLI11_PARSE(app, argc, argv);
  fmt::print("{:<44} {:>6} {:>8} {:>9} {:>7} {:>7} {:>7}\n", "data", "images", "truth", "found", "Dice", "AJI",
             "F1@0.5");
  if (fs::exists(folder)) {
    for (const double value : mpp) measure_folder(folder, value, 0);
    for (const double area : areas) measure_folder(folder, 0, area);
  } else {
    fmt::print("no labelled images at {}: name them with --labelled\n", folder);
  }
  for (const std::string& text : synthetic) measure_synthetic(text);
  return 0;
}
