#include "loops/starpu/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>

#include "base/error.hpp"
#include "loops/dispatcher.hpp"
#include "loops/hdss.hpp"
#include "loops/starpu/block_data.hpp"

namespace starpath {
namespace {

constexpr unsigned ahead_with_own_memory = 2;  // the block that runs, and the one whose transfers overlap it

bool takes_part(unsigned worker, const starpu_codelet& codelet, const LoopOptions& options) {
  const auto& chosen = options.workers;
  if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), worker) == chosen.end()) return false;
  const starpu_worker_archtype type = starpu_worker_get_type(static_cast<int>(worker));
  if (codelet.where != 0 && (codelet.where & STARPU_WORKER_TO_MASK(type)) == 0) return false;
  return (type == STARPU_CPU_WORKER && codelet.cpu_funcs[0]) || (type == STARPU_CUDA_WORKER && codelet.cuda_funcs[0]);
}

}  // namespace

struct Loop::State {
  struct Slot {
    unsigned worker = 0;
    unsigned processor = 0;
    unsigned ahead = 1;
    std::mutex mutex;  // guards what follows, and the order of this processor's calls to the dispatcher
    unsigned held = 0;
    bool gone = false;
    double last_end = 0;
    LoopShare share;
    std::vector<starpu_data_handle_t> parts;
    std::vector<starpu_task*> tasks;
  };

  struct BlockTask {
    State* loop = nullptr;
    Slot* slot = nullptr;
    LoopBlock block;
    double submitted = 0;
    std::vector<starpu_data_handle_t> parts;
  };

  State(std::size_t iterations, const starpu_codelet& codelet, std::vector<LoopData> given, const LoopOptions& options);

  void start();
  void feed(Slot& slot, unsigned most);
  void submit(Slot& slot, loops::Block block);
  void finished(BlockTask& task);
  void fail(const std::string& reason);
  void drop_token();
  void close_data();
  LoopReport report();

  static void run_cpu(void* buffers[], void* arg);
  static void run_cuda(void* buffers[], void* arg);
  static void on_finished(void* arg);
  template <class Functions>
  static void run(const Functions& functions, void* buffers[], void* arg);

  starpu_codelet user;
  starpu_codelet codelet;  // the user's, behind a wall that stops exceptions
  std::vector<LoopData> data;
  std::vector<SplitData> split;
  const void* argument;
  std::vector<std::unique_ptr<Slot>> slots;
  std::unique_ptr<loops::Dispatcher> dispatcher;
  const loops::Hdss* hdss = nullptr;
  double began = 0;
  std::atomic<std::size_t> adaptive_blocks{0};
  std::atomic<std::size_t> tokens{1};  // blocks that are submitted, and one for each who may still submit
  std::atomic<bool> failed{false};
  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  bool over = false;
  bool waited = false;
  std::string reason;
};

Loop::State::State(std::size_t iterations, const starpu_codelet& given_codelet, std::vector<LoopData> given,
                   const LoopOptions& options)
    : user(given_codelet), data(std::move(given)), argument(options.argument) {
  if (!starpu_is_initialized()) throw Error(ErrorKind::usage, "loop: start StarPU first (starpu_init)");
  if (data.size() > STARPU_NMAXBUFS)
    throw Error(ErrorKind::usage, "loop: more than " + std::to_string(STARPU_NMAXBUFS) + " handles");
  starpu_codelet_init(&codelet);
  codelet.where = user.where;
  codelet.name = user.name;
  codelet.model = user.model;
  codelet.nbuffers = static_cast<int>(data.size());
  for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; ++i) {
    if (user.cpu_funcs[i]) codelet.cpu_funcs[i] = run_cpu;
    if (user.cuda_funcs[i]) codelet.cuda_funcs[i] = run_cuda;
    codelet.cuda_flags[i] = user.cuda_flags[i];
  }
  for (std::size_t i = 0; i < data.size(); ++i) {
    codelet.modes[i] = data[i].mode;
    if (!data[i].whole) split.emplace_back(data[i], iterations);
  }
  loops::LoopSetup setup{.iterations = iterations, .processors = {}, .guided_share = options.guided_share};
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker) {
    if (!takes_part(worker, user, options)) continue;
    auto slot = std::make_unique<Slot>();
    slot->worker = slot->share.worker = worker;
    slot->processor = static_cast<unsigned>(slots.size());
    slot->ahead = starpu_worker_get_memory_node(worker) == STARPU_MAIN_RAM ? 1 : ahead_with_own_memory;
    slots.push_back(std::move(slot));
    setup.processors.push_back({.initial_block = options.initial_block,
                                .block_factor = options.block_factor,
                                .known_rate = options.known_rate ? options.known_rate(worker) : 0});
  }
  if (slots.empty()) throw Error(ErrorKind::runtime, "loop: no worker can run the codelet");
  try {
    auto schedule = loops::make_schedule(options.schedule, setup);
    hdss = dynamic_cast<const loops::Hdss*>(schedule.get());
    dispatcher = std::make_unique<loops::Dispatcher>(iterations, std::move(schedule));
  } catch (const std::invalid_argument& error) {
    throw Error(ErrorKind::usage, std::string("loop: ") + error.what());
  }
}

