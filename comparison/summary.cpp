// Medians, shares and the bound of a comparison.
#include "comparison/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/bounds/bound.hpp"

namespace starpath {
namespace {

std::size_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

/// Adds a run's tasks to a policy's tables.
void add(const RunRecord& record, Comparison& comparison, PolicyFacts& facts, std::vector<double>& busy) {
  for (const RecordedTask& task : record.tasks) {
    const std::size_t stage = index_of(comparison.stages, record.stages[task.stage]);
    const std::size_t device_class = record.class_of(task.worker);
    ++facts.ran[stage][device_class];
    facts.seconds[stage][device_class] += task.finished - task.started;
    busy[device_class] += task.finished - task.started;
  }
  facts.makespans.push_back(record.makespan);
  facts.moved_bytes += record.moved_bytes;
}

void conclude(PolicyFacts& facts, const std::vector<const ComparedRun*>& runs, const std::vector<double>& busy,
              const std::vector<unsigned>& workers, const ComparedRun* first) {
  std::vector<const ComparedRun*> sorted = runs;
  std::ranges::stable_sort(sorted, {}, [](const ComparedRun* run) { return run->record.makespan; });
  const std::size_t count = sorted.size();
  const auto makespan = [&](std::size_t i) { return sorted[i]->record.makespan; };
  facts.least = makespan(0);
  facts.most = makespan(count - 1);
  facts.median = count % 2 == 1 ? makespan(count / 2) : (makespan(count / 2 - 1) + makespan(count / 2)) / 2;
  facts.shown = static_cast<std::size_t>(sorted[(count - 1) / 2] - first);
  facts.moved_bytes /= static_cast<double>(count);
  double total = 0;
  for (const double seconds : facts.makespans) total += seconds;
  for (std::size_t c = 0; c < workers.size(); ++c) facts.idle.push_back(1 - busy[c] / (workers[c] * total));
}

double bound_of(const Comparison& comparison) {
  const std::size_t classes = comparison.classes.size();
  std::vector<lab::BoundTask> tasks;
  for (std::size_t s = 0; s < comparison.stages.size(); ++s) {
    std::vector<double> seconds(classes), count(classes);
    std::uint64_t of_a_run = std::numeric_limits<std::uint64_t>::max();
    for (const PolicyFacts& facts : comparison.policies) {
      if (!facts.known()) continue;
      std::uint64_t ran = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        seconds[c] += facts.seconds[s][c];
        count[c] += static_cast<double>(facts.ran[s][c]);
        ran += facts.ran[s][c];
      }
      of_a_run = std::min(of_a_run, ran / facts.makespans.size());  // a run that tried tiles again has more
    }
    lab::BoundTask task;
    for (std::size_t c = 0; c < classes; ++c) task.seconds.push_back(count[c] > 0 ? seconds[c] / count[c] : HUGE_VAL);
    tasks.insert(tasks.end(), of_a_run, task);
  }
  return lab::area_bound(tasks, comparison.workers);
}

}  // namespace

Comparison summarise(const std::vector<ComparedRun>& runs) {
  Comparison comparison;
  std::vector<std::vector<const ComparedRun*>> of_policy;
  std::vector<std::string> names;
  for (const ComparedRun& run : runs) {
    const std::size_t policy = index_of(names, run.policy);
    if (policy == of_policy.size()) {
      of_policy.emplace_back();
      comparison.policies.emplace_back().policy = run.policy;
    }
    if (!run.failure.empty()) {
      comparison.policies[policy].failures.push_back(run.failure);
      continue;
    }
    of_policy[policy].push_back(&run);
    if (comparison.classes.empty())
      for (const WorkerClass& group : run.record.classes) {
        comparison.classes.push_back(group.name);
        comparison.workers.push_back(static_cast<unsigned>(group.workers.size()));
      }
    for (const std::string& stage : run.record.stages) index_of(comparison.stages, stage);
  }
  const std::size_t stages = comparison.stages.size(), classes = comparison.classes.size();
  for (std::size_t p = 0; p < of_policy.size(); ++p) {
    PolicyFacts& facts = comparison.policies[p];
    facts.ran.assign(stages, std::vector<std::uint64_t>(classes));
    facts.seconds.assign(stages, std::vector<double>(classes));
    std::vector<double> busy(classes);
    for (const ComparedRun* run : of_policy[p]) add(run->record, comparison, facts, busy);
    if (facts.known()) conclude(facts, of_policy[p], busy, comparison.workers, runs.data());
  }
  if (!comparison.classes.empty()) comparison.bound = bound_of(comparison);
  return comparison;
}

}  // namespace starpath
