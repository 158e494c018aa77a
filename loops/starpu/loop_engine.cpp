#include "loops/starpu/loop_engine.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

#include "base/error.hpp"
#include "loops/hdss.hpp"

namespace starpath {
namespace {

constexpr unsigned ahead_with_own_memory = 2;  // the piece that runs, and the one whose transfers overlap it

bool takes_part(unsigned worker, const starpu_codelet& codelet, const LoopOptions& options) {
  const auto& chosen = options.workers;
  if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), worker) == chosen.end()) return false;
  const starpu_worker_archtype type = starpu_worker_get_type(static_cast<int>(worker));
  if (codelet.where != 0 && (codelet.where & STARPU_WORKER_TO_MASK(type)) == 0) return false;
  return (type == STARPU_CPU_WORKER && codelet.cpu_funcs[0]) || (type == STARPU_CUDA_WORKER && codelet.cuda_funcs[0]);
}

}  // namespace

LoopPieces::LoopPieces(const loops::Schedule& schedule) : schedule_(schedule) {}

bool LoopPieces::adaptive() const {
  const auto* hdss = dynamic_cast<const loops::Hdss*>(&schedule_);
  return hdss && hdss->adaptive(left());
}

unsigned loop_context() {
  const unsigned context = starpu_sched_ctx_get_context();
  return context == STARPU_NMAX_SCHED_CTXS ? 0 : context;
}

std::vector<unsigned> loop_workers(const starpu_codelet& codelet, const LoopOptions& options) {
  if (!starpu_is_initialized()) throw Error(ErrorKind::usage, "loop: start StarPU first (starpu_init)");
  std::vector<unsigned> workers;
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker)
    if (takes_part(worker, codelet, options) &&
        starpu_sched_ctx_contains_worker(static_cast<int>(worker), loop_context()))
      workers.push_back(worker);
  if (workers.empty()) throw Error(ErrorKind::runtime, "loop: no worker can run the codelet");
  return workers;
}

std::unique_ptr<loops::Schedule> loop_schedule(std::size_t iterations, const std::vector<unsigned>& workers,
                                               const LoopOptions& options) {
  loops::LoopSetup setup{.iterations = iterations, .processors = {}, .guided_share = options.guided_share};
  for (const unsigned worker : workers)
    setup.processors.push_back({.initial_block = options.initial_block,
                                .block_factor = options.block_factor,
                                .known_rate = options.known_rate ? options.known_rate(worker) : 0});
  try {
    return loops::make_schedule(options.schedule, setup);
  } catch (const std::invalid_argument& error) {
    throw Error(ErrorKind::usage, std::string("loop: ") + error.what());
  }
}

LoopEngine::LoopEngine(const starpu_codelet& codelet, std::unique_ptr<LoopPieces> pieces,
                       const std::vector<unsigned>& workers)
    : user_(codelet), pieces_(std::move(pieces)), context_(loop_context()) {
  const std::vector<starpu_data_access_mode> modes = pieces_->modes();
  if (modes.size() > STARPU_NMAXBUFS)
    throw Error(ErrorKind::usage, "loop: more than " + std::to_string(STARPU_NMAXBUFS) + " handles");
  starpu_codelet_init(&codelet_);
  codelet_.where = user_.where;
  codelet_.name = user_.name;
  codelet_.model = user_.model;
  codelet_.nbuffers = static_cast<int>(modes.size());
  std::copy(modes.begin(), modes.end(), codelet_.modes);
  for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; ++i) {
    if (user_.cpu_funcs[i]) codelet_.cpu_funcs[i] = run_cpu;
    if (user_.cuda_funcs[i]) codelet_.cuda_funcs[i] = run_cuda;
    codelet_.cuda_flags[i] = user_.cuda_flags[i];
  }
  for (const unsigned worker : workers) {
    auto slot = std::make_unique<Slot>();
    slot->worker = slot->share.worker = worker;
    slot->processor = static_cast<unsigned>(slots_.size());
    slot->ahead = starpu_worker_get_memory_node(worker) == STARPU_MAIN_RAM ? 1 : ahead_with_own_memory;
    slots_.push_back(std::move(slot));
  }
  start();
}

void LoopEngine::start() {
  try {
    pieces_->acquire();
  } catch (...) {
    pieces_->release();
    throw;
  }
  began_ = starpu_timing_now();
  for (auto& slot : slots_) slot->last_end = began_;
  for (unsigned held = 1; held <= ahead_with_own_memory; ++held)
    for (auto& slot : slots_) feed(*slot, held);
  drop_token();
}