void Loop::State::start() {
  try {
    for (SplitData& each : split) each.acquire();
  } catch (...) {
    for (SplitData& each : split) each.release();
    throw;
  }
  began = starpu_timing_now();
  for (auto& slot : slots) slot->last_end = began;
  for (unsigned held = 1; held <= ahead_with_own_memory; ++held)
    for (auto& slot : slots) feed(*slot, held);
  drop_token();
}

// Submits blocks until the worker holds `most`, or as many as it may.
void Loop::State::feed(Slot& slot, unsigned most) {
  const std::lock_guard lock(slot.mutex);
  while (!slot.gone && slot.held < std::min(most, slot.ahead)) {
    const bool adaptive = hdss && hdss->adaptive(dispatcher->left());
    const loops::Block block = dispatcher->fetch(slot.processor);
    if (!block) return;
    if (adaptive) ++adaptive_blocks;
    submit(slot, block);
  }
}

void Loop::State::submit(Slot& slot, loops::Block block) {
  auto made = std::make_unique<BlockTask>();
  made->loop = this;
  made->slot = &slot;
  made->block = {block.begin, block.size, argument};
  made->submitted = starpu_timing_now();
  starpu_task* task = starpu_task_create();
  task->cl = &codelet;
  auto next_split = split.begin();
  for (std::size_t i = 0; i < data.size(); ++i) {
    task->handles[i] = data[i].whole ? data[i].handle : (next_split++)->register_part(block);
    if (!data[i].whole) made->parts.push_back(task->handles[i]);
  }
  task->cl_arg = made.get();
  task->callback_func = on_finished;
  task->callback_arg = made.get();
  task->detach = 0;  // StarPU still reads the codelet after the callback: wait() waits for each task
  task->execute_on_a_specific_worker = 1;
  task->workerid = slot.worker;
  slot.parts.insert(slot.parts.end(), made->parts.begin(), made->parts.end());
  ++slot.held;
  ++tokens;
  if (starpu_task_submit(task) == 0) {
    made.release();  // on_finished owns it
    slot.tasks.push_back(task);
    return;
  }
  task->destroy = 0;
  starpu_task_destroy(task);
  --slot.held;
  --tokens;  // never the last: whoever feeds holds one
  fail("StarPU refused a block for worker " + std::to_string(slot.worker));
}

