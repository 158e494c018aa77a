// Finds the backend for an input: probes the file, then asks the table in order.
#include "io/slides/slide.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/error.hpp"
#include "base/lower_case.hpp"
#include "io/slides/aperio_slide.hpp"
#include "io/slides/child_slide.hpp"
#include "io/slides/dicom_series.hpp"
#include "io/slides/foreign_kinds.hpp"
#include "io/slides/patched_slide.hpp"
#include "io/slides/serve_slide.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/slide_parts.hpp"
#include "io/slides/trouble.hpp"

namespace starpath::io {
namespace {

// Slide formats come before the plain TIFF they are made of.
constexpr std::array<const SlideBackend*, 9> kBackends = {&kSyntheticBackend, &kDicomBackend,     &kTilesBackend,
                                                          &kAperioBackend,    &kOpenslideBackend, &kIncompleteBackend,
                                                          &kTiffBackend,      &kPngBackend,       &kJpegBackend};

// Formats that are opened in processes of their own (child_slide.hpp): large parsers in C and C++, OpenSlide's and
// DCMTK's, of what scanners and archives wrote. Aperio's slides belong to them, because OpenSlide describes them. The
// other formats are read through libtiff, libpng and libjpeg-turbo, which are tested against hostile files all the
// time, and folders hold thousands of such pictures.
constexpr std::array<const SlideBackend*, 3> kForeign = {&kDicomBackend, &kAperioBackend, &kOpenslideBackend};
// What such a process opens by itself.
constexpr std::array<const SlideBackend*, 2> kForeignThere = {&kDicomBackend, &kOpenslideBackend};

bool is_foreign(const SlideBackend* backend) { return std::ranges::find(kForeign, backend) != kForeign.end(); }

/// Whether one of kForeign might recognise the input. No process is started for a picture, nor for a folder of them.
bool may_be_foreign(const InputProbe& probe) {
  using namespace std::string_view_literals;
  if (probe.is_specification || probe.opening.is_picture) return false;
  if (probe.is_directory) return may_hold_dicom(probe.input);
  const bool is_picture = probe.begins_with("\x89PNG"sv) || probe.begins_with("\xff\xd8\xff"sv);
  // OpenSlide never looks into a file of MIRAX, and takes it by its ending.
  return !is_picture || lower_case(std::filesystem::path(probe.input).extension().string()) == ".mrxs";
}

constexpr const char* kWhatOpens =
    "give a slide OpenSlide knows, a DICOM, TIFF, PNG or JPEG file, a folder of tiles, or synthetic:WIDTHxHEIGHT";

InputProbe probe_input(const std::string& input) {
  InputProbe probe{.input = input};
  if (input.starts_with("synthetic:")) {
    probe.is_specification = true;
    return probe;
  }
  std::error_code failure;
  const auto status = std::filesystem::status(input, failure);
  if (status.type() == std::filesystem::file_type::not_found)
    fail_input(input, "no such file or folder", "check the path");
  if (failure)
    fail_input(input, "cannot be examined: " + failure.message(),
               failure == std::errc::permission_denied ? "check the permissions on the path" : "check the path");
  probe.is_directory = std::filesystem::is_directory(status);
  if (probe.is_directory) return probe;
  if (!std::filesystem::is_regular_file(status)) fail_input(input, "is not a regular file", kWhatOpens);

  errno = 0;
  std::ifstream file(input, std::ios::binary);
  if (!file) fail_input(input, std::string("cannot be opened: ") + std::strerror(errno), "check its permissions");
  std::array<char, 64> head{};
  file.read(head.data(), head.size());
  probe.head.assign(head.data(), static_cast<std::size_t>(file.gcount()));
  if (probe.head.empty()) fail_input(input, "is empty (0 bytes)", "copy or download it again");
  return probe;
}

// Names the kind of a file no backend takes, where its first bytes tell.
std::string describe_unknown(const InputProbe& probe) {
  const std::string kind = foreign_kind(probe.input, probe.head);
  if (!kind.empty()) return fmt::format("is {}, which is not read here", kind);
  const bool text = std::all_of(probe.head.begin(), probe.head.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 32 || c == '\n' || c == '\r' || c == '\t';
  });
  return text ? "is a text file, not an image" : "is of no known image format";
}

}  // namespace