// Submits pieces until the worker holds `most`, or as many as it may.
void LoopEngine::feed(Slot& slot, unsigned most) {
  if (serve(slot, most)) return;
  for (auto& other : slots_) feed(*other, 1);  // the share of a worker that has gone may be theirs now
}

// False when the worker turned out to have gone.
bool LoopEngine::serve(Slot& slot, unsigned most) {
  const std::lock_guard lock(slot.mutex);
  while (!slot.gone && slot.held < std::min(most, slot.ahead)) {
    if (!starpu_sched_ctx_contains_worker(static_cast<int>(slot.worker), context_)) {
      slot.gone = true;
      pieces_->retire(slot.processor);
      return false;
    }
    // Before asking: who makes something ready afterwards sees it.
    slot.hungry = true;
    const bool adaptive = pieces_->adaptive();
    std::unique_ptr<LoopPiece> piece = pieces_->fetch(slot.processor);
    if (!piece) return true;
    slot.hungry = false;
    if (adaptive) ++adaptive_blocks_;
    submit(slot, std::move(piece));
  }
  return true;
}

// Those without any piece first.
void LoopEngine::feed_hungry() {
  for (unsigned held = 1; held <= ahead_with_own_memory; ++held)
    for (auto& slot : slots_)
      if (slot->hungry) feed(*slot, held);
}

void LoopEngine::submit(Slot& slot, std::unique_ptr<LoopPiece> piece) {
  auto made = std::make_unique<PieceTask>();
  made->loop = this;
  made->slot = &slot;
  made->piece = std::move(piece);
  made->submitted = starpu_timing_now();
  starpu_task* task = starpu_task_create();
  task->cl = &codelet_;
  const auto& buffers = made->piece->buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) task->handles[i] = buffers[i].handle;
  task->cl_arg = made.get();
  task->callback_func = on_finished;
  task->callback_arg = made.get();
  task->detach = 0;  // StarPU still reads the codelet after the callback: wait() waits for each task
  task->sched_ctx = context_;
  task->execute_on_a_specific_worker = 1;
  task->workerid = slot.worker;
  ++slot.held;
  ++tokens_;
  if (starpu_task_submit(task) == 0) {
    made.release();  // on_finished owns it
    slot.tasks.push_back(task);
    return;
  }
  task->destroy = 0;
  starpu_task_destroy(task);
  for (const LoopPiece::Buffer& buffer : buffers)
    if (buffer.own) slot.parts.push_back(buffer.handle);
  --slot.held;
  --tokens_;  // never the last: whoever feeds holds one
  fail("StarPU refused a block for worker " + std::to_string(slot.worker));
}

template <class Functions>
void LoopEngine::run(const Functions& functions, void* buffers[], void* arg) {
  auto& task = *static_cast<PieceTask*>(arg);
  if (task.loop->failed_.load(std::memory_order_relaxed)) return;
  std::string what = "an exception that is no std::exception";
  try {
    functions[starpu_task_get_implementation(starpu_task_get_current())](buffers, task.piece->argument());
    return;
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {  // `what` says it
  }
  task.loop->fail(task.piece->text() + " on worker " + std::to_string(task.slot->worker) + ": " + what);
}

void LoopEngine::run_cpu(void* buffers[], void* arg) {
  run(static_cast<PieceTask*>(arg)->loop->user_.cpu_funcs, buffers, arg);
}

void LoopEngine::run_cuda(void* buffers[], void* arg) {
  run(static_cast<PieceTask*>(arg)->loop->user_.cuda_funcs, buffers, arg);
}

void LoopEngine::on_finished(void* arg) {
  auto* const task = static_cast<PieceTask*>(arg);
  if (task->loop->pieces_->dependent()) return task->loop->bring_home(task);
  if (starpu_worker_get_memory_node(task->slot->worker) != STARPU_MAIN_RAM)
    for (const LoopPiece::Buffer& buffer : task->piece->buffers)
      if (buffer.own) starpu_data_prefetch_on_node(buffer.handle, STARPU_MAIN_RAM, 1);
  task->away = 1;
  task->loop->arrived(task);
}

// Neighbours read the results from main memory through handles of their own, so StarPU cannot order that for us.
void LoopEngine::bring_home(PieceTask* task) {
  const auto& buffers = task->piece->buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].own && (codelet_.modes[i] & STARPU_W) != 0) task->results.push_back({task, buffers[i].handle});
  task->away = task->results.size() + 1;
  for (Result& result : task->results)
    if (starpu_data_acquire_on_node_cb(result.handle, STARPU_MAIN_RAM, STARPU_R, on_home, &result) != 0) {
      fail("StarPU cannot bring " + task->piece->text() + " to main memory");
      --task->away;  // not the last: this function holds one
    }
  arrived(task);
}