template <class Functions>
void Loop::State::run(const Functions& functions, void* buffers[], void* arg) {
  auto& task = *static_cast<BlockTask*>(arg);
  if (task.loop->failed.load(std::memory_order_relaxed)) return;
  std::string what = "an exception that is no std::exception";
  try {
    functions[starpu_task_get_implementation(starpu_task_get_current())](buffers, &task.block);
    return;
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {  // `what` says it
  }
  task.loop->fail("iterations " + std::to_string(task.block.begin) + " to " +
                  std::to_string(task.block.begin + task.block.size - 1) + " on worker " +
                  std::to_string(task.slot->worker) + ": " + what);
}

void Loop::State::run_cpu(void* buffers[], void* arg) {
  run(static_cast<BlockTask*>(arg)->loop->user.cpu_funcs, buffers, arg);
}

void Loop::State::run_cuda(void* buffers[], void* arg) {
  run(static_cast<BlockTask*>(arg)->loop->user.cuda_funcs, buffers, arg);
}

void Loop::State::on_finished(void* arg) {
  const std::unique_ptr<BlockTask> task(static_cast<BlockTask*>(arg));
  task->loop->finished(*task);
}

void Loop::State::finished(BlockTask& task) {
  Slot& slot = *task.slot;
  if (starpu_worker_get_memory_node(slot.worker) != STARPU_MAIN_RAM)
    for (const starpu_data_handle_t part : task.parts) starpu_data_prefetch_on_node(part, STARPU_MAIN_RAM, 1);
  {
    const std::lock_guard lock(slot.mutex);
    const double now = starpu_timing_now();
    // With a block ahead, what a block costs is the time since the one before it ended.
    dispatcher->finished(slot.processor, {task.block.begin, task.block.size},
                         now - std::max(slot.last_end, task.submitted));
    slot.last_end = now;
    slot.share.finished = now - began;
    if (!failed) {
      slot.share.iterations += task.block.size;
      ++slot.share.blocks;
    }
    --slot.held;
  }
  feed(slot, ahead_with_own_memory);
  drop_token();
}

void Loop::State::fail(const std::string& what) {
  const std::lock_guard lock(mutex);
  if (!failed.exchange(true)) reason = what;
  dispatcher->close();
}

void Loop::State::drop_token() {
  if (--tokens > 0) return;
  // Under the lock: the waiter may destroy this state as soon as it can take it.
  const std::lock_guard lock(mutex);
  over = true;
  changed.notify_all();
}

void Loop::State::close_data() {
  for (auto& slot : slots) {
    for (starpu_task* task : slot->tasks)
      if (starpu_task_wait(task) != 0) fail("StarPU lost a block of worker " + std::to_string(slot->worker));
    for (const starpu_data_handle_t part : slot->parts) starpu_data_unregister(part);
  }
  for (SplitData& each : split) each.release();
}

LoopReport Loop::State::report() {
  LoopReport report;
  report.adaptive_blocks = adaptive_blocks;
  for (auto& slot : slots) {
    slot->share.weight = dispatcher->schedule().weight(slot->processor);
    report.shares.push_back(slot->share);
    report.microseconds = std::max(report.microseconds, slot->share.finished);
  }
  return report;
}

Loop::Loop(std::size_t iterations, const starpu_codelet& codelet, std::vector<LoopData> data,
           const LoopOptions& options)
    : state_(std::make_unique<State>(iterations, codelet, std::move(data), options)) {
  state_->start();
}

Loop::~Loop() {
  if (state_->waited) return;
  try {
    wait();
  } catch (const Error&) {  // nobody asked
  }
}

LoopReport Loop::wait() {
  {
    std::unique_lock lock(state_->mutex);
    if (state_->waited) throw Error(ErrorKind::usage, "loop: wait() was called before");
    state_->changed.wait(lock, [&] { return state_->over; });
    state_->waited = true;
  }
  state_->close_data();
  if (state_->failed)
    throw Error(ErrorKind::runtime,
                "loop " + std::string(state_->codelet.name ? state_->codelet.name : "") + ": " + state_->reason);
  if (const std::size_t left = state_->dispatcher->left(); left > 0)
    throw Error(ErrorKind::runtime, "loop: every worker left it with " + std::to_string(left) + " iterations to go");
  return state_->report();
}

void Loop::leave(unsigned worker) {
  std::size_t tokens = state_->tokens;
  do {
    if (tokens == 0) return;  // the loop is over
  } while (!state_->tokens.compare_exchange_weak(tokens, tokens + 1));
  for (auto& slot : state_->slots) {
    if (slot->worker != worker) continue;
    const std::lock_guard lock(slot->mutex);
    if (!slot->gone) state_->dispatcher->retire(slot->processor);
    slot->gone = true;
  }
  for (auto& slot : state_->slots) state_->feed(*slot, 1);  // its share may be theirs now
  state_->drop_token();
}

LoopReport parallel_for(std::size_t iterations, const starpu_codelet& codelet, std::vector<LoopData> data,
                        const LoopOptions& options) {
  return Loop(iterations, codelet, std::move(data), options).wait();
}

}  // namespace starpath
