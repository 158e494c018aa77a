// The loops that `starpath loop` runs: their data, their codelet, and the serial result to compare with.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loops/starpu/parallel_for.hpp"

namespace starpath {

/// A loop over data that it owns. StarPU must be running from its construction to release().
class LoopWork {
 public:
  virtual ~LoopWork() = default;

  virtual std::size_t iterations() const = 0;
  /// For CPU workers, and in a build with CUDA for GPUs.
  virtual starpu_codelet codelet() const = 0;
  /// Runs the loop on StarPU's workers with that codelet; sets options.argument itself. Once only.
  virtual LoopReport execute(const starpu_codelet& codelet, LoopOptions options) = 0;
  /// Gives all data back from StarPU, results with them.
  void release() {
    for (const auto& release_one : releases_) release_one();
  }
  /// Runs the whole loop on the calling thread, into other memory.
  virtual void run_serially() = 0;
  /// Whether the loop's results have the bits of the serial ones.
  virtual bool same() const = 0;

  /// The first CPU worker takes this many times as long for a block: it spins.
  double slow = 1;

 private:
  template <class T>
  friend class SharedValues;
  std::vector<std::function<void()>> releases_;  // one for each of its data
};

struct LoopWorkName {
  const char* name;
  const char* description;
  std::size_t size;  // by default
  std::unique_ptr<LoopWork> (*make)(std::size_t size);
};

const std::vector<LoopWorkName>& loop_work_names();

/// Throws Error{usage}, naming the known ones.
const LoopWorkName& find_loop_work(std::string_view name);

}  // namespace starpath
