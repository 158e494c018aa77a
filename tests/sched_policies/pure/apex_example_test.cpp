// The example of docs/policies/apex.md: six tasks on two cores and a GPU, from submission to end.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sched_policies/apex/apex.hpp"
#include "sched_policies/planning/class_prices.hpp"
#include "sched_policies/planning/task_graph.hpp"
#include "support/random_dag.hpp"

namespace starpath {
namespace {

/// Runs tasks under the policy and the task graph as the plug-in does, on workers whose tasks take exactly the time
/// that was estimated. Writes down what happens. Times are milliseconds.
class ApexExample {
 public:
  struct Data {
    std::string name;
    double copy;  ///< from one memory to the other
  };
  struct Task {
    std::string name;
    double core;
    std::optional<double> gpu;  ///< nullopt: cores alone can run it
    std::vector<std::size_t> reads;
    std::size_t writes;
  };

  ApexExample(std::vector<Data> data, std::vector<Task> tasks) : data_(std::move(data)), tasks_(std::move(tasks)) {
    runs_.resize(tasks_.size());
    there_.resize(data_.size(), {0, kNever});
    for (WorkerId worker = 0; worker < machine_.workers(); ++worker) policy_.set_present(worker, true);
  }

  /// What happened, a line each.
  std::vector<std::string> run() {
    for (std::size_t task = 0; task < tasks_.size(); ++task) submit(task);
    for (std::size_t task = 0; task < tasks_.size(); ++task) push_if_ready(task);
    start_copies();
    ask_all();
    while (next_event()) {
      start_copies();
      ask_all();
    }
    return lines_;
  }

  static ClassSeconds seconds(const Task& task) {
    ClassSeconds seconds;
    seconds[0] = task.core * kMilli;
    if (task.gpu) seconds[1] = *task.gpu * kMilli;
    return seconds;
  }

 private:
  static constexpr double kMilli = 1e-3;
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr WorkerId kGpu = 2;
  static constexpr std::array kWorkers{"core 0", "core 1", "the GPU"};
  static constexpr std::array kMemories{"main memory", "the GPU"};

  struct Run {
    TaskRecord record;
    TaskGraph::Ticket ticket = TaskGraph::kNoTicket;
    bool pushed = false;
    bool done = false;
    double begins = 0, ends = 0;
    std::array<std::optional<double>, 2> arrives;  // its input in each memory, once the copies to it were started
  };
  struct Worker {
    std::optional<std::size_t> running;
    double again = 0;  // when it asks again, if it was refused
    bool refused = false;
  };

  static std::string text(double value) {
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%g", value);
    return buffer.data();
  }
  void say(const std::string& what) {
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%6.1f  ", now_ / kMilli);
    lines_.push_back(buffer.data() + what);
  }

  void submit(std::size_t number) {
    const Task& task = tasks_[number];
    Run& run = runs_[number];
    run.record.owner = &run;
    WorkerSet able;
    able.insert(0);
    able.insert(1);
    if (task.gpu) able.insert(kGpu);
    run.record.group = eligibility_.intern(able);
    std::vector<DataUse> uses;
    for (const std::size_t read : task.reads) uses.push_back({&data_[read], Access::read});
    uses.push_back({&data_[task.writes], Access::write});
    run.ticket = graph_.reserve(true);
    policy_.submitted(run.record.group, seconds(task));
    graph_.submit(&run, run.ticket, uses, TaskGraph::Work::of(machine_, seconds(task)));
    if (graph_.stale()) graph_.postpone();
  }

  bool ready(std::size_t number) const {
    for (std::size_t earlier = 0; earlier < number; ++earlier) {
      for (const std::size_t read : tasks_[number].reads)
        if (tasks_[earlier].writes == read && !runs_[earlier].done) return false;
    }
    return true;
  }

  /// Milliseconds to copy what it reads to a memory.
  double copies(const Task& task, std::size_t memory) const {
    double sum = 0;
    for (const std::size_t read : task.reads)
      if (there_[read][memory] == kNever) sum += data_[read].copy;
    return sum;
  }

