// One tile on its way through a declared pipeline.
#pragma once
#include <starpu.h>

#include <optional>
#include <string>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/declared/declared_pipeline.hpp"
#include "pipelines/declared/portion_copies.hpp"
#include "pipelines/run/tile_loop.hpp"
#include "pipelines/run/tiling.hpp"

namespace starpath {

class DeclaredJob;

/// cl_arg of a task that reads the pixels of a tile or of a part of it.
struct PixelRead {
  DeclaredJob* job;
  Rect region;

  /// What declared_read_codelet does, on a worker's thread.
  void read(View<Rgb> rgb);
  StageTasks& tasks();
};

/// Of the data of a tile with so many pixels.
MemoryNeed memory_need_of(const DeclaredPipeline& pipeline, std::int64_t pixels);

class DeclaredJob : public TileJob {
 public:
  /// The job's events go to `loop`.
  DeclaredJob(const Tile& tile, const DeclaredPipeline& pipeline, const io::WorkingSlide& slide, TileLoop& loop);
  ~DeclaredJob() override { release(); }

  void start(int stage) override;
  bool advance() override;
  bool over() const override { return instance.stage == pipeline_.last_stage(); }
  void reset() override { release(); }
  StageTasks& tasks() override { return tasks_; }
  /// The data that the stage wrote and others read, one after the other as they lie in memory.
  std::optional<std::string> pack(int stage) override;
  void unpack(int stage, const std::string& bytes) override;
  /// The buffer holds the pixels. One round judges all stages.
  void read(int round) override;
  TileBuffer buffer(int round) override;
  void judge(int round, TileBuffer buffer) override;

  const Tile& tile() const { return tile_; }
  /// Once over: an element a column.
  const std::vector<double>& row() const { return row_; }

  /// On a worker's thread.
  void read_pixels(const Rect& region, View<Rgb> rgb);

 private:
  void submit(std::size_t operation);
  /// The data are registered, or made here.
  void provide(std::size_t data);
  void submit_read(std::size_t pixels);
  void submit_copy(std::size_t task, starpu_codelet& codelet, std::size_t from, std::size_t to, const Rect& what);
  void ensure(std::size_t data);
  PortionPlace place_of_data(std::size_t number) const;
  std::size_t bytes_of(std::size_t data) const;
  bool has_all_of(int stage) const;
  void release_read();
  void release();

  const Tile tile_;
  const DeclaredPipeline& pipeline_;
  const io::WorkingSlide& slide_;
  StageTasks tasks_;
  std::vector<declare::Tile> told_;            // by stage
  std::vector<DeclaredArguments> arguments_;   // by operation
  std::vector<PixelRead> reads_;               // by number of the data
  std::vector<PortionCopy> copies_;            // by task
  std::vector<starpu_data_handle_t> handles_;  // by number of the data; nullptr where there are none
  std::vector<double> row_;
  bool streams_ = false;  // what the pixels show is counted for the judges
};

/// Reads pixels; cl_arg is a PixelRead.
extern starpu_codelet declared_read_codelet;

}  // namespace starpath
