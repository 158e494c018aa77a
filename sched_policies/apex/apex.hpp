// Apex: Starpath's own policy. Prices of device classes say where a task belongs; with long chains finish times decide.
#pragma once

#include <cstddef>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sched_policies/apex/class_prices.hpp"
#include "sched_policies/apex/cost_buckets.hpp"
#include "sched_policies/apex/estimate_errors.hpp"
#include "sched_policies/apex/worker_times.hpp"
#include "sched_policies/core/grouped_queue.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/core/slab_pool.hpp"
#include "sched_policies/planning/outstanding.hpp"
#include "sched_policies/planning/planning_policy.hpp"
#include "sched_policies/planning/work_by_upward_rank.hpp"

namespace starpath {

/// Order. A task's cost at a place (the workers of one class that share a memory) is its run time there plus the copies
/// that it still needs there; its upward rank is the time to the end of the longest chain of known tasks that begins
/// with it. What is known takes as long as the highest upward rank, or as the whole machine needs for every known task,
/// whichever is longer. That is the horizon; as far as tasks that end are replaced by new ones, it is longer by another
/// chain and, unless chains are long, by a tenth of the time since there was last nothing to do. A task is at home
/// where its cost times the price of the class (ClassPrices) is least. It is done in time at a place if it ends there,
/// and what waits for it can end, within the horizon.
///   - As long as no chain of tasks takes 0.45 of what is known: a worker takes only what it is the fastest for or
///     would have done in time, and of that what costs here at most twice as much as at home, both times the price, or
///     what would not be done in time at home. First what would not, then what is at home here: where others would pay
///     the most more (in steps of two), then what nothing waits for, the longest first, then the higher priority, then
///     the older. Then the rest.
///   - With a longer chain (and without prices): tasks whose upward rank is at least half of the horizon are critical.
///   A
///     worker where critical tasks cost least takes the one of the highest upward rank. Else it prefers the task with
///     the largest advantage: the lowest cost at places of other classes over the cost at its own, in steps of a fifth;
///     of what suits it the longest chain, if there is one; the higher priority, then the older. It leaves what costs
///     more than twice as much as at home (times the fourth power of the share of the time for which its class was busy
///     since there was last nothing to do, at least a half), if it is done in time there, and what another place is
///     expected to finish sooner: a place finishes a critical task after what its workers hold and what is queued that
///     suits it best and is of higher upward rank, others not before the other classes together have done everything
///     queued. But it does not leave what costs here at most twice as much as at home and is done in turn: before the
///     other classes, doing all that is known and not begun in the order of upward ranks, come to what waits for it,
///     which can then end within the horizon. (As far as tasks that end are replaced, they come at once. A critical
///     task has to cost less, by the square of how wrong estimates of its codelet were.)
///   - With much queued, a worker that takes a task gets more of its kind, none more urgent, as long as all that it has
///     then takes ten microseconds at most.
///   - A task that nothing is known to wait for counts as longer where it does not cost least, by as much as
///     estimates of its codelet were wrong there (EstimateErrors).
///   - A task is left for no longer than eight times what is known takes. After as many refusals as there are workers,
///     an idle worker is a reason to leave a task only if it refused as well; after twice as many it is none.
///   - With nothing to take, it takes what another worker reserved, if it would finish that sooner.
///   - A task whose run time is not known for every class that may run it waits in a line of its own (higher priority
///     first, then arrival), and the head of that line goes before what a worker prefers when its priority is higher,
///     or equal and it is older.
///   - `reserve` keeps one task for a worker, and only one that still has to be copied there. With a long chain a
///     critical one of a higher upward rank that suits the worker best goes before it.
/// Costs are those of when the task was queued, after what EstimateErrors makes of them.
class Apex {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "apex",
      .description =
          "where a task belongs by prices of device classes, if it is done in time; reserves what has to be copied",
      .uses_estimates = true,
      .uses_codelets = true};

  explicit Apex(PolicyEnvironment environment);

  void push(TaskRecord& task);
  TaskRecord* pop(WorkerId worker);
  std::size_t size() const { return buckets_.size() + unknown_.size() + reserved_; }

  void submitted(GroupId group, const ClassSeconds& seconds);
  void push(TaskRecord& task, const TaskCosts& costs);
  Decision pop(WorkerId worker, double now);
  TaskRecord* another(WorkerId worker, double now);
  TaskRecord* reserve(WorkerId worker, double now);
  void hold(WorkerId worker, TaskRecord& task);
  void forget(WorkerId worker, TaskRecord& task);
  void finished(WorkerId worker, const void* owner, double now, std::optional<double> ran);
  void set_present(WorkerId worker, bool present);
  void set_tail(TaskRecord& task, double tail);
  void set_outstanding(const Outstanding& outstanding) { outstanding_ = outstanding; }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kSame = 1.05;      // costs within this factor are the same
  static constexpr double kMargin = 1.02;    // a later finish by less than this is not later
  static constexpr double kDear = 2;         // times what a task would cost where it belongs, in prices
  static constexpr double kTail = 3;         // times as long as a chain alone takes: it waits for workers too
  static constexpr double kHandful = 10e-6;  // seconds that what a worker is given at once may take
  static constexpr double kPatience = 8;     // a task is left for no longer than this times what all is to take

