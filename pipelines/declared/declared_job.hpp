// One tile on its way through a declared pipeline.
#pragma once
#include <starpu.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "codelets/kernels/image.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/declared/declared_pipeline.hpp"
#include "pipelines/run/tile_loop.hpp"
#include "pipelines/run/tiling.hpp"

namespace starpath {

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

  /// What declared_read_codelet does, on a worker's thread.
  void read_pixels(View<Rgb> rgb);

 private:
  void submit(std::size_t operation);
  void submit_read();
  void ensure(std::size_t data);
  std::size_t bytes_of(std::size_t data) const;
  bool has_all_of(int stage) const;
  void release_read();
  void release();

  const Tile tile_;
  const DeclaredPipeline& pipeline_;
  const io::WorkingSlide& slide_;
  declare::Tile told_;
  StageTasks tasks_;
  std::array<DeclaredArguments, kMostOperations> arguments_;
  std::vector<starpu_data_handle_t> handles_;  // by number of the data; nullptr where there are none
  std::vector<double> row_;
  bool streams_ = false;  // what the pixels show is counted for the judges
};

/// Reads a tile; cl_arg is its DeclaredJob.
extern starpu_codelet declared_read_codelet;

}  // namespace starpath
