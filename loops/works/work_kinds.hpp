// The two kinds of loops that `starpath loop` runs.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "loops/works/device.hpp"
#include "loops/works/work.hpp"

namespace starpath {

/// Independent iterations: blocks.
class BlockWork : public LoopWork {
 public:
  explicit BlockWork(std::size_t iterations) : iterations_(iterations) {}
  std::size_t iterations() const override { return iterations_; }
  starpu_codelet codelet() const override;
  LoopReport execute(const starpu_codelet& codelet, LoopOptions options) override;

  /// Runs a block, or queues it on a GPU's stream.
  virtual void run(const Device& device, void* buffers[], const LoopBlock& block) const = 0;

 protected:
  virtual std::vector<LoopData> data() = 0;

 private:
  std::size_t iterations_;
};

/// A square of dependent iterations: tiles.
class TileWork : public LoopWork {
 public:
  explicit TileWork(std::size_t side) : side_(side) {}
  std::size_t iterations() const override { return side_ * side_; }
  starpu_codelet codelet() const override;
  LoopReport execute(const starpu_codelet& codelet, LoopOptions options) override;

  /// Runs a tile, or queues it on a GPU's stream.
  virtual void run(const Device& device, void* buffers[], const LoopTile& tile) const = 0;

 protected:
  virtual std::vector<TileData> data() = 0;
  virtual std::vector<loops::Dependency> dependencies() const = 0;

 private:
  std::size_t side_;
};

template <class Work>
std::unique_ptr<LoopWork> make_work(std::size_t size) {
  return std::make_unique<Work>(size);
}

/// The tables of each kind, which loop_work_names() joins.
std::vector<LoopWorkName> block_works();
std::vector<LoopWorkName> tile_works();
std::vector<LoopWorkName> estimator_works();

}  // namespace starpath