  void renew() {
    if (graph_.stale()) graph_.postpone();
    if (graph_.postponed()) {
      policy_.set_outstanding(graph_.outstanding());
      graph_.update([&](void* run, double tail) { policy_.set_tail(static_cast<Run*>(run)->record, tail, now_); });
    }
    policy_.set_outstanding(graph_.outstanding());
  }

  void push_if_ready(std::size_t number) {
    Run& run = runs_[number];
    if (run.pushed || !ready(number)) return;
    run.pushed = true;
    run.record.sequence = ++pushed_;
    renew();
    TaskCosts costs;
    costs.seconds = seconds(tasks_[number]);
    costs.copies[0] = copies(tasks_[number], 0) * kMilli;
    costs.copies[1] = copies(tasks_[number], 1) * kMilli;
    costs.back = data_[tasks_[number].writes].copy * kMilli;
    const TaskGraph::Standing standing = graph_.standing(&run, run.ticket);
    costs.tail = standing.tail;
    costs.position = standing.position;
    say(tasks_[number].name + " is ready, its tail is " + text(standing.tail / kMilli));
    policy_.push(run.record, costs, now_);
    graph_.tag(&run, run.ticket, &run);
  }

  /// Starts those copies of its input to a memory that did not start yet. The link to a memory makes one at a time.
  void copy(std::size_t number, std::size_t memory) {
    double arrives = now_;
    for (const std::size_t read : tasks_[number].reads) {
      double& there = there_[read][memory];
      if (there == kNever) there = link_free_[memory] = std::max(link_free_[memory], now_) + data_[read].copy * kMilli;
      arrives = std::max(arrives, there);
    }
    runs_[number].arrives[memory] = arrives;
  }

  void start_copies() {
    for (Fetch next; (next = policy_.fetch()).task != nullptr;) {
      const std::size_t number = number_of(next.task), memory = next.worker == kGpu ? 1 : 0;
      copy(number, memory);
      say("the input of " + tasks_[number].name + " is copied to " + kMemories[memory] + ", until " +
          text(*runs_[number].arrives[memory] / kMilli));
      policy_.hold(*next.task);
    }
  }

  std::size_t number_of(const TaskRecord* record) const {
    return static_cast<std::size_t>(static_cast<const Run*>(record->owner) - runs_.data());
  }

  void ask_all() {
    for (bool given = true; given;) {
      given = false;
      for (WorkerId worker = 0; worker < machine_.workers(); ++worker) given = ask(worker) || given;
    }
  }

  bool ask(WorkerId worker) {
    if (workers_[worker].running) return false;
    renew();
    const Decision decision = policy_.pop(worker, now_);
    if (decision.task == nullptr) {
      if (std::exchange(workers_[worker].refused, true)) return false;
      workers_[worker].again = decision.until;
      say(std::string(kWorkers[worker]) + " asks and gets nothing");
      return false;
    }
    workers_[worker].refused = false;
    const std::size_t number = number_of(decision.task);
    Run& run = runs_[number];
    graph_.begin(&run, run.ticket);
    const std::size_t memory = worker == kGpu ? 1 : 0;
    if (!run.arrives[memory]) copy(number, memory);
    run.begins = std::max(now_, *run.arrives[memory]);
    run.ends = run.begins + (worker == kGpu ? *tasks_[number].gpu : tasks_[number].core) * kMilli;
    workers_[worker].running = number;
    say(std::string(kWorkers[worker]) + " takes " + tasks_[number].name + " and runs it from " +
        text(run.begins / kMilli) + " to " + text(run.ends / kMilli));
    start_copies();
    return true;
  }

