// What one fetch of a block costs, alone and beside up to 63 other threads.
#include "loops/dispatcher.hpp"

#include <benchmark/benchmark.h>

#include <memory>

#include "loops/rivals.hpp"
#include "loops/schedule_list.hpp"

namespace starpath::loops {
namespace {

constexpr unsigned kMostThreads = 64;
constexpr std::size_t kEndless = std::size_t{1} << 61;

// A loop that lasts as long as anybody fetches: one more processor, which never comes, owns nearly all of it.
LoopSetup endless_loop(double max_adaptive) {
  LoopSetup setup{.iterations = kEndless, .processors = {}, .max_adaptive = max_adaptive};
  setup.processors.assign(kMostThreads, {.initial_block = 128, .known_rate = 1});
  setup.processors.push_back({.initial_block = 128, .known_rate = 1e12});
  return setup;
}

std::unique_ptr<Dispatcher> dispatcher;

void fetch(benchmark::State& state, const char* schedule, double max_adaptive) {
  if (state.thread_index() == 0)
    dispatcher = std::make_unique<Dispatcher>(kEndless, make_schedule(schedule, endless_loop(max_adaptive)));
  const auto processor = static_cast<unsigned>(state.thread_index());
  for (auto _ : state) {
    const Block block = dispatcher->fetch(processor);
    if (!block) return state.SkipWithError("the loop came to an end");
    dispatcher->finished(processor, block, static_cast<double>(block.size) * 1.1);
  }
}

void completion_phase(benchmark::State& state) { fetch(state, "hdss", 0); }
void adaptive_phase(benchmark::State& state) { fetch(state, "hdss", 1); }
void linear(benchmark::State& state) { fetch(state, "linear", 0); }

BENCHMARK(completion_phase)->ThreadRange(1, kMostThreads);
BENCHMARK(adaptive_phase)->ThreadRange(1, kMostThreads);
BENCHMARK(linear)->Threads(1)->Threads(kMostThreads);

}  // namespace
}  // namespace starpath::loops
