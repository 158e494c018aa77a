// Apex: Starpath's own policy. Affinity decides what a worker would take, expected finish times whether it should.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "sched_policies/core/class_prices.hpp"
#include "sched_policies/core/cost_buckets.hpp"
#include "sched_policies/core/estimate_errors.hpp"
#include "sched_policies/core/grouped_queue.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/core/slab_pool.hpp"
#include "sched_policies/core/worker_times.hpp"

namespace starpath {

/// Order. A task's cost at a place (the workers of one class that share a memory) is its run time there plus the copies
/// that it still needs there; its rank is the time to the end of the longest chain of known tasks that begins with it.
/// The horizon is the longer of the highest rank and the time the whole machine needs for every known task; a task
/// that others wait for and whose rank is a large part of the horizon is critical.
///   - A worker where critical tasks cost least takes the one of the highest rank. Else it prefers the task with the
///     largest advantage: the lowest cost at places of other classes over the cost at its own. Advantages within a
///     fifth are equal: of what suits it the longest chain, if there is one; the higher priority, then the older.
///   - It takes only tasks that it is expected to finish no later than any other place would: a place finishes a
///     critical task after what its workers hold and what is queued that suits it best and is of higher rank, others
///     not before the other classes together have done everything queued.
///     A task that nothing is known to wait for counts as longer where it does not cost least, by as much as
///     estimates of its codelet were wrong there (EstimateErrors).
///     When a task is first left, a limit is set: eight times as long as others were to take. After as many
///     refusals as there are workers, only who has something to finish is a reason to leave a task.
///   - It leaves what is dear: a task that is not critical and costs more than twice as much here as at the best other
///     place, each place's cost times its class's price (ClassPrices), if it and what waits for it can be done there
///     within a quarter of the horizon. It waits for something better no longer than it would lose by taking the task.
///   - With nothing to take, it takes what another worker reserved, if it would finish that sooner.
///   - A task whose run time is not known for every class that may run it waits in a line of its own (higher priority
///     first, then arrival), and the head of that line goes before what a worker prefers when its priority is higher,
///     or equal and it is older.
///   - `reserve` keeps one task for a worker, and only one that still has to be copied there.
/// Costs are those of when the task was queued, after what EstimateErrors makes of them.
class Apex {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "apex",
      .description = "affinity with copies, where it finishes first; reserves what has to be copied",
      .uses_estimates = true,
      .uses_streams = true};

  explicit Apex(PolicyEnvironment environment);

  void push(TaskRecord& task);
  TaskRecord* pop(WorkerId worker);
  std::size_t size() const { return buckets_.size() + unknown_.size() + reserved_; }

  void submitted(GroupId group, const ClassSeconds& seconds);
  void push(TaskRecord& task, const TaskCosts& costs);
  Decision pop(WorkerId worker, double now);
  TaskRecord* reserve(WorkerId worker, double now);
  void hold(WorkerId worker, TaskRecord& task);
  void forget(WorkerId worker, TaskRecord& task);
  void finished(WorkerId worker, const void* owner, double now, std::optional<double> ran);
  void set_present(WorkerId worker, bool present);
  void set_tail(TaskRecord& task, double tail);
  void set_outstanding(double seconds) { outstanding_ = seconds; }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr std::size_t kRankLevels = 256;
  static constexpr double kSame = 1.05;    // costs within this factor are the same
  static constexpr double kMargin = 1.02;  // a later finish by less than this is not later

  struct Level {
    double seconds = 0;
    std::size_t tasks = 0;
  };
  struct Place {
    ClassId id;
    MemoryId memory;
    std::vector<WorkerId> workers = {};
    std::size_t present = 0;  // of its workers
    double speed = 0;         // weight of queued tasks times how fast it is at them, over the fastest place
    std::array<Level, kRankLevels> by_rank{};  // queued tasks that suit it best