  /// Goes to the next time at which a task ends or a worker asks again; false: nothing will happen any more.
  bool next_event() {
    std::optional<double> next;
    bool busy = false;
    for (const Worker& worker : workers_) {
      if (worker.running) {
        busy = true;
        next = std::min(next.value_or(runs_[*worker.running].ends), runs_[*worker.running].ends);
      } else if (worker.again > now_) {
        next = std::min(next.value_or(worker.again), worker.again);
      }
    }
    if (!busy) return false;
    now_ = *next;
    for (WorkerId worker = 0; worker < machine_.workers(); ++worker) {
      if (workers_[worker].running && runs_[*workers_[worker].running].ends <= now_) end(worker);
    }
    return true;
  }

  void end(WorkerId worker) {
    const std::size_t number = *std::exchange(workers_[worker].running, std::nullopt);
    Run& run = runs_[number];
    run.done = true;
    const bool on_gpu = worker == kGpu;
    there_[tasks_[number].writes] = {on_gpu ? kNever : now_, on_gpu ? now_ : kNever};
    say(tasks_[number].name + " ends");
    graph_.finish(&run, run.ticket);
    policy_.finished(worker, &run, now_, run.ends - run.begins);
    for (std::size_t later = number + 1; later < tasks_.size(); ++later) push_if_ready(later);
  }

  const std::vector<Data> data_;
  const std::vector<Task> tasks_;
  const Machine machine_ = des::machine(2, {1});
  EligibilityTable eligibility_{machine_};
  Apex policy_{{machine_, eligibility_}};
  TaskGraph graph_;
  std::vector<Run> runs_;
  std::vector<std::array<double, 2>> there_;  // by data, from when on each memory has them
  std::array<Worker, 3> workers_;
  std::vector<std::string> lines_;
  std::uint64_t pushed_ = 0;
  std::array<double, 2> link_free_{};  // by memory that they copy to
  double now_ = 0;
};

const std::vector<ApexExample::Data> kExampleData = {{"notes", 2}, {"count", 1}, {"image", 2}, {"blur", 2},
                                                     {"edges", 2}, {"join", 1},  {"list", 2},  {"scan", 1}};
const std::vector<ApexExample::Task> kExampleTasks = {
    {"count", 12, 8, {0}, 1}, {"read", 10, std::nullopt, {}, 2}, {"blur", 80, 10, {2}, 3},
    {"edges", 48, 8, {2}, 4}, {"join", 32, 8, {3, 4}, 5},        {"scan", 12, 8, {6}, 7},
};

TEST(ApexsPage, ShowsWhatTheExampleDoes) {
  std::ifstream in(STARPATH_SOURCE_DIR "/docs/policies/apex.md");
  std::ostringstream page;
  page << in.rdbuf();
  std::string happened;
  for (const std::string& line : ApexExample(kExampleData, kExampleTasks).run()) happened += line + "\n";
  EXPECT_NE(page.str().find("```text\n" + happened + "```\n"), std::string::npos) << "this is what happens:\n"
                                                                                  << happened;
}

TEST(ApexsPage, SaysThePricesOfTheExample) {
  ClassPrices prices(des::machine(2, {1}));
  for (const ApexExample::Task& task : kExampleTasks) prices.submitted(ApexExample::seconds(task));
  EXPECT_NEAR(prices.prices()[0], 0.254, 5e-4);  // a core
  EXPECT_EQ(prices.prices()[1], 1);              // the GPU
}

TEST(ApexsPage, SaysTheWorkOfTheExample) {
  const Machine machine = des::machine(2, {1});
  std::vector<TaskGraph::Work> work;
  double known = 0;
  for (const ApexExample::Task& task : kExampleTasks) {
    work.push_back(TaskGraph::Work::of(machine, ApexExample::seconds(task)));
    known += work.back().share * 1e3;
  }
  EXPECT_NEAR(known, 31.2, 0.05);
  EXPECT_NEAR(known - work[1].share * 1e3, 26.2, 0.05) << "once read has ended";
  EXPECT_NEAR(work[2].mean * 1e3, 24, 1e-9) << "blur";
  EXPECT_NEAR(work[4].mean * 1e3, 16, 1e-9) << "join";
}

}  // namespace
}  // namespace starpath
