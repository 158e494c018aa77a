// Area and critical-path bounds as linear programs.
#include "lab/bounds/bound.hpp"

#include <fmt/format.h>
#include <glpk.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.hpp"

namespace starpath::lab {
namespace {

struct DeleteProgram {
  void operator()(glp_prob* program) const { glp_delete_prob(program); }
};
using Program = std::unique_ptr<glp_prob, DeleteProgram>;

/// GLPK counts from 1.
int number(std::size_t value) { return static_cast<int>(value); }

Program new_program(int direction) {
  glp_term_out(GLP_OFF);
  Program program(glp_create_prob());
  glp_set_obj_dir(program.get(), direction);
  return program;
}

void solve(glp_prob* program, bool presolve) {
  glp_smcp settings;
  glp_init_smcp(&settings);
  settings.msg_lev = GLP_MSG_OFF;
  settings.presolve = presolve ? GLP_ON : GLP_OFF;
  if (const int problem = glp_simplex(program, &settings); problem != 0 || glp_get_status(program) != GLP_OPT)
    throw Error(ErrorKind::internal, fmt::format("the bound's linear program was not solved (GLPK says {}, status {})",
                                                 problem, glp_get_status(program)));
}

/// A row: columns and their coefficients.
class Row {
 public:
  void add(int column, double value) {
    columns_.push_back(column);
    values_.push_back(value);
  }
  void append_to(glp_prob* program, int kind, double limit) {
    const int row = glp_add_rows(program, 1);
    glp_set_row_bnds(program, row, kind, limit, limit);
    glp_set_mat_row(program, row, number(columns_.size() - 1), columns_.data(), values_.data());
  }

 private:
  std::vector<int> columns_{0};
  std::vector<double> values_{0};
};

/// Seconds of the task on the class, infinity where no worker of the class is there.
double seconds_on(const BoundTask& task, std::size_t device_class, std::span<const unsigned> workers) {
  return workers[device_class] == 0 ? HUGE_VAL : task.seconds[device_class];
}

void check(std::span<const BoundTask> tasks, std::span<const unsigned> workers) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    bool runs = false;
    for (std::size_t c = 0; c < workers.size(); ++c) runs = runs || std::isfinite(seconds_on(tasks[i], c, workers));
    if (!runs) throw Error(ErrorKind::usage, fmt::format("task {} can run on no worker of this machine", i));
  }
}

/// The dual's value at the weights: the tasks, each on its cheapest class. `areas` gets their seconds by class.
double dual_value(std::span<const BoundTask> tasks, std::span<const unsigned> workers, std::span<const double> weights,
                  std::vector<double>& areas) {
  std::ranges::fill(areas, 0.0);
  for (const BoundTask& task : tasks) {
    std::size_t best = workers.size();
    for (std::size_t c = 0; c < workers.size(); ++c) {
      const double seconds = seconds_on(task, c, workers);
      if (!std::isfinite(seconds)) continue;
      // Among equals the shorter one: a weight of 0 must not hide the seconds of a class.
      if (best == workers.size() || weights[c] * seconds < weights[best] * task.seconds[best] ||
          (weights[c] * seconds == weights[best] * task.seconds[best] && seconds < task.seconds[best]))
        best = c;
    }
    areas[best] += task.seconds[best];
  }
  double value = 0;
  for (std::size_t c = 0; c < workers.size(); ++c) value += weights[c] * areas[c];
  return value;
}

/// The columns of dag_bound's program: the makespan, each task's end, each task's fraction on each class.
struct DagColumns {
  std::size_t tasks, classes;
  int count() const { return number(1 + tasks * (1 + classes)); }
  static int makespan() { return 1; }
  static int end_of(std::size_t task) { return number(2 + task); }
  int fraction_of(std::size_t task, std::size_t c) const { return number(2 + tasks + task * classes + c); }
};

