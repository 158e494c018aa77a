#include "loops/starpu/tile_pieces.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "base/error.hpp"
#include "loops/starpu/loop_workers.hpp"
#include "loops/starpu/main_memory.hpp"

namespace starpath {
namespace {

struct TilePiece final : LoopPiece {
  TilePiece(const loops::Tile& tile, const void* argument) : loop_tile{tile, argument} {}

  std::size_t iterations() const override { return loop_tile.tile.iterations(); }
  void* argument() override { return &loop_tile; }
  std::string text() const override {
    const loops::Tile& tile = loop_tile.tile;
    const auto range = [](std::size_t first, std::size_t n) {
      return std::to_string(first) + " to " + std::to_string(first + n - 1);
    };
    return "rows " + range(tile.row, tile.rows) + ", columns " + range(tile.column, tile.columns);
  }

  LoopTile loop_tile;
};

/// Elements [row, row + rows) x [column, column + columns) of a matrix.
struct Region {
  std::size_t row, rows, column, columns;
};

// The region of a tile that the part holds, in a matrix that its margins do not leave.
Region region_of(const TileData& data, const loops::Tile& tile) {
  const TileData::Margin& margin = data.margin;
  const std::size_t row = data.row + tile.row, column = data.column + tile.column;
  switch (data.part) {
    case TilePart::above:
      return {row - margin.above, margin.above, column - margin.left, margin.left + tile.columns + margin.right};
    case TilePart::left:
      return {row, tile.rows, column - margin.left, margin.left};
    case TilePart::core:
      break;
  }
  return {row - margin.above, margin.above + tile.rows + margin.below, column - margin.left,
          margin.left + tile.columns + margin.right};
}

starpu_data_handle_t register_part(starpu_data_handle_t matrix, const Region& region) {
  const std::size_t size = starpu_matrix_get_elemsize(matrix);
  const auto& whole = in_main_memory<starpu_matrix_interface>(matrix);
  const std::size_t ld = STARPU_MATRIX_GET_LD(&whole);
  starpu_data_handle_t part = nullptr;
  starpu_matrix_data_register(&part, STARPU_MAIN_RAM,
                              STARPU_MATRIX_GET_PTR(&whole) + (region.row * ld + region.column) * size,
                              static_cast<std::uint32_t>(ld), static_cast<std::uint32_t>(region.columns),
                              static_cast<std::uint32_t>(region.rows), size);
  starpu_data_set_sequential_consistency_flag(part, 0);  // one task uses it
  return part;
}

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::usage, "loop: " + why); }

void check_matrix(const TileData& data, const loops::WavefrontSetup& wavefront) {
  if (data.mode != STARPU_R && data.mode != STARPU_W && data.mode != STARPU_RW)
    refuse("a matrix of a wavefront takes STARPU_R, STARPU_W or STARPU_RW");
  const TileData::Margin& margin = data.margin;
  const bool has_margin = margin.above + margin.below + margin.left + margin.right > 0;
  if (data.mode != STARPU_R && (data.part != TilePart::core || has_margin))
    refuse("what lies around a tile belongs to other tiles, so it takes STARPU_R only");
  if ((data.part == TilePart::above && margin.above == 0) || (data.part == TilePart::left && margin.left == 0))
    refuse("a part above or left of a tile needs a margin on that side");
  if (wavefront.rows == 0 || wavefront.columns == 0) return;
  if (starpu_data_get_interface_id(data.handle) != STARPU_MATRIX_INTERFACE_ID)
    refuse("only matrices can be divided into tiles; pass other handles whole");
  const Region all = region_of(data, {0, wavefront.rows, 0, wavefront.columns});
  if (data.row < margin.above || data.column < margin.left || all.row + all.rows > starpu_matrix_get_ny(data.handle) ||
      all.column + all.columns > starpu_matrix_get_nx(data.handle))
    refuse("a matrix of " + std::to_string(starpu_matrix_get_ny(data.handle)) + " rows and " +
           std::to_string(starpu_matrix_get_nx(data.handle)) + " columns does not hold all that the tiles of " +
           std::to_string(wavefront.rows) + " rows and " + std::to_string(wavefront.columns) + " columns need");
}

// A worker's part of a row and of a column in tiles: enough that workers seldom wait for each other, and few enough
// that handles and tasks cost little. Narrow tiles are slow: each of their rows lies in another page.
constexpr std::size_t kStridesPerWorker = 2, kTileRowsPerWorker = 8;