bool is_recognised(const std::string& input) {
  try {
    const InputProbe probe = probe_input(input);
    const ReaderProgram decoder = slide_decoder();
    if (!decoder.path.empty() && may_be_foreign(probe) && is_foreign_in_child(decoder, input)) return true;
    return std::ranges::any_of(kBackends, [&](const SlideBackend* backend) {
      return (decoder.path.empty() || !is_foreign(backend)) && backend->recognises(probe);
    });
  } catch (const Error&) {
    return false;
  }
}

bool is_foreign_here(const std::string& input) {
  const InputProbe probe = probe_input(input);
  return std::ranges::any_of(kForeignThere, [&](const SlideBackend* backend) { return backend->recognises(probe); });
}

std::unique_ptr<Slide> open_foreign_here(const std::string& input, const Opening& opening) {
  InputProbe probe = probe_input(input);
  probe.opening = opening;
  for (const SlideBackend* backend : kForeignThere)
    if (backend->recognises(probe)) return backend->open(probe);
  return nullptr;
}

std::unique_ptr<Slide> open_slide(const std::string& input) { return open_slide(input, {}); }

std::unique_ptr<Slide> open_slide(const std::string& input, const Opening& opening) {
  InputProbe probe = probe_input(input);
  probe.opening = opening;
  const ReaderProgram decoder = slide_decoder();
  if (!decoder.path.empty() && may_be_foreign(probe)) {
    note_slide(input);
    if (auto slide = open_in_child(decoder, input, opening))
      return make_patched_slide(with_tiles_of_aperio(std::move(slide), probe));
  }
  const bool has_foreign = decoder.path.empty() && !opening.is_picture;  // they are read here
  for (const SlideBackend* backend : kBackends) {
    if ((!has_foreign && is_foreign(backend)) || !backend->recognises(probe)) continue;
    note_slide(input);
    std::unique_ptr<Slide> slide = backend->open(probe);
    return probe.is_specification ? std::move(slide) : make_patched_slide(std::move(slide));
  }
  fail_input(input, describe_unknown(probe), kWhatOpens);
}

bool InputProbe::is_tiff() const {
  using namespace std::string_view_literals;
  return begins_with("II*\0"sv) || begins_with("MM\0*"sv) || begins_with("II+\0"sv) || begins_with("MM\0+"sv);
}

void fail_input(const std::string& path, std::string what, const std::string& hint) {
  while (!what.empty() && (what.back() == ' ' || what.back() == '.' || what.back() == '\n')) what.pop_back();
  throw Error(ErrorKind::input, fmt::format("{}: {}; {}", path, what, hint));
}

void fail_read(const SlideInfo& info, int level, std::int64_t x, std::int64_t y, int width, int height,
               const std::string& why) {
  fail_input(
      info.path,
      fmt::format("cannot read level {}, region x={} y={} {}x{}: {}", level, x, y, width, height, explained(why)),
      std::string(advice_on(why)));
}

void check_level(const SlideInfo& info, int level) {
  if (level < 0 || static_cast<std::size_t>(level) >= info.levels.size())
    throw Error(ErrorKind::internal, fmt::format("{}: level {} asked for, but there are {}; this is a bug", info.path,
                                                 level, info.levels.size()));
}

void check_whole_image_size(const std::string& path, std::int64_t width, std::int64_t height) {
  if (width < 1 || height < 1)
    fail_input(path, fmt::format("has no pixels ({}x{})", width, height), "give an image of at least one pixel");
  if (height > kMaxWholeImagePixels / width)
    fail_input(path,
               fmt::format("is {}x{} pixels, too large to be decoded whole (limit {} pixels)", width, height,
                           kMaxWholeImagePixels),
               "convert it to a tiled TIFF, which is read piece by piece");
  const double bytes = static_cast<double>(width) * static_cast<double>(height) * sizeof(Rgb);
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes > kMostOfMemory * memory)
    fail_input(path,
               fmt::format("is {}x{} pixels, which take {:.1f} GB decoded whole, and this machine has {:.1f} GB", width,
                           height, bytes * 1e-9, memory * 1e-9),
               "convert it to a tiled TIFF, which is read piece by piece");
}

double plausible_mpp(double mpp) { return mpp >= 0.02 && mpp <= 10 ? mpp : 0; }

}  // namespace starpath::io