/// Rows of one task: its fractions are the whole, it ends as long after each task before it as they make it, and the
/// makespan is not before its end. `areas` get its seconds on each class.
void add_task(glp_prob* program, const DagColumns& columns, std::size_t i, const BoundTask& task,
              std::span<const unsigned> workers, std::vector<Row>& areas) {
  glp_set_col_bnds(program, columns.end_of(i), GLP_LO, 0, 0);
  Row whole, last, first;
  first.add(columns.end_of(i), 1);
  for (std::size_t c = 0; c < columns.classes; ++c) {
    const double seconds = seconds_on(task, c, workers);
    if (!std::isfinite(seconds)) continue;  // the fraction stays fixed at 0, as GLPK makes columns
    const int fraction = columns.fraction_of(i, c);
    glp_set_col_bnds(program, fraction, GLP_LO, 0, 0);
    whole.add(fraction, 1);
    first.add(fraction, -seconds);
    areas[c].add(fraction, seconds);
  }
  whole.append_to(program, GLP_FX, 1);
  for (const unsigned before : task.after) {
    Row order = first;
    order.add(columns.end_of(before), -1);
    order.append_to(program, GLP_LO, 0);
  }
  first.append_to(program, GLP_LO, 0);
  last.add(columns.makespan(), 1);
  last.add(columns.end_of(i), -1);
  last.append_to(program, GLP_LO, 0);
}

}  // namespace

// Dual: weights y >= 0 with sum(workers[c] * y[c]) = 1 that maximise sum over tasks of min over c of y[c] * seconds.
// The objective is concave and piecewise linear: each evaluation gives a value, which is a valid bound, and a plane
// above it. GLPK solves for the highest point under the planes so far, until the two meet.
double area_bound(std::span<const BoundTask> tasks, std::span<const unsigned> workers) {
  check(tasks, workers);
  if (tasks.empty()) return 0;
  const std::size_t classes = workers.size();
  const Program program = new_program(GLP_MAX);
  glp_add_cols(program.get(), number(classes + 1));
  const int height = number(classes + 1);
  glp_set_col_bnds(program.get(), height, GLP_FR, 0, 0);
  glp_set_obj_coef(program.get(), height, 1);
  Row scale;
  unsigned all = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    glp_set_col_bnds(program.get(), number(c + 1), workers[c] == 0 ? GLP_FX : GLP_LO, 0, 0);
    scale.add(number(c + 1), workers[c]);
    all += workers[c];
  }
  scale.append_to(program.get(), GLP_FX, 1);

  std::vector<double> weights(classes, 1.0 / all), areas(classes);
  double best = 0;
  for (int round = 0; round < 1000; ++round) {
    best = std::max(best, dual_value(tasks, workers, weights, areas));
    Row plane;
    plane.add(height, 1);
    for (std::size_t c = 0; c < classes; ++c) plane.add(number(c + 1), -areas[c]);
    plane.append_to(program.get(), GLP_UP, 0);
    solve(program.get(), false);
    if (glp_get_obj_val(program.get()) <= best * (1 + 1e-6)) return best;
    for (std::size_t c = 0; c < classes; ++c)
      weights[c] = std::max(0.0, glp_get_col_prim(program.get(), number(c + 1)));
  }
  return best;
}

double critical_path(std::span<const BoundTask> tasks, std::span<const unsigned> workers) {
  check(tasks, workers);
  std::vector<double> end(tasks.size());
  double longest = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    double shortest = HUGE_VAL, start = 0;
    for (std::size_t c = 0; c < workers.size(); ++c) shortest = std::min(shortest, seconds_on(tasks[i], c, workers));
    for (const unsigned before : tasks[i].after) start = std::max(start, end[before]);
    end[i] = start + shortest;
    longest = std::max(longest, end[i]);
  }
  return longest;
}

double dag_bound(std::span<const BoundTask> tasks, std::span<const unsigned> workers) {
  check(tasks, workers);
  if (tasks.empty()) return 0;
  const DagColumns columns{tasks.size(), workers.size()};
  const Program program = new_program(GLP_MIN);
  glp_add_cols(program.get(), columns.count());
  glp_set_col_bnds(program.get(), columns.makespan(), GLP_LO, 0, 0);
  glp_set_obj_coef(program.get(), columns.makespan(), 1);
  std::vector<Row> areas(workers.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) add_task(program.get(), columns, i, tasks[i], workers, areas);
  for (std::size_t c = 0; c < workers.size(); ++c) {
    areas[c].add(columns.makespan(), -static_cast<double>(workers[c]));
    areas[c].append_to(program.get(), GLP_UP, 0);
  }
  solve(program.get(), true);
  return glp_get_obj_val(program.get());
}

double makespan_bound(std::span<const BoundTask> tasks, std::span<const unsigned> workers) {
  if (tasks.size() <= kMostTasksOfDagBound) return dag_bound(tasks, workers);
  return std::max(area_bound(tasks, workers), critical_path(tasks, workers));
}

}  // namespace starpath::lab
