// Whole-slide images of DICOM, tile by tile. A level is a file, or the files of a concatenation.
#include <fmt/format.h>
#include <openslide/openslide.h>
#include <turbojpeg.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "io/slides/block_cache.hpp"
#include "io/slides/dicom_instance.hpp"
#include "io/slides/dicom_series.hpp"
#include "io/slides/fingerprint.hpp"
#include "io/slides/pixels.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/stated_scale.hpp"
#include "io/slides/tiff_pages.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

using Part = std::shared_ptr<const DicomInstance>;

/// A frame of one file.
struct FrameOf {
  const DicomInstance* file;
  std::int64_t number;
};

/// One picture of the series: where its frames are.
class Picture {
 public:
  void add(Part part) { parts_.push_back(std::move(part)); }
  /// Throws Error{input} where the parts are not of one picture, or frames are missing or overlap.
  void complete();

  const DicomPicture& facts() const { return parts_.front()->picture(); }
  const std::string& path() const { return parts_.front()->path(); }
  std::int64_t columns() const { return (facts().width - 1) / facts().frame_width + 1; }
  std::int64_t rows() const { return (facts().height - 1) / facts().frame_height + 1; }
  /// No file where the picture has no frame there.
  FrameOf frame(std::int64_t column, std::int64_t row) const;

 private:
  std::vector<Part> parts_;  // by their first frames, once complete
  bool sparse_ = false;
  std::map<std::pair<std::int64_t, std::int64_t>, FrameOf> placed_;  // by row and column, where frames say their places
};

void Picture::complete() {
  std::ranges::sort(parts_, {}, [](const Part& part) { return part->picture().first_frame; });
  std::int64_t frames = 0;
  for (const Part& part : parts_) {
    const DicomPicture &one = part->picture(), &first = facts();
    if (one.width != first.width || one.height != first.height || one.frame_width != first.frame_width ||
        one.frame_height != first.frame_height || one.places.empty() != first.places.empty() ||
        one.first_frame != frames)
      fail_input(part->path(), fmt::format("DICOM does not go on where {} ends", parts_.front()->path()),
                 "copy all files of the slide to one folder, each once");
    frames += one.frames;
    for (std::int64_t i = 0; const FramePlace place : one.places) {
      if (place.x < 0 || place.y < 0 || place.x % one.frame_width != 0 || place.y % one.frame_height != 0)
        fail_input(part->path(), fmt::format("DICOM frame {} lies at ({}, {}), between tiles", i + 1, place.x, place.y),
                   "export the slide in tiles that do not overlap");
      if (!placed_.emplace(std::pair{place.y / one.frame_height, place.x / one.frame_width}, FrameOf{part.get(), i})
               .second)
        fail_input(part->path(),
                   fmt::format("DICOM frame {} lies at ({}, {}), where another one lies", i + 1, place.x, place.y),
                   "export one focal plane and one optical path");
      ++i;
    }
  }
  sparse_ = !placed_.empty();
  if (!sparse_ && frames != columns() * rows())
    fail_input(path(),
               fmt::format("DICOM has {} frames, and {} x {} tiles make its {}x{} pixels", frames, columns(), rows(),
                           facts().width, facts().height),
               "copy all files of the slide to one folder");
}

FrameOf Picture::frame(std::int64_t column, std::int64_t row) const {
  if (sparse_) {
    const auto found = placed_.find({row, column});
    return found == placed_.end() ? FrameOf{} : found->second;
  }
  const std::int64_t number = row * columns() + column;
  const auto next =
      std::ranges::upper_bound(parts_, number, {}, [](const Part& p) { return p->picture().first_frame; });
  const Part& part = *std::prev(next);
  return {part.get(), number - part->picture().first_frame};
}

/// Whether a JPEG says itself which colours its samples are (a JFIF or an Adobe segment).
bool says_its_colours(const std::vector<unsigned char>& jpeg) {
  for (std::size_t at = 2; at + 4 <= jpeg.size() && jpeg[at] == 0xff && jpeg[at + 1] != 0xda;
       at += 2 + jpeg[at + 2] * std::size_t{256} + jpeg[at + 3])
    if (jpeg[at + 1] == 0xe0 || jpeg[at + 1] == 0xee) return true;
  return false;
}