  struct Place {
    ClassId id;
    MemoryId memory;
    std::vector<WorkerId> workers = {};
    std::size_t present = 0;  // of its workers
    double speed = 0;         // weight of queued tasks times how fast it is at them, over the fastest place
    WorkByUpwardRank by_upward_rank = {};  // seconds of queued tasks that suit it best
  };
  /// A class's part in what is queued, for the decision at hand.
  struct Pool {
    double held = 0;     // what its workers have to finish, seconds where it costs least
    double speed = 0;    // of that and of what is queued, done in a second
    double without = 0;  // when the other classes will have done what is queued without this one
    double slowed = 1;   // how many times as long the other classes alone need; infinite if there are none
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
    unsigned tier = 0;
    double level = -kInfinity;
    double upward_rank = 0;
    int priority = 0;
    std::uint64_t sequence = 0;
    bool operator<(const Merit& other) const;
  };
  /// Where a task belongs: where its cost times the price of the class is least.
  struct Home {
    PlaceId place = 0;
    double least = kInfinity;    // that product
    double other = kInfinity;    // the least of other classes than the asker's
    double fastest = kInfinity;  // its lowest cost
    PlaceId quickest = 0;        // where that is
  };

  /// Of a record that has a node.
  static CostedTask& costed(const TaskRecord& task) { return static_cast<CostedTask&>(*task.node); }
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
  void count(const CostedTask& task, double sign);
  void look_around(double now);
  void fill_pools(double now);
  double finish_here(const CostedTask& task, WorkerId worker, double now) const;
  double free_at(WorkerId worker, double now) const;
  bool critical(const CostedTask& task) const;
  double first_free(const CostedTask& task, const Place& place, double now) const;
  double finish_elsewhere(const CostedTask& task, PlaceId here, double now, PlaceId& best) const;
  double guarded(const CostedTask& task, PlaceId place) const;
  double advantage(const CostedTask& task, PlaceId here) const;
  /// After so many refusals somebody who is expected to take what is queued does not ask.
  bool stuck() const { return refusals_ > present_.size(); }
  /// Whether the worker may be a reason to leave a task: after so many refusals only if it is at work, and will ask, or
  /// has asked since a task came, left or ended; after twice as many only if it is at work, for workers that look at
  /// different tasks could name each other for ever.
  bool comes(WorkerId worker) const {
    if (!stuck() || !times_.idle(worker)) return true;
    return looked_[worker] && refusals_ <= 2 * present_.size();
  }
  void note_event() {
    if (refusals_ == 0) return;
    refusals_ = 0;
    looked_.assign(looked_.size(), false);
  }
  bool late(const CostedTask& task, double now, double seconds) const;
  bool left(CostedTask& task, double now, double seconds) const;
  double turn_of(double upward_rank, PlaceId here, double now) const;
  bool in_turn(const CostedTask& task, double finish, PlaceId here, double now) const;
  double busy_share(ClassId id, double now) const;
  double dearest_in_turn(const CostedTask& task) const;
  bool leaves(CostedTask& task, WorkerId worker, double now, Choice& choice) const;
  bool dear(CostedTask& task, WorkerId worker, double now, Choice& choice) const;
  Choice choose_by_finish(WorkerId worker, double now, bool any);
  bool may_come(const CostedTask& task, const Place& place) const;
  double price(const CostedTask& task, PlaceId place) const { return rates_[places_[place].id] * cost(task, place); }
  Home home_of(const CostedTask& task, PlaceId here) const;
  /// When what waits for the task is done if it ends at `finish` and its chain takes `tail` times as long as alone.
  static double chain_end(const CostedTask& task, double finish, double tail) {
    return finish + tail * (task.upward_rank - task.least);
  }
  bool in_time(const CostedTask& task, double finish, double now) const;
  bool in_time_at(PlaceId place, const CostedTask& task, double now) const;
  std::optional<Merit> merit(const CostedTask& task, const Home& home, WorkerId worker, double now) const;
  Choice choose_by_price(WorkerId worker, double now);
  Choice choose(WorkerId worker, double now, bool any);
  TaskRecord* release(CostedTask& task);
  CostedTask* overtaking(WorkerId worker, double now);
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
  Outstanding outstanding_;
  double began_ = -1;              // when there was last nothing to do; below 0: since then nobody asked
  double weight_ = 0;              // of queued tasks: seconds where each costs least
  double horizon_ = 0;             // of the decision at hand, from now
  double widest_ = 0;              // the longest that what was known took, since there was last nothing to do
  double chains_ = 0;              // the longest chain of more than one task; of the decision at hand, from now
  bool long_chain_ = false;        // whether that takes so much of what is known that it decides
  std::span<const double> rates_;  // of the decision at hand: what a second of each class is worth; empty: not known
  std::vector<Pool> pools_;        // by class
  std::vector<double> costs_;      // by place, of the task being counted; kept for its memory, as
  std::vector<double> ratios_;     // of the task being queued
  double last_upward_rank_ = -1;   // that was put in a level,
  WorkByUpwardRank::Level last_level_ = 0;  // and which
  double pooled_ = 0;              // when all places together will have done what is queued; of the decision at hand
  std::uint32_t last_bucket_ = 0;  // of the task that the last pop handed out
  double last_given_upward_rank_ = -1;  // its upward rank; below 0: there is none to hand out another after
  std::size_t refusals_ = 0;            // since a task came, left or ended
  std::vector<bool> looked_;            // since then: who refused
};

static_assert(PlanningPolicy<Apex>);

}  // namespace starpath
