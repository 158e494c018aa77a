// The pattern spectrum of dark structures (granulometry: Matheron 1975, Maragos 1989): how much darkness an opening by
// octagons of growing width takes away. In stained tissue most of it is in nuclei, so that the spectrum peaks at their
// half width.
#include "pipelines/segmentation/resolution_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

#include "base/error.hpp"
#include "codelets/kernels/morph_open.hpp"

namespace starpath {
namespace {

constexpr std::array kCandidates = {0.125, 0.25, 0.5, 1.0};  // of 80x, 40x, 20x, 10x
constexpr double kNuclearHalfWidth = 2.7;                    // um, of the typical nucleus in a section
constexpr std::array kReaches = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48};
constexpr double kLeastPeak = 2;           // levels an octave: less is glass or noise
constexpr double kLeastProminence = 1.25;  // of the peak over the mean of the spectrum: less is no peak
constexpr int kGlassLevel = 220;
constexpr std::int64_t kMostSide = 512, kLeastSide = 128;  // of a field: tens of nuclei
constexpr std::int64_t kLooksAcross = 10;                  // where fields may lie
constexpr std::size_t kMostFields = 9;
constexpr int kSample = 64;  // side of what is looked at of a field to choose it

struct Field {
  std::int64_t x, y;
  int side;
  std::int64_t tissue;  // pixels of a sample that are not glass
};

template <class T>
struct Plane {
  Plane(int width, int height)
      : pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
        view{pixels.data(), width, height, width} {}
  std::vector<T> pixels;
  View<T> view;
};

bool is_glass(Rgb p) { return std::min({p.r, p.g, p.b}) > kGlassLevel; }

/// What openings take away.
struct Spectrum {
  double noise = 0;                                   // by the narrowest, levels
  std::array<double, kReaches.size() - 1> octaves{};  // between one reach and the next, levels an octave of reach
};

Spectrum spectrum_of(const Plane<Rgb>& rgb, Scratch& scratch) {
  const int side = rgb.view.width;
  Plane<std::uint8_t> inverted(side, side), opened(side, side);
  std::array<double, kReaches.size()> taken{};
  for (std::size_t k = 0; k < kReaches.size(); ++k) {
    cpu::morph_open(KernelContext{scratch}, rgb.view, kReaches[k], inverted.view, opened.view);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < inverted.pixels.size(); ++i) sum += inverted.pixels[i] - opened.pixels[i];
    taken[k] = static_cast<double>(sum) / static_cast<double>(inverted.pixels.size());
  }
  Spectrum spectrum{taken.front(), {}};
  for (std::size_t k = 0; k < spectrum.octaves.size(); ++k)
    spectrum.octaves[k] = (taken[k + 1] - taken[k]) / std::log2((kReaches[k + 1] + 0.5) / (kReaches[k] + 0.5));
  return spectrum;
}

/// The half width that most of the darkness in a field has, in pixels; 0 when it has none.
double typical_half_width(const io::Slide& slide, const Field& field, Scratch& scratch) {
  Plane<Rgb> rgb(field.side, field.side);
  slide.read(0, field.x, field.y, rgb.view);
  const auto [noise, octaves] = spectrum_of(rgb, scratch);
  const auto peak = std::ranges::max_element(octaves);
  const double mean = std::accumulate(octaves.begin(), octaves.end(), 0.0) / static_cast<double>(octaves.size());
  if (*peak < kLeastPeak || *peak < noise || *peak < kLeastProminence * mean) return 0;
  const auto k = static_cast<std::size_t>(peak - octaves.begin());
  return std::sqrt((kReaches[k] + 0.5) * (kReaches[k + 1] + 0.5));
}

/// The same; a field that cannot be read says nothing.
double half_width_if_readable(const io::Slide& slide, const Field& field, Scratch& scratch) {
  try {
    return typical_half_width(slide, field, scratch);
  } catch (const Error&) {
    return 0;
  }
}

/// Pixels that are not glass in a sample of the field; none where it cannot be read.
std::int64_t tissue_in(const io::Slide& slide, const Field& field) {
  Plane<Rgb> looked(kSample, kSample);
  try {
    slide.read(0, field.x + (field.side - kSample) / 2, field.y + (field.side - kSample) / 2, looked.view);
  } catch (const Error&) {
    return 0;
  }
  return std::ranges::count_if(looked.pixels, [](Rgb p) { return !is_glass(p); });
}

/// The fields with the most tissue among those of a fixed grid.
std::vector<Field> choose_fields(const io::Slide& slide) {
  const std::int64_t width = slide.info().width(), height = slide.info().height();
  const std::int64_t side = std::clamp(std::min(width, height) / 2, kLeastSide, kMostSide);
  const std::int64_t columns = std::clamp<std::int64_t>(width / side, 1, kLooksAcross);
  const std::int64_t rows = std::clamp<std::int64_t>(height / side, 1, kLooksAcross);
  std::vector<Field> fields;
  for (std::int64_t j = 0; j < rows; ++j)
    for (std::int64_t i = 0; i < columns; ++i) {
      Field field{width * i / columns, height * j / rows, static_cast<int>(side), 0};
      field.tissue = tissue_in(slide, field);
      if (field.tissue > 0) fields.push_back(field);
    }
  std::ranges::stable_sort(fields, std::greater(), &Field::tissue);
  if (fields.size() > kMostFields) fields.resize(kMostFields);
  return fields;
}

double nearest_candidate(double mpp) {
  return *std::ranges::min_element(kCandidates, {}, [&](double c) { return std::abs(std::log(c / mpp)); });
}

}  // namespace

NuclearSizeEstimate estimate_resolution(const io::Slide& slide) {
  Scratch scratch;
  std::map<double, int> votes;
  NuclearSizeEstimate estimate;
  for (const Field& field : choose_fields(slide)) {
    const double half_width = half_width_if_readable(slide, field, scratch);
    if (half_width == 0) continue;
    ++votes[nearest_candidate(kNuclearHalfWidth / half_width)];
    ++estimate.voting;
  }
  for (const auto& [mpp, count] : votes)
    if (count > estimate.agreeing) {
      estimate.mpp = mpp;
      estimate.agreeing = count;
    }
  return estimate;
}

io::Resolution resolution_of(const io::Slide& slide, double said) {
  io::Resolution resolution = io::stated_resolution(slide.info(), said);
  if (resolution.known()) return resolution;
  const NuclearSizeEstimate estimate = estimate_resolution(slide);
  resolution.detail = fmt::format("{} of {} fields agree", estimate.agreeing, estimate.voting);
  if (!estimate.certain()) return resolution;
  resolution.mpp = estimate.mpp;
  resolution.source = io::MppSource::nuclei;
  return resolution;
}

}  // namespace starpath