/// Throws std::runtime_error with the reason.
void decode_jpeg(const DicomPicture& picture, std::vector<unsigned char> bytes, View<Rgb> out) {
  // Without a segment that names the colours, decoders take three samples for YCbCr. DICOM may say RGB: an Adobe
  // segment whose transform is none says so to the decoder.
  constexpr std::array<unsigned char, 16> no_transform = {0xff, 0xee, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100};
  if (picture.colours == "RGB" && bytes.size() > 2 && !says_its_colours(bytes))
    bytes.insert(bytes.begin() + 2, no_transform.begin(), no_transform.end());
  const std::unique_ptr<void, int (*)(tjhandle)> decoder(tjInitDecompress(), tjDestroy);
  int width = 0, height = 0, subsampling = 0, colours = 0;
  if (!decoder ||
      tjDecompressHeader3(decoder.get(), bytes.data(), bytes.size(), &width, &height, &subsampling, &colours) != 0)
    throw std::runtime_error(tjGetErrorStr2(decoder.get()));
  if (width != out.width || height != out.height)
    throw std::runtime_error(
        fmt::format("the JPEG has {}x{} pixels, and the frame {}x{}", width, height, out.width, out.height));
  if (colours == TJCS_CMYK || colours == TJCS_YCCK) throw std::runtime_error("the JPEG is in CMYK colours");
  if (tjDecompress2(decoder.get(), bytes.data(), bytes.size(), &out.row(0)->r, width, 0, height, TJPF_RGB,
                    TJFLAG_ACCURATEDCT) != 0)
    throw std::runtime_error(tjGetErrorStr2(decoder.get()));
}

void decode_raw(const DicomPicture& picture, const std::vector<unsigned char>& bytes, View<Rgb> out) {
  const std::size_t pixels = static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height);
  const std::size_t next_pixel = picture.samples == 1 || picture.planes_apart ? 1 : 3;
  const std::size_t next_colour = picture.samples == 1 ? 0 : picture.planes_apart ? pixels : 1;
  Rgb* to = out.row(0);
  for (std::size_t i = 0; i < pixels; ++i) {
    const unsigned char* from = &bytes[i * next_pixel];
    to[i] = {from[0], from[next_colour], from[2 * next_colour]};
  }
}

/// The pictures that the files hold, the largest first.
std::vector<Picture> pictures_of(const std::vector<std::string>& files) {
  std::map<std::string, Picture> by_uid;
  for (const std::string& file : files) {
    auto part = std::make_shared<const DicomInstance>(file);
    Picture& picture = by_uid[part->picture().whole];
    picture.add(std::move(part));
  }
  std::vector<Picture> pictures;
  for (auto& [uid, picture] : by_uid) {
    picture.complete();
    pictures.push_back(std::move(picture));
  }
  std::ranges::stable_sort(pictures, std::greater(), [](const Picture& picture) {
    return std::pair{picture.facts().width, picture.facts().height};
  });
  return pictures;
}

class DicomSlide final : public Slide {
 public:
  DicomSlide(const std::string& input, const DicomSeries& series);
  const SlideInfo& info() const override { return info_; }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override;
  std::vector<std::string> warnings() const override { return remarks_; }

 private:
  void take_levels(std::vector<Picture> pictures);
  std::shared_ptr<const Block> block(int level, std::int64_t column, std::int64_t row) const;

  SlideInfo info_;
  std::vector<Picture> levels_;
  std::vector<std::string> remarks_;
  mutable BlockCache cache_;
};

DicomSlide::DicomSlide(const std::string& input, const DicomSeries& series) {
  info_.path = input;
  info_.format = "dicom";
  if (series.tissue.empty())
    fail_input(input, "DICOM holds no picture of the tissue (VOLUME), only labels or overviews",
               "copy all files of the slide to one folder");
  take_levels(pictures_of(series.tissue));
  if (std::ranges::find(series.beside, input) != series.beside.end())
    remarks_.push_back(fmt::format("{} is a label, overview or thumbnail; the slide that it belongs to is read: {}",
                                   input, levels_.front().path()));
  const DicomPicture& slide = levels_.front().facts();
  info_.properties = slide.properties;
  Statements found;
  found.power = slide.power;
  if (slide.pixel_width > 0 && slide.pixel_height > 0)
    found.sizes.push_back({slide.pixel_width, slide.pixel_height, "PixelSpacing"});
  take_statements(found, info_);
  info_.fingerprint = file_fingerprint(levels_.front().path(), info_.width(), info_.height());
}