loops::WavefrontSetup with_stride(loops::WavefrontSetup wavefront, std::size_t workers) {
  const std::size_t strides = kStridesPerWorker * workers;
  if (wavefront.stride == 0)
    wavefront.stride = std::max<std::size_t>(16, wavefront.columns / strides + (wavefront.columns % strides != 0));
  return wavefront;
}

std::unique_ptr<loops::Schedule> schedule_of(const loops::WavefrontSetup& wavefront,
                                             const std::vector<unsigned>& workers, LoopOptions options) {
  if (options.schedule == "static")
    refuse("the static schedule divides a loop into shares, which know no dependencies: choose another");
  if (wavefront.rows != 0 && wavefront.columns > (std::size_t{1} << 62) / wavefront.rows)
    refuse("a loop has at most 2^62 iterations");
  if (options.initial_block == 0)
    options.initial_block = std::max<std::size_t>(1, wavefront.rows / (kTileRowsPerWorker * workers.size())) *
                            std::min(wavefront.stride, std::max<std::size_t>(1, wavefront.columns));
  return loop_schedule(wavefront.rows * wavefront.columns, workers, options);
}

loops::WavefrontDispatcher make_dispatcher(loops::WavefrontSetup wavefront, std::unique_ptr<loops::Schedule> schedule,
                                           bool lanes) {
  try {
    return {std::move(wavefront), std::move(schedule), lanes ? loops::Lanes::on : loops::Lanes::off};
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
}

}  // namespace

TilePieces::TilePieces(const loops::WavefrontSetup& wavefront, std::vector<TileData> data,
                       const std::vector<unsigned>& workers, const LoopOptions& options)
    : TilePieces(with_stride(wavefront, workers.size()), std::move(data),
                 schedule_of(with_stride(wavefront, workers.size()), workers, options), options) {}

TilePieces::TilePieces(const loops::WavefrontSetup& wavefront, std::vector<TileData> data,
                       std::unique_ptr<loops::Schedule> schedule, const LoopOptions& options)
    : LoopPieces(*schedule),
      data_(std::move(data)),
      argument_(options.argument),
      dispatcher_(make_dispatcher(wavefront, std::move(schedule), options.lanes)) {
  check(wavefront);
  for (const TileData& each : data_) {
    if (each.whole) continue;
    const auto [at, fresh] = shared_.emplace(each.handle, each.mode);
    if (!fresh && at->second != each.mode) at->second = STARPU_RW;
  }
}

void TilePieces::check(const loops::WavefrontSetup& wavefront) const {
  for (const TileData& each : data_) {
    if (!each.handle) refuse("a handle is missing");
    if (each.whole && each.mode != STARPU_R) refuse("a handle that every tile of a wavefront gets takes STARPU_R");
    if (!each.whole) check_matrix(each, wavefront);
  }
}

std::vector<starpu_data_access_mode> TilePieces::modes() const {
  std::vector<starpu_data_access_mode> modes;
  for (const TileData& each : data_) modes.push_back(each.mode);
  return modes;
}

void TilePieces::acquire() {
  for (const auto& [handle, mode] : shared_) {
    // Elements that the tiles do not write keep their values: no STARPU_W.
    if (starpu_data_acquire(handle, mode == STARPU_R ? STARPU_R : STARPU_RW) != 0)
      throw Error(ErrorKind::runtime, "loop: StarPU cannot bring a handle to main memory");
    acquired_.push_back(handle);
  }
}

void TilePieces::release() {
  for (const starpu_data_handle_t handle : acquired_) starpu_data_release(handle);
  acquired_.clear();
}

std::unique_ptr<LoopPiece> TilePieces::fetch(unsigned processor) {
  loops::Tile tile;
  if (dispatcher_.fetch(processor, tile) != loops::WavefrontDispatcher::Answer::tile) return nullptr;
  auto piece = std::make_unique<TilePiece>(tile, argument_);
  for (const TileData& each : data_)
    piece->buffers.push_back(each.whole ? LoopPiece::Buffer{each.handle, false}
                                        : LoopPiece::Buffer{register_part(each.handle, region_of(each, tile)), true});
  return piece;
}

void TilePieces::finished(unsigned processor, const LoopPiece& piece, double microseconds) {
  dispatcher_.finished(processor, static_cast<const TilePiece&>(piece).loop_tile.tile, microseconds);
}

}  // namespace starpath
