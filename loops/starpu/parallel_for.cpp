#include "loops/starpu/parallel_for.hpp"

#include "base/error.hpp"
#include "loops/dispatcher.hpp"
#include "loops/starpu/block_data.hpp"
#include "loops/starpu/loop_engine.hpp"
#include "loops/starpu/loop_workers.hpp"
#include "loops/starpu/tile_pieces.hpp"

namespace starpath {
namespace {

struct BlockPiece final : LoopPiece {
  BlockPiece(loops::Block whole, const void* argument) : block{whole.begin, whole.size, argument} {}

  std::size_t iterations() const override { return block.size; }
  void* argument() override { return &block; }
  std::string text() const override {
    return "iterations " + std::to_string(block.begin) + " to " + std::to_string(block.begin + block.size - 1);
  }

  LoopBlock block;
};

/// Blocks of independent iterations.
class BlockPieces final : public LoopPieces {
 public:
  BlockPieces(std::size_t iterations, std::vector<LoopData> data, std::unique_ptr<loops::Schedule> schedule,
              const void* argument)
      : LoopPieces(*schedule),
        data_(std::move(data)),
        argument_(argument),
        dispatcher_(iterations, std::move(schedule)) {
    for (const LoopData& each : data_)
      if (!each.whole) split_.emplace_back(each, iterations);
  }

  std::vector<starpu_data_access_mode> modes() const override {
    std::vector<starpu_data_access_mode> modes;
    for (const LoopData& each : data_) modes.push_back(each.mode);
    return modes;
  }
  bool dependent() const override { return false; }
  void acquire() override {
    for (SplitData& each : split_) each.acquire();
  }
  void release() override {
    for (SplitData& each : split_) each.release();
  }

  std::unique_ptr<LoopPiece> fetch(unsigned processor) override {
    const loops::Block block = dispatcher_.fetch(processor);
    if (!block) return nullptr;
    auto piece = std::make_unique<BlockPiece>(block, argument_);
    auto next_split = split_.begin();
    for (const LoopData& each : data_)
      piece->buffers.push_back(each.whole ? LoopPiece::Buffer{each.handle, false}
                                          : LoopPiece::Buffer{(next_split++)->register_block(block), true});
    return piece;
  }
  void finished(unsigned processor, const LoopPiece& piece, double microseconds) override {
    const LoopBlock& block = static_cast<const BlockPiece&>(piece).block;
    dispatcher_.finished(processor, {block.begin, block.size}, microseconds);
  }
  void retire(unsigned processor) override { dispatcher_.retire(processor); }
  void close() override { dispatcher_.close(); }
  std::size_t left() const override { return dispatcher_.left(); }

 private:
  std::vector<LoopData> data_;
  std::vector<SplitData> split_;
  const void* argument_;
  loops::Dispatcher dispatcher_;
};

}  // namespace

Loop::Loop(std::size_t iterations, const starpu_codelet& codelet, std::vector<LoopData> data,
           const LoopOptions& options) {
  const std::vector<unsigned> workers = loop_workers(codelet, options);
  auto pieces = std::make_unique<BlockPieces>(iterations, std::move(data), loop_schedule(iterations, workers, options),
                                              options.argument);
  engine_ = std::make_unique<LoopEngine>(codelet, std::move(pieces), workers);
}

Loop::Loop(const loops::WavefrontSetup& wavefront, const starpu_codelet& codelet, std::vector<TileData> data,
           const LoopOptions& options) {
  const std::vector<unsigned> workers = loop_workers(codelet, options);
  auto pieces = std::make_unique<TilePieces>(wavefront, std::move(data), workers, options);
  engine_ = std::make_unique<LoopEngine>(codelet, std::move(pieces), workers);
}

Loop::~Loop() {
  if (engine_->waited()) return;
  try {
    wait();
  } catch (const Error&) {  // nobody asked
  }
}

LoopReport Loop::wait() { return engine_->wait(); }
void Loop::leave(unsigned worker) { engine_->leave(worker); }

starpu_codelet cpu_codelet(starpu_cpu_func_t function, const char* name) {
  starpu_codelet codelet;
  starpu_codelet_init(&codelet);
  codelet.cpu_funcs[0] = function;
  codelet.name = name;
  return codelet;
}

LoopReport parallel_for(std::size_t iterations, const starpu_codelet& codelet, std::vector<LoopData> data,
                        const LoopOptions& options) {
  return Loop(iterations, codelet, std::move(data), options).wait();
}

LoopReport wavefront_for(const loops::WavefrontSetup& wavefront, const starpu_codelet& codelet,
                         std::vector<TileData> data, const LoopOptions& options) {
  return Loop(wavefront, codelet, std::move(data), options).wait();
}

}  // namespace starpath