void DicomSlide::take_levels(std::vector<Picture> pictures) {
  const std::int64_t width = pictures[0].facts().width, height = pictures[0].facts().height;
  for (Picture& picture : pictures) {
    const DicomPicture& facts = picture.facts();
    const auto factor =
        static_cast<std::int64_t>(std::lround(static_cast<double>(width) / static_cast<double>(facts.width)));
    const bool again = !levels_.empty() && levels_.back().facts().width == facts.width;
    if (again || !is_reduced(facts.width, facts.height, width, height, factor)) {
      remarks_.push_back(fmt::format("{}: {}x{} pixels are no level of {}x{}, and are not read", picture.path(),
                                     facts.width, facts.height, width, height));
      continue;
    }
    info_.levels.push_back(
        {facts.width, facts.height, static_cast<double>(factor), facts.frame_width, facts.frame_height});
    levels_.push_back(std::move(picture));
  }
}

std::shared_ptr<const Block> DicomSlide::block(int level, std::int64_t column, std::int64_t row) const {
  const Picture& picture = levels_[static_cast<std::size_t>(level)];
  const DicomPicture& facts = picture.facts();
  const std::int64_t key = (std::int64_t{level} << 52) + row * picture.columns() + column;
  if (auto found = cache_.find(key)) return found;
  auto made = std::make_shared<Block>(facts.frame_width, facts.frame_height);
  const View<Rgb> out = made->out();
  fill(out, kWhite);
  try {
    const FrameOf frame = picture.frame(column, row);
    std::vector<unsigned char> bytes;
    if (frame.file != nullptr) bytes = frame.file->frame(frame.number);
    if (!bytes.empty()) {  // else the slide has no tissue there
      if (facts.coding == DicomCoding::jpeg)
        decode_jpeg(facts, std::move(bytes), out);
      else
        decode_raw(facts, bytes, out);
    }
  } catch (const std::runtime_error& error) {
    fail_read(info_, level, column * facts.frame_width, row * facts.frame_height, facts.frame_width, facts.frame_height,
              error.what());
  }
  cache_.put(key, made);
  return made;
}

void DicomSlide::read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const {
  check_level(info_, level);
  read_blocks(info_.levels[static_cast<std::size_t>(level)], x, y, out,
              [&](std::int64_t column, std::int64_t row) { return block(level, column, row); });
}

/// The series that the input names; nothing where it names none.
std::optional<DicomSeries> series_of(const std::string& input, bool is_directory) {
  const fs::path path = input;
  if (is_directory) return only_dicom_in(path);
  const auto identity = dicom_identity(path);
  if (!identity) return {};
  std::vector<DicomSeries> all = dicom_series_in(path.has_parent_path() ? path.parent_path() : ".");
  const auto found = std::ranges::find(all, identity->series, &DicomSeries::uid);
  return found == all.end() ? DicomSeries{identity->series, {input}, {}, input} : std::move(*found);
}

bool recognises(const InputProbe& probe) {
  if (probe.is_specification) return false;
  if (probe.is_directory) return only_dicom_in(probe.input).has_value();
  const auto identity = dicom_identity(probe.input);
  if (!identity) return is_dicom(probe.input);
  // OpenSlide, from version 4 on, reads JPEG 2000 too. Up to 4.0.1 it shows samples in YBR_ICT as if they were RGB.
  const bool openslide_reads_it = identity->coding == DicomCoding::other && identity->colours == "RGB" &&
                                  openslide_detect_vendor(probe.input.c_str()) != nullptr;
  return !openslide_reads_it;
}

std::unique_ptr<Slide> open(const InputProbe& probe) {
  const auto series = series_of(probe.input, probe.is_directory);
  // The constructor says of a DICOM file of another kind which it is.
  return std::make_unique<DicomSlide>(probe.input, series.value_or(DicomSeries{"", {probe.input}, {}, probe.input}));
}

}  // namespace

const SlideBackend kDicomBackend = {"DICOM", recognises, open};

}  // namespace starpath::io
