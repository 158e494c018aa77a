// Many random DAGs under a policy, in the harness of the tests: every rule checked, and how long they take beside a
// list schedule that knows all true times.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "sched_policies/apex/apex.hpp"
#include "support/policy_simulation.hpp"

namespace starpath {
namespace {

/// Longest chain first, each job on the worker that is done with it first; copies take their time and overlap nothing.
double list_schedule(const Machine& machine, const des::Dag& dag) {
  const std::size_t jobs = dag.jobs.size();
  std::vector<double> rank(jobs), ready(jobs), free(machine.workers());
  std::vector<std::size_t> order(jobs);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t j = jobs; j-- > 0;) {
    for (const std::size_t next : dag.jobs[j].successors) rank[j] = std::max(rank[j], rank[next]);
    rank[j] += *std::ranges::min_element(dag.jobs[j].seconds);
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return rank[a] > rank[b]; });
  double makespan = 0;
  for (const std::size_t j : order) {  // ranks fall along every chain
    const des::Job& job = dag.jobs[j];
    double first = std::numeric_limits<double>::infinity();
    WorkerId best = 0;
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
      if (!job.workers.contains(worker)) continue;
      const double end = std::max(free[worker], ready[j]) + job.costs.copy_to(machine.memory_of(worker)) +
                         job.seconds[machine.class_of(worker)];
      if (end >= first) continue;
      first = end;
      best = worker;
    }
    free[best] = first;
    makespan = std::max(makespan, first);
    for (const std::size_t next : job.successors) ready[next] = std::max(ready[next], first);
  }
  return makespan;
}

/// Each estimate becomes longer or shorter by a factor of its own; `sigma` is of the factor's logarithm.
void distort(des::Dag& dag, double sigma, std::mt19937_64& random) {
  std::normal_distribution<double> error(0, 1);
  for (des::Job& job : dag.jobs) {
    for (auto& seconds : job.costs.seconds) {
      if (seconds) *seconds *= std::exp(sigma * error(random));
    }
  }
}

struct Summary {
  unsigned failed = 0, above_twice = 0;
  double worst = 0, logs = 0;
};

Summary run(unsigned dags, double sigma) {
  const Machine machines[] = {des::machine(2, {1}), des::machine(9, {3}), des::machine(4, {2, 1}),
                              des::machine(3, {1, 1, 1})};
  Summary summary;
  for (unsigned seed = 1; seed <= dags; ++seed) {
    std::mt19937_64 random(seed);
    const Machine& machine = machines[seed % std::size(machines)];
    des::Dag dag = des::random_dag(machine, {.jobs = 50 + random() % 200, .unknown = 0}, random);
    const double reference = list_schedule(machine, dag);
    distort(dag, sigma, random);
    const des::Result result = des::simulate<Apex>(machine, dag);
    if (!result.error.empty()) {
      ++summary.failed;
      fmt::print("sigma {}, seed {}: {}\n", sigma, seed, result.error);
      continue;
    }
    const double ratio = result.makespan / reference;
    summary.worst = std::max(summary.worst, ratio);
    summary.logs += std::log(ratio);
    summary.above_twice += ratio > 2;
  }
  return summary;
}

}  // namespace
}  // namespace starpath

int main(int argc, char** argv) {
  CLI::App app(
      "Random DAGs on two to four device classes under apex, estimates wrong by sigma: makespan over that of a "
      "list schedule\nthat knows all true times. Exit code 1: a rule was broken (a job lost, run twice or too "
      "early, a worker idle without reason).");
  unsigned dags = 1000;
  app.add_option("dags", dags, "How many for each sigma")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  unsigned failed = 0;
  for (const double sigma : {0.0, 0.1, 0.3, 1.0}) {
    const starpath::Summary summary = starpath::run(dags, sigma);
    failed += summary.failed;
    const unsigned good = dags - summary.failed;
    fmt::print("sigma {:3}: {} of {} right; over the list schedule: geometric mean {:.3f}, worst {:.3f}, above 2: {}\n",
               sigma, good, dags, good != 0 ? std::exp(summary.logs / good) : 0, summary.worst, summary.above_twice);
  }
  return failed == 0 ? 0 : 1;
}
