// A run over the tiles of one slide, with results in one file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/results/result_store.hpp"
#include "io/slides/resolution.hpp"
#include "runs/run_steps.hpp"

namespace starpath {

/// What there is to tell of a resolution before any work: a line, or none.
std::vector<std::string> notes_on(const io::Resolution& resolution);

/// What all pipelines over a slide do alike. Each rank writes a results file of its own, and rank 0 merges them.
class SlidePipeline : public RunSteps {
 public:
  mpi::Agreement open(Role role) final;
  void take_over(const std::vector<RankPart>& parts, RunListener& report) final;

 private:
  /// As open(). The key is what all ranks must agree in.
  virtual const io::RunKey& open_input() = 0;
  /// What all ranks must agree in besides; empty: nothing.
  virtual std::string agreement() const { return ""; }
  /// Takes a part over into the results in --out, which are closed. Returns how many tiles the part holds.
  virtual std::int64_t merge(const std::filesystem::path& part) = 0;
};

}  // namespace starpath