    /// Seconds of higher ranks than `level`, and half of its own.
    double above(std::size_t level) const;
  };
  /// A class's part in what is queued, for the decision at hand.
  struct Pool {
    double held = 0;     // what its workers have to finish, seconds where it costs least
    double speed = 0;    // of that and of what is queued, done in a second
    double without = 0;  // when the other classes will have done what is queued without this one
  };
  struct UnknownLevel {
    int priority;
    bool operator<(const UnknownLevel& other) const { return priority > other.priority; }
  };
  /// What a worker would take, and why not.
  struct Choice {
    CostedTask* task = nullptr;
    CostedTask* refused = nullptr;  // the best of those that others would finish sooner
    PlaceId better = 0;             // where that would be finished first
    double until = kInfinity;       // when
  };
  /// How good a task is for the worker that asks; compared in this order.
  struct Merit {
    bool critical = false;
    double level = -kInfinity;
    int priority = 0;
    std::uint64_t sequence = 0;
    bool operator<(const Merit& other) const;
  };

  /// Since when a worker without work has been leaving what there is.
  struct Waiting {
    double since = 0;
    std::size_t spell = 0;  // of queued tasks, without a break; another one: it has not been waiting
  };

  double seconds(const CostedTask& task, PlaceId place) const { return task.seconds[places_[place].id]; }
  double copy(const CostedTask& task, PlaceId place) const {
    const MemoryId memory = places_[place].memory;
    return memory < kMaxMemories ? task.copies[memory] : 0;
  }
  /// Infinite where it cannot run.
  double cost(const CostedTask& task, PlaceId place) const { return seconds(task, place) + copy(task, place); }
  void note_costs(const CostedTask& task);
  void enter(CostedTask& task);
  void leave(CostedTask& task);
  static std::uint8_t rank_level(double rank);
  void count(const CostedTask& task, double sign);
  void look_around(double now);
  double free_at(WorkerId worker, double now) const;
  bool critical(const CostedTask& task) const;
  double first_free(const CostedTask& task, const Place& place, double now) const;
  double finish_elsewhere(const CostedTask& task, PlaceId here, double now, PlaceId& best) const;
  double guarded(const CostedTask& task, PlaceId place) const;
  double advantage(const CostedTask& task, PlaceId here) const;
  bool leaves(CostedTask& task, WorkerId worker, double now, Choice& choice) const;
  double waiting_since(WorkerId worker, double now) const;
  bool dear(const CostedTask& task, WorkerId worker, double now, Choice& choice);
  Choice choose(WorkerId worker, double now, bool any);
  TaskRecord* release(CostedTask& task);
  TaskRecord* hand_out(CostedTask& task, WorkerId worker, double now);
  TaskRecord* unknown_before(WorkerId worker, const CostedTask* known);
  CostedTask* steal(WorkerId worker, double now);
  Decision decline(WorkerId worker, const Choice& choice, double now) const;

  PolicyEnvironment environment_;
  std::vector<Place> places_;
  std::vector<PlaceId> place_of_;
  std::vector<bool> present_;
  WorkerTimes times_;
  EstimateErrors errors_;
  ClassPrices prices_;
  SlabPool<CostedTask> tasks_;
  CostBuckets buckets_;
  GroupedQueue<UnknownLevel> unknown_;
  std::vector<std::deque<CostedTask*>> lines_;  // of reserved tasks, by worker
  std::size_t reserved_ = 0;
  double outstanding_ = 0;
  double weight_ = 0;             // of queued tasks: seconds where each costs least
  double horizon_ = 0;            // of the decision at hand, from now
  std::vector<Pool> pools_;       // by class
  std::vector<double> costs_;     // by place, of the task being counted; kept for its memory, as
  std::vector<double> ratios_;    // of the task being queued
  double last_rank_ = -1;         // that was put in a level,
  std::uint8_t last_level_ = 0;   // and which
  double pooled_ = 0;             // when all places together will have done what is queued; of the decision at hand
  std::size_t refusals_ = 0;      // since a task came, left or ended
  std::vector<Waiting> waiting_;  // by worker
  std::size_t spell_ = 1;
};

static_assert(PlanningPolicy<Apex>);

}  // namespace starpath
