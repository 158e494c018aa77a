#include "apps/loop_work.hpp"

#include <chrono>

#include "apps/loop_work_parts.hpp"
#include "base/error.hpp"

namespace starpath::apps {
namespace {

using Clock = std::chrono::steady_clock;

void spin_after(Clock::time_point begin, double slow) {
  if (slow <= 1 || starpu_worker_get_id() != 0) return;
  const auto until = begin + (Clock::now() - begin) * slow;
  while (Clock::now() < until) {
  }
}

constexpr const char* codelet_name = "starpath_loop";

}  // namespace

LoopReport BlockWork::execute(LoopOptions options) {
  const starpu_codelet codelet = cpu_codelet(
      [](void* buffers[], void* arg) {
        const auto& block = *static_cast<const LoopBlock*>(arg);
        const auto& work = *static_cast<const BlockWork*>(block.argument);
        const auto begin = Clock::now();
        work.run(buffers, block);
        spin_after(begin, work.slow);
      },
      codelet_name);
  options.argument = this;
  return parallel_for(iterations_, codelet, data(), options);
}

LoopReport TileWork::execute(LoopOptions options) {
  const starpu_codelet codelet = cpu_codelet(
      [](void* buffers[], void* arg) {
        const auto& tile = *static_cast<const LoopTile*>(arg);
        const auto& work = *static_cast<const TileWork*>(tile.argument);
        const auto begin = Clock::now();
        work.run(buffers, tile);
        spin_after(begin, work.slow);
      },
      codelet_name);
  options.argument = this;
  return wavefront_for({.rows = side_, .columns = side_, .stride = 0, .dependencies = dependencies()}, codelet, data(),
                       options);
}

const std::vector<LoopWorkName>& loop_work_names() {
  static const std::vector<LoopWorkName> names = [] {
    std::vector<LoopWorkName> all = block_works();
    for (const auto& more : {tile_works(), estimator_works()}) all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return names;
}

const LoopWorkName& find_loop_work(std::string_view name) {
  std::string known;
  for (const LoopWorkName& each : loop_work_names()) {
    if (name == each.name) return each;
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  throw Error(ErrorKind::usage, "unknown loop: " + std::string(name) + "; there are: " + known);
}

}  // namespace starpath::apps
