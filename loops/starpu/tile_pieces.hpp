// A dependent loop as pieces: tiles of a wavefront, and the parts of matrices that they need.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "loops/starpu/loop_pieces.hpp"
#include "loops/starpu/parallel_for.hpp"
#include "loops/wavefront_dispatcher.hpp"

namespace starpath {

class TilePieces final : public LoopPieces {
 public:
  /// Throws Error{usage} as Loop says.
  TilePieces(const loops::WavefrontSetup& wavefront, std::vector<TileData> data, const std::vector<unsigned>& workers,
             const LoopOptions& options);

  std::vector<starpu_data_access_mode> modes() const override;
  bool dependent() const override { return true; }
  void acquire() override;
  void release() override;
  std::unique_ptr<LoopPiece> fetch(unsigned processor) override;
  void finished(unsigned processor, const LoopPiece& piece, double microseconds) override;
  void retire(unsigned processor) override { dispatcher_.retire(processor); }
  void close() override { dispatcher_.close(); }
  std::size_t left() const override { return dispatcher_.left(); }

 private:
  TilePieces(const loops::WavefrontSetup& wavefront, std::vector<TileData> data,
             std::unique_ptr<loops::Schedule> schedule, const LoopOptions& options);
  void check(const loops::WavefrontSetup& wavefront) const;

  std::vector<TileData> data_;
  std::map<starpu_data_handle_t, starpu_data_access_mode> shared_;  // each once, with all that tiles do to it
  std::vector<starpu_data_handle_t> acquired_;
  const void* argument_;
  loops::WavefrontDispatcher dispatcher_;
};

}  // namespace starpath