void LoopEngine::on_home(void* arg) {
  const Result result = *static_cast<Result*>(arg);
  starpu_data_release_on_node(result.handle, STARPU_MAIN_RAM);
  result.task->loop->arrived(result.task);
}

void LoopEngine::arrived(PieceTask* task) {
  if (--task->away > 0) return;
  finished(*task);
  Slot& slot = *task->slot;
  delete task;
  feed(slot, ahead_with_own_memory);
  if (pieces_->dependent()) feed_hungry();
  drop_token();
}

void LoopEngine::finished(const PieceTask& task) {
  Slot& slot = *task.slot;
  const std::lock_guard lock(slot.mutex);
  const double now = starpu_timing_now();
  // With a piece ahead, what a piece costs is the time since the one before it ended.
  pieces_->finished(slot.processor, *task.piece, now - std::max(slot.last_end, task.submitted));
  slot.last_end = now;
  slot.share.finished = now - began_;
  if (!failed_) {
    slot.share.iterations += task.piece->iterations();
    ++slot.share.blocks;
  }
  --slot.held;
  keep_or_drop_parts(task);
}

void LoopEngine::keep_or_drop_parts(const PieceTask& task) {
  for (const LoopPiece::Buffer& buffer : task.piece->buffers) {
    if (!buffer.own) continue;
    if (pieces_->dependent())
      starpu_data_unregister_submit(buffer.handle);  // many, and their results are in main memory
    else
      task.slot->parts.push_back(buffer.handle);
  }
}

void LoopEngine::fail(const std::string& what) {
  const std::lock_guard lock(mutex_);
  if (!failed_.exchange(true)) reason_ = what;
  pieces_->close();
}

void LoopEngine::drop_token() {
  if (--tokens_ > 0) return;
  // Under the lock: the waiter may destroy this as soon as it can take it.
  const std::lock_guard lock(mutex_);
  over_ = true;
  changed_.notify_all();
}

void LoopEngine::close_data() {
  for (auto& slot : slots_) {
    for (starpu_task* task : slot->tasks)
      if (starpu_task_wait(task) != 0) fail("StarPU lost a block of worker " + std::to_string(slot->worker));
    for (const starpu_data_handle_t part : slot->parts) starpu_data_unregister(part);
  }
  pieces_->release();
}

LoopReport LoopEngine::report() {
  LoopReport report;
  report.adaptive_blocks = adaptive_blocks_;
  for (auto& slot : slots_) {
    slot->share.weight = pieces_->schedule().weight(slot->processor);
    report.shares.push_back(slot->share);
    report.microseconds = std::max(report.microseconds, slot->share.finished);
  }
  return report;
}

LoopReport LoopEngine::wait() {
  {
    std::unique_lock lock(mutex_);
    if (waited_) throw Error(ErrorKind::usage, "loop: wait() was called before");
    changed_.wait(lock, [&] { return over_; });
    waited_ = true;
  }
  close_data();
  if (failed_)
    throw Error(ErrorKind::runtime, "loop " + std::string(codelet_.name ? codelet_.name : "") + ": " + reason_);
  if (const std::size_t left = pieces_->left(); left > 0)
    throw Error(ErrorKind::runtime, "loop: every worker left it with " + std::to_string(left) + " iterations to go");
  return report();
}

void LoopEngine::leave(unsigned worker) {
  std::size_t tokens = tokens_;
  do {
    if (tokens == 0) return;  // the loop is over
  } while (!tokens_.compare_exchange_weak(tokens, tokens + 1));
  for (auto& slot : slots_) {
    if (slot->worker != worker) continue;
    const std::lock_guard lock(slot->mutex);
    if (!slot->gone) pieces_->retire(slot->processor);
    slot->gone = true;
  }
  for (auto& slot : slots_) feed(*slot, 1);  // its share may be theirs now
  drop_token();
}

}  // namespace starpath
