#include "loops/hdss_dispatcher.hpp"

#include <stdexcept>

#include "loops/hdss.hpp"

namespace starpath::loops {
namespace {

std::size_t block_size_of(const int* sizes, int processor) {
  const int size = sizes ? sizes[processor] : 128;
  if (size <= 0) throw std::invalid_argument("block sizes and factors must be above 0");
  return static_cast<std::size_t>(size);
}

LoopSetup setup_of(int n_processors, int n_iterations, const int* initial, const int* factors, float max_adaptive) {
  if (n_processors <= 0 || n_iterations < 0)
    throw std::invalid_argument("a loop needs a processor, and no negative number of iterations");
  LoopSetup setup{.iterations = static_cast<std::size_t>(n_iterations),
                  .processors = {},
                  .max_adaptive = static_cast<double>(max_adaptive)};
  for (int i = 0; i < n_processors; ++i)
    setup.processors.push_back({.initial_block = block_size_of(initial, i), .block_factor = block_size_of(factors, i)});
  return setup;
}

}  // namespace

HDSSDispatcher::HDSSDispatcher(int n_processors, int n_iterations, const int* initial_block_sizes,
                               const int* block_factors, float max_adaptive_percent)
    : dispatcher_(n_iterations < 0 ? 0 : static_cast<std::size_t>(n_iterations),
                  std::make_unique<Hdss>(
                      setup_of(n_processors, n_iterations, initial_block_sizes, block_factors, max_adaptive_percent))),
      threads_(static_cast<std::size_t>(n_processors)) {}

int HDSSDispatcher::fetch_block(int thread_id, int& start_index, int& block_size) {
  if (thread_id < 0 || static_cast<std::size_t>(thread_id) >= threads_.size())
    throw std::invalid_argument("thread_id must be from 0 to the number of processors - 1");
  Thread& thread = threads_[static_cast<std::size_t>(thread_id)];
  const auto id = static_cast<unsigned>(thread_id);
  const auto now = std::chrono::steady_clock::now();
  if (thread.block)
    dispatcher_.finished(id, thread.block, std::chrono::duration<double, std::micro>(now - thread.since).count());
  thread.block = dispatcher_.fetch(id);
  if (!thread.block) return 0;
  start_index = static_cast<int>(thread.block.begin);
  block_size = static_cast<int>(thread.block.size);
  thread.since = now;
  return 1;
}

}  // namespace starpath::loops
