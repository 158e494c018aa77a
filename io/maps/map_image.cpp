// Pieces by their names.
#include "io/maps/map_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "io/maps/zarr_folder.hpp"
#include "io/slides/fingerprint.hpp"
#include "io/slides/slide_backend.hpp"
#include "io/slides/tile_names.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostOpen = 64;
constexpr std::int64_t kMostSide = 0x7fffffff;
constexpr const char* kNamingHint =
    "name each piece by its first pixel, as 1024_2048.npy (x before y), or by row and column, as r2_c1.npy";

std::vector<std::string> files_in(const std::string& folder) {
  std::error_code failure;
  std::vector<std::string> files;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure))
    if (is_map_name(entry->path().string()) && entry->path().filename().string()[0] != '.')
      files.push_back(entry->path().string());
  if (failure) fail_input(folder, "cannot be listed: " + failure.message(), "check its permissions");
  if (files.empty()) fail_input(folder, "holds no .npy and no .tif file", "give a folder of pieces, or one file");
  std::ranges::sort(files);
  return files;
}

std::string place_text(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height) {
  return fmt::format("{}x{} at x={} y={}", width, height, x, y);
}

std::string file_name(const std::string& path) { return fs::path(path).filename().string(); }

}  // namespace

MapImage::MapImage(const std::string& path) : path_(path) {
  std::error_code error;
  Digest digest;
  if (!is_zarr(path) && fs::is_directory(path, error)) {
    take_folder();
    for (const Piece& piece : pieces_) {
      digest.add(
          fmt::format("{} {}\n", file_name(piece.path), place_text(piece.x, piece.y, piece.width, piece.height)));
      add_file(digest, piece.path, 4096);
    }
  } else {
    file_ = open_map_file(path);
    const MapShape& shape = file_->shape();
    if (shape.width > kMostSide || shape.height > kMostSide)
      fail_input(path, fmt::format("has {}x{} pixels, and a side may have {}", shape.width, shape.height, kMostSide),
                 "save it in pieces");
    pieces_ = {{path, 0, 0, shape.width, shape.height}};
    channels_ = shape.channels;
    type_ = shape.type;
    if (is_zarr(path))
      chunks_ = {file_->chunks() - add_zarr(digest, file_->path()), file_->chunks()};
    else
      add_file(digest, path, std::int64_t{1} << 20);
  }
  fingerprint_ = digest.hex();
  std::vector<Box> boxes;
  for (const Piece& piece : pieces_) {
    extent_ = {std::max(extent_.width, piece.x + piece.width), std::max(extent_.height, piece.y + piece.height)};
    covered_ += piece.width * piece.height;
    boxes.push_back({static_cast<double>(piece.x), static_cast<double>(piece.y),
                     static_cast<double>(piece.x + piece.width), static_cast<double>(piece.y + piece.height)});
  }
  places_.emplace(boxes);
  check_apart();
}

void MapImage::take_folder() {
  std::optional<bool> by_row;
  MapSize largest{0, 0};
  std::string first;
  for (const std::string& file : files_in(path_)) {
    const auto name = parse_tile_name(fs::path(file).stem().string());
    if (!name)
      fail_input(path_, fmt::format("the name of '{}' does not say where it lies", file_name(file)), kNamingHint);
    const bool is_by_row = name->naming == TileNaming::row_column;
    if (by_row.value_or(is_by_row) != is_by_row)
      fail_input(path_, fmt::format("mixes two ways of naming: '{}' and '{}'", file_name(first), file_name(file)),
                 kNamingHint);
    const MapShape shape = open_map_file(file)->shape();
    if (pieces_.empty()) {
      by_row = is_by_row;
      first = file;
      channels_ = shape.channels;
      type_ = shape.type;
    }
    if (shape.channels != channels_ || shape.type != type_)
      fail_input(path_,
                 fmt::format("'{}' holds {} channels of {}, and '{}' {} of {}", file_name(first), channels_,
                             name_of(type_), file_name(file), shape.channels, name_of(shape.type)),
                 "give pieces of one kind");
    largest = {std::max(largest.width, shape.width), std::max(largest.height, shape.height)};
    pieces_.push_back({file, name->x, name->y, shape.width, shape.height});
  }
  for (Piece& piece : pieces_) take_place(piece, *by_row, largest);
}

/// The place that a name tells is that of a column and row, or already in pixels.
void MapImage::take_place(Piece& piece, bool by_row, const MapSize& largest) const {
  if (by_row) {
    piece.x *= largest.width;
    piece.y *= largest.height;
  }
  if (piece.x > kMostSide - piece.width || piece.y > kMostSide - piece.height)
    fail_input(piece.path, fmt::format("its name places it at x={} y={}, too far", piece.x, piece.y), kNamingHint);
}

void MapImage::check_apart() const {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    for (const MapPart& part :
         parts_of({piece.x, piece.y, static_cast<int>(piece.width), static_cast<int>(piece.height)}))
      if (part.piece != i) {
        const Piece& other = pieces_[part.piece];
        fail_input(path_,
                   fmt::format("pieces overlap: '{}' is {}, and '{}' {}", file_name(piece.path),
                               place_text(piece.x, piece.y, piece.width, piece.height), file_name(other.path),
                               place_text(other.x, other.y, other.width, other.height)),
                   kNamingHint);
      }
  }
}

std::vector<MapPart> MapImage::parts_of(const MapBox& box) const {
  std::vector<MapPart> parts;
  const std::int64_t right = box.x + box.width, bottom = box.y + box.height;
  for (const std::size_t number : places_->touching({static_cast<double>(box.x), static_cast<double>(box.y),
                                                     static_cast<double>(right), static_cast<double>(bottom)})) {
    const Piece& piece = pieces_[number];
    const std::int64_t x0 = std::max(box.x, piece.x), x1 = std::min(right, piece.x + piece.width),
                       y0 = std::max(box.y, piece.y), y1 = std::min(bottom, piece.y + piece.height);
    if (x0 < x1 && y0 < y1) parts.push_back({number, {x0, y0, static_cast<int>(x1 - x0), static_cast<int>(y1 - y0)}});
  }
  return parts;
}

std::shared_ptr<const MapFile> MapImage::file_of(std::size_t piece) const {
  if (file_) return file_;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(open_, piece, [](const auto& each) { return each.first; });
    if (found != open_.end()) {
      open_.splice(open_.begin(), open_, found);
      return found->second;
    }
  }
  std::shared_ptr<const MapFile> file = open_map_file(pieces_[piece].path);
  const MapShape& shape = file->shape();
  if (shape.width != pieces_[piece].width || shape.height != pieces_[piece].height || shape.channels != channels_ ||
      shape.type != type_)
    fail_input(pieces_[piece].path, "was changed while it was read", "run again with --overwrite");
  const std::lock_guard lock(mutex_);
  open_.emplace_front(piece, file);
  if (open_.size() > kMostOpen) open_.pop_back();
  return file;
}

void MapImage::read_channels(int first, int count, const MapBox& box, double* to, std::ptrdiff_t stride,
                             std::ptrdiff_t plane) const {
  for (int channel = 0; channel < count; ++channel)
    for (int y = 0; y < box.height; ++y) std::fill_n(to + channel * plane + y * stride, box.width, 0.0);
  for (const MapPart& part : parts_of(box)) {
    const Piece& piece = pieces_[part.piece];
    file_of(part.piece)
        ->read_channels(first, count, {part.box.x - piece.x, part.box.y - piece.y, part.box.width, part.box.height},
                        to + (part.box.y - box.y) * stride + (part.box.x - box.x), stride, plane);
  }
}

}  // namespace starpath::io
