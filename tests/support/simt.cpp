// The scheduler of the SIMT host runtime: threads as fibers, picked at random.
#include "tests/support/simt.hpp"

#include <algorithm>
#include <atomic>
#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace starpath::simt {
namespace {

namespace context = boost::context;

constexpr std::size_t kStackBytes = std::size_t{256} << 10;
constexpr unsigned kWarpSize = 32;

std::string text_of(const Dim3& d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

std::string text_of(const Where& where) { return std::string(where.file_name()) + ":" + std::to_string(where.line()); }

bool same_line(const Where& a, const Where& b) {
  return a.line() == b.line() && std::string_view(a.file_name()) == b.file_name();
}

struct Block;
class Fiber;

struct Thread {
  Place place{};
  unsigned index = 0;  // within the block
  Block* block = nullptr;
  Fiber* fiber = nullptr;  // once it has begun
};

/// Lanes that wait for each other.
struct Meeting {
  unsigned mask = 0, arrived = 0, left = 0;
  Where where;
  Lanes values{};
};

struct Warp {
  unsigned finished = 0;         // lanes
  std::deque<Meeting> meetings;  // of disjoint masks
};

struct Block {
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::vector<Thread*> waiting;  // at the barrier
  Where where;
  Vote vote = Vote::none;
  int votes = 0, result = 0;
  std::size_t finished = 0;
  std::map<int, std::unique_ptr<std::byte[]>> shared;
};

/// A stack that runs threads, one after another; between two it rests.
class Fiber {
 public:
  Fiber()
      : fiber_(std::allocator_arg, context::fixedsize_stack(kStackBytes), [this](context::fiber&& back) {
          entered(nullptr);
          back_ = std::move(back);
          while (true) {
            work_();
            work_ = nullptr;
            leave();
          }
          return std::move(back_);
        }) {}

  void assign(std::function<void()> work) { work_ = std::move(work); }
  bool resting() const { return work_ == nullptr; }

  /// From the scheduler: goes on until the thread waits, yields or ends.
  void resume() {
#if defined(__SANITIZE_ADDRESS__)
    void* scheduler = nullptr;
    __sanitizer_start_switch_fiber(&scheduler, stack_, stack_ == nullptr ? 0 : stack_size_);
    fiber_ = std::move(fiber_).resume();
    __sanitizer_finish_switch_fiber(scheduler, nullptr, nullptr);
#else
    fiber_ = std::move(fiber_).resume();
#endif
  }

  /// From the thread: back to the scheduler.
  void leave() {
#if defined(__SANITIZE_ADDRESS__)
    void* own = nullptr;
    __sanitizer_start_switch_fiber(&own, scheduler_stack_, scheduler_size_);
    back_ = std::move(back_).resume();
    entered(own);
#else
    back_ = std::move(back_).resume();
#endif
  }

 private:
#if defined(__SANITIZE_ADDRESS__)
  void entered(void* own) {
    __sanitizer_finish_switch_fiber(own, &scheduler_stack_, &scheduler_size_);
    // Of this stack the top is known from here on, near enough.
    if (stack_ == nullptr) {
      stack_size_ = kStackBytes / 2;
      stack_ = reinterpret_cast<std::byte*>(__builtin_frame_address(0)) - stack_size_;
    }
  }
  const void* scheduler_stack_ = nullptr;
  std::size_t scheduler_size_ = 0;
  const std::byte* stack_ = nullptr;
  std::size_t stack_size_ = 0;
#else
  void entered(void*) {}
#endif
  context::fiber fiber_, back_;
  std::function<void()> work_;
};

struct Settings {
  std::atomic<std::uint64_t> seed = 1;
  std::atomic<std::uint64_t> patience = 100'000'000;
};
Settings settings;

/// One grid, from start to end.
class Grid {
 public:
  Grid(const char* name, Dim3 grid, Dim3 block, const std::function<void()>& body)
      : name_(name), grid_(grid), block_(block), body_(body), rng_(settings.seed++), residents_(1 + pick(4)) {
    for (std::size_t i = 0; i < grid.count(); ++i) order_.push_back(i);
    std::shuffle(order_.begin(), order_.end(), rng_);
  }

  void run() {
    while (true) {
      while (blocks_.size() < residents_ && !order_.empty()) start_block();
      if (blocks_.empty()) break;
      if (runnable_.empty()) stuck();
      if (++switches_ > settings.patience)
        raise("the grid does not end: " + std::to_string(switches_) + " switches between threads");
      Thread* const thread = take_runnable();
      if (thread->fiber == nullptr) begin(*thread);
      current_ = thread;
      thread->fiber->resume();
      current_ = nullptr;
      if (!failure_.empty()) raise(failure_);
      if (thread->fiber->resting()) end(*thread);
    }
  }

  Thread& current() {
    if (current_ == nullptr) throw Error("a kernel function was called outside a grid");
    return *current_;
  }

  void yield() {
    Thread& self = current();
    runnable_.push_back(&self);
    self.fiber->leave();
  }

  void preempt() {
    if ((rng_() & 3U) == 0) yield();
  }

  [[noreturn]] void fail(const std::string& what) {
    Thread& self = current();
    failure_ = "block " + text_of(self.place.block) + ", thread " + text_of(self.place.thread) + ": " + what;
    self.fiber->leave();
    std::abort();  // a failed grid's threads are never resumed
  }

  int barrier(Vote vote, bool value, Where where) {
    Thread& self = current();
    Block& block = *self.block;
    if (block.finished != 0)
      fail("barrier at " + text_of(where) + " although " + std::to_string(block.finished) + " of " +
           std::to_string(block.threads.size()) + " threads of the block have returned");
    if (block.waiting.empty()) {
      block.where = where;
      block.vote = vote;
      block.votes = 0;
    } else if (!same_line(block.where, where)) {
      fail("barrier at " + text_of(where) + " while " + std::to_string(block.waiting.size()) +
           " threads of the block wait at the one at " + text_of(block.where));
    }
    block.votes += value ? 1 : 0;
    block.waiting.push_back(&self);
    if (block.waiting.size() == block.threads.size()) {
      const int all = static_cast<int>(block.threads.size());
      block.result = vote == Vote::count ? block.votes
                     : vote == Vote::all ? (block.votes == all ? 1 : 0)
                                         : (block.votes > 0 ? 1 : 0);
      runnable_.insert(runnable_.end(), block.waiting.begin(), block.waiting.end());
      block.waiting.clear();
    }
    self.fiber->leave();
    return block.result;
  }

  Lanes meet(unsigned mask, std::uint64_t value, Where where) {
    Thread& self = current();
    Warp& warp = self.block->warps[self.index / kWarpSize];
    const unsigned bit = 1U << self.index % kWarpSize;
    if ((mask & bit) == 0) fail("warp operation at " + text_of(where) + " by a lane that is not in its mask");
    if ((mask & warp.finished) != 0)
      fail("warp operation at " + text_of(where) + " although a lane of its mask has returned or does not exist");
    Meeting& meeting = meeting_of(warp, mask, bit, where);
    meeting.arrived |= bit;
    meeting.values[self.index % kWarpSize] = value;
    if (meeting.arrived == mask) {
      for (unsigned i = 0; i < kWarpSize; ++i)
        if ((mask >> i & 1U) != 0) runnable_.push_back(&self.block->threads[self.index / kWarpSize * kWarpSize + i]);
    }
    self.fiber->leave();
    const Lanes values = meeting.values;
    meeting.left |= bit;
    while (!warp.meetings.empty() && warp.meetings.front().left == warp.meetings.front().mask)
      warp.meetings.pop_front();
    return values;
  }

  void* shared_bytes(int id, std::size_t size) {
    std::unique_ptr<std::byte[]>& bytes = current().block->shared[id];
    if (bytes == nullptr) {
      bytes = std::make_unique<std::byte[]>(size);
      std::generate_n(bytes.get(), size, [&] { return static_cast<std::byte>(rng_()); });
    }
    return bytes.get();
  }

 private:
  std::size_t pick(std::size_t count) { return static_cast<std::size_t>(rng_() % count); }

  [[noreturn]] void raise(const std::string& what) { throw Error(std::string("kernel ") + name_ + ": " + what); }

  void start_block() {
    const std::size_t index = order_.back();
    order_.pop_back();
    Block& block = *blocks_.emplace_back(std::make_unique<Block>());
    const std::size_t threads = block_.count();
    block.threads.resize(threads);
    block.warps.resize((threads + kWarpSize - 1) / kWarpSize);
    if (threads % kWarpSize != 0) block.warps.back().finished = ~0U << threads % kWarpSize;
    const auto place_of = [](std::size_t i, Dim3 size) {
      return Dim3(static_cast<unsigned>(i % size.x), static_cast<unsigned>(i / size.x % size.y),
                  static_cast<unsigned>(i / size.x / size.y));
    };
    for (std::size_t i = 0; i < threads; ++i) {
      Thread& thread = block.threads[i];
      thread.place = {place_of(i, block_), place_of(index, grid_), block_, grid_};
      thread.index = static_cast<unsigned>(i);
      thread.block = &block;
      runnable_.push_back(&thread);
    }
  }

  Thread* take_runnable() {
    std::swap(runnable_[pick(runnable_.size())], runnable_.back());
    Thread* const thread = runnable_.back();
    runnable_.pop_back();
    return thread;
  }

  /// What a fiber does for one thread.
  void run_thread() {
    try {
      body_();
    } catch (const std::exception& error) {
      fail(std::string("an exception: ") + error.what());
    }
  }

  void begin(Thread& thread) {
    if (resting_.empty()) resting_.push_back(fibers_.emplace_back(std::make_unique<Fiber>()).get());
    thread.fiber = resting_.back();
    resting_.pop_back();
    thread.fiber->assign([this] { run_thread(); });
  }

  void end(Thread& thread) {
    Block& block = *thread.block;
    resting_.push_back(thread.fiber);
    ++block.finished;
    Warp& warp = block.warps[thread.index / kWarpSize];
    const unsigned bit = 1U << thread.index % kWarpSize;
    warp.finished |= bit;
    const std::string who = "block " + text_of(thread.place.block) + ", thread " + text_of(thread.place.thread);
    if (!block.waiting.empty())
      raise(who + ": returned while " + std::to_string(block.waiting.size()) + " of " +
            std::to_string(block.threads.size()) + " threads of the block wait at the barrier at " +
            text_of(block.where));
    for (const Meeting& meeting : warp.meetings)
      if ((meeting.mask & bit & ~meeting.left) != 0)
        raise(who + ": returned while lanes wait for it in the warp operation at " + text_of(meeting.where));
    if (block.finished == block.threads.size())
      std::erase_if(blocks_, [&](const auto& other) { return other.get() == &block; });
  }

  [[noreturn]] void stuck() {
    std::string what = "no thread can go on";
    for (const auto& block : blocks_) {
      if (!block->waiting.empty())
        what += "; " + std::to_string(block->waiting.size()) + " of " + std::to_string(block->threads.size()) +
                " threads of block " + text_of(block->threads[0].place.block) + " wait at the barrier at " +
                text_of(block->where);
      for (const Warp& warp : block->warps)
        for (const Meeting& meeting : warp.meetings)
          if (meeting.arrived != meeting.mask)
            what += "; lanes wait in the warp operation at " + text_of(meeting.where);
    }
    raise(what);
  }

  Meeting& meeting_of(Warp& warp, unsigned mask, unsigned bit, Where where) {
    for (Meeting& meeting : warp.meetings)
      if (meeting.mask == mask && same_line(meeting.where, where) && meeting.arrived != mask &&
          (meeting.arrived & bit) == 0)
        return meeting;
    Meeting& meeting = warp.meetings.emplace_back();
    meeting.mask = mask;
    meeting.where = where;
    return meeting;
  }

  const char* name_;
  Dim3 grid_, block_;
  const std::function<void()>& body_;
  std::mt19937_64 rng_;
  std::size_t residents_;
  std::uint64_t switches_ = 0;
  std::vector<std::size_t> order_;  // blocks still to start, last first
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Thread*> runnable_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> resting_;
  Thread* current_ = nullptr;
  std::string failure_;
};

thread_local Grid* running = nullptr;  // several devices may run grids at a time

Grid& grid() {
  if (running == nullptr) throw Error("a kernel function was called outside a grid");
  return *running;
}

}  // namespace

void set_seed(std::uint64_t seed) { settings.seed = seed; }
void set_patience(std::uint64_t switches) { settings.patience = switches; }

void run_grid(const char* name, Dim3 grid_size, Dim3 block_size, const std::function<void()>& body) {
  if (running != nullptr) throw Error(std::string("kernel ") + name + ": launched from inside a kernel");
  if (grid_size.count() == 0) return;
  if (block_size.count() == 0 || block_size.count() > 1024)
    throw Error(std::string("kernel ") + name + ": a block of " + std::to_string(block_size.count()) + " threads");
  Grid the_grid(name, grid_size, block_size, body);
  struct Running {
    explicit Running(Grid& now) { running = &now; }
    ~Running() { running = nullptr; }
  } const guard(the_grid);
  the_grid.run();
}

const Place& place() { return grid().current().place; }
void fail(const std::string& what) { grid().fail(what); }
void yield() { grid().yield(); }
void preempt() { grid().preempt(); }
int barrier(Vote vote, bool value, Where where) { return grid().barrier(vote, value, where); }
Lanes meet(unsigned mask, std::uint64_t value, Where where) { return grid().meet(mask, value, where); }
unsigned lane() { return grid().current().index % kWarpSize; }
void* shared_bytes(int id, std::size_t size) { return grid().shared_bytes(id, size); }

}  // namespace starpath::simt
