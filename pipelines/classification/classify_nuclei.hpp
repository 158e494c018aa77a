// Nuclei to classes, as StarPU tasks: a task a block of nuclei.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pipelines/classification/nucleus_model.hpp"

namespace starpath {

/// Nuclei of a block: a task of 20 to 200 milliseconds on a core, by the number of samples.
inline constexpr std::size_t kNucleiOfBlock = 4096;

/// Classifies nuclei as they come. StarPU must be running until it ends. Used by one thread.
class NucleusClassifier {
 public:
  /// The model must outlive it.
  explicit NucleusClassifier(const NucleusModel& model);
  /// Waits for the tasks that are at work.
  ~NucleusClassifier();
  NucleusClassifier(const NucleusClassifier&) = delete;
  NucleusClassifier& operator=(const NucleusClassifier&) = delete;

  /// Nuclei to be classified, in turn: the features that the model names.
  void add(std::span<const double> features);
  /// Waits for all of them and returns their votes, in their order; the next nucleus is then the first again. The votes
  /// are the same on every device. Throws Error{runtime} when a task failed.
  std::vector<ClassVote> finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace starpath
