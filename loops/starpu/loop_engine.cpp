#include "loops/starpu/loop_engine.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "loops/starpu/loop_workers.hpp"

namespace starpath {
namespace {

constexpr unsigned kPiecesAhead = 2;  // the piece that runs, and the one whose transfers overlap it

}  // namespace

LoopEngine::LoopEngine(const starpu_codelet& codelet, std::unique_ptr<LoopPieces> pieces,
                       const std::vector<unsigned>& workers)
    : pieces_(std::move(pieces)), end_(*pieces_), codelet_(codelet, pieces_->modes()), context_(loop_context()) {
  for (const unsigned worker : workers) {
    auto slot = std::make_unique<Slot>();
    slot->worker = slot->share.worker = worker;
    slot->processor = static_cast<unsigned>(slots_.size());
    slot->ahead = starpu_worker_get_memory_node(worker) == STARPU_MAIN_RAM ? 1 : kPiecesAhead;
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
  for (unsigned held = 1; held <= kPiecesAhead; ++held)
    for (auto& slot : slots_) feed(*slot, held);
  end_.release();
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
    // Before asking, so that a worker that makes something ready afterwards sees it.
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
  for (unsigned held = 1; held <= kPiecesAhead; ++held)
    for (auto& slot : slots_)
      if (slot->hungry) feed(*slot, held);
}

starpu_task* LoopEngine::task_for(PieceTask& made) {
  starpu_task* task = starpu_task_create();
  task->cl = codelet_.get();
  const auto& buffers = made.piece->buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) task->handles[i] = buffers[i].handle;
  task->cl_arg = &made.call;
  task->callback_func = on_finished;
  task->callback_arg = &made;
  task->detach = 0;  // StarPU still reads the codelet after the callback: wait() waits for each task
  task->sched_ctx = context_;
  task->execute_on_a_specific_worker = 1;
  task->workerid = made.slot->worker;
  return task;
}

void LoopEngine::submit(Slot& slot, std::unique_ptr<LoopPiece> piece) {
  auto made = std::make_unique<PieceTask>();
  made->loop = this;
  made->slot = &slot;
  made->piece = std::move(piece);
  made->call = {&codelet_, made->piece.get(), slot.worker, &end_};
  made->submitted = starpu_timing_now();
  starpu_task* const task = task_for(*made);
  ++slot.held;
  end_.hold();
  if (starpu_task_submit(task) == 0) {
    static_cast<void>(made.release());  // arrived() deletes it
    slot.tasks.push_back(task);
    return;
  }
  task->destroy = 0;
  starpu_task_destroy(task);
  for (const LoopPiece::Buffer& buffer : made->piece->buffers)
    if (buffer.temporary) slot.handles.push_back(buffer.handle);
  --slot.held;
  end_.release();  // never the last: the feeding thread holds one
  end_.fail("StarPU refused a block for worker " + std::to_string(slot.worker));
}

void LoopEngine::on_finished(void* arg) {
  auto* const task = static_cast<PieceTask*>(arg);
  if (task->loop->pieces_->dependent()) return task->loop->bring_home(task);
  if (starpu_worker_get_memory_node(task->slot->worker) != STARPU_MAIN_RAM)
    for (const LoopPiece::Buffer& buffer : task->piece->buffers)
      if (buffer.temporary) starpu_data_prefetch_on_node(buffer.handle, STARPU_MAIN_RAM, 1);
  task->away = 1;
  task->loop->arrived(task);
}

// Neighbours read the results from main memory through handles of their own, so StarPU cannot order that for us.
void LoopEngine::bring_home(PieceTask* task) {
  const auto& buffers = task->piece->buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].temporary && codelet_.writes(i)) task->results.push_back({task, buffers[i].handle});
  task->away = task->results.size() + 1;
  for (Result& result : task->results)
    if (starpu_data_acquire_on_node_cb(result.handle, STARPU_MAIN_RAM, STARPU_R, on_home, &result) != 0) {
      end_.fail("StarPU cannot bring " + task->piece->text() + " to main memory");
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
  feed(slot, kPiecesAhead);
  if (pieces_->dependent()) feed_hungry();
  end_.release();
}

void LoopEngine::finished(const PieceTask& task) {
  Slot& slot = *task.slot;
  const std::lock_guard lock(slot.mutex);
  const double now = starpu_timing_now();
  // With a piece ahead, the cost of a piece is the time since the one before it ended.
  pieces_->finished(slot.processor, *task.piece, now - std::max(slot.last_end, task.submitted));
  slot.last_end = now;
  slot.share.finished = now - began_;
  if (!end_.failed()) {
    slot.share.iterations += task.piece->iterations();
    ++slot.share.blocks;
  }
  --slot.held;
  for (const LoopPiece::Buffer& buffer : task.piece->buffers) {
    if (!buffer.temporary) continue;
    if (pieces_->dependent())
      starpu_data_unregister_submit(buffer.handle);  // many, and their results are in main memory
    else
      slot.handles.push_back(buffer.handle);
  }
}

void LoopEngine::close_data() {
  for (auto& slot : slots_) {
    for (starpu_task* task : slot->tasks)
      if (starpu_task_wait(task) != 0) end_.fail("StarPU lost a block of worker " + std::to_string(slot->worker));
    for (const starpu_data_handle_t handle : slot->handles) starpu_data_unregister(handle);
  }
  pieces_->release();
}

LoopReport LoopEngine::report() {
  LoopReport report;
  report.adaptive_blocks = adaptive_blocks_;
  for (auto& slot : slots_) {
    slot->share.weight = pieces_->weight(slot->processor);
    report.shares.push_back(slot->share);
    report.microseconds = std::max(report.microseconds, slot->share.finished);
  }
  return report;
}

LoopReport LoopEngine::wait() {
  end_.wait();
  close_data();
  if (end_.failed()) throw Error(ErrorKind::runtime, "loop " + std::string(codelet_.name()) + ": " + end_.reason());
  if (const std::size_t left = pieces_->left(); left > 0)
    throw Error(ErrorKind::runtime, "loop: every worker left it with " + std::to_string(left) + " iterations to go");
  return report();
}

void LoopEngine::leave(unsigned worker) {
  if (!end_.try_hold()) return;
  for (auto& slot : slots_) {
    if (slot->worker != worker) continue;
    const std::lock_guard lock(slot->mutex);
    if (!slot->gone) pieces_->retire(slot->processor);
    slot->gone = true;
  }
  for (auto& slot : slots_) feed(*slot, 1);  // its share may be theirs now
  end_.release();
}

}  // namespace starpath
