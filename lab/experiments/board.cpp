// Every policy on every machine and workload, for several seeds, and how the policies compare.
#include "lab/experiments/board.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/text_file.hpp"
#include "lab/experiments/model_files.hpp"

namespace starpath::lab {
namespace {

/// The board's list is fixed: a policy that is changed is judged on the same rows as before.
const std::vector<std::string> kMachines = {"anthill", "keeneland", "stampede", "h100", "mixed"};
struct BoardWorkload {
  std::string name;
  std::vector<std::string> set;  // smaller than the models' sizes, so that the whole takes minutes
};
const std::vector<BoardWorkload> kWorkloads = {{"nbia", {"tiles=1500"}},       {"segmentation", {"tiles=120"}},
                                               {"independent", {"tasks=600"}}, {"chains", {"chains=48"}},
                                               {"cholesky", {"blocks=10"}},    {"vector-increment", {"integers=1e8"}}};

/// Under estimates as in practice (what the policy would have), or under true times.
enum Estimates { practice, exact, kinds_of_estimates };
constexpr const char* kEstimates[] = {"practice", "exact"};

double geometric_mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

struct Cell {
  std::vector<double> ratios;  // makespan / bound, a seed each
  std::string failure;
  bool known() const { return failure.empty() && !ratios.empty(); }
  double ratio() const { return geometric_mean(ratios); }
  /// The largest over the smallest, minus 1.
  double spread() const { return *std::ranges::max_element(ratios) / *std::ranges::min_element(ratios) - 1; }
};

/// Rows: machine x workload. Columns: policies. One board for each kind of estimates.
struct Board {
  std::vector<std::string> rows;
  std::vector<std::vector<Cell>> cells[kinds_of_estimates];
};

struct Place {
  std::size_t row, policy;
  Estimates kind;
  double bound;
};

void fill(Board& board, const std::vector<Run>& runs, const std::vector<Place>& places,
          const std::vector<RunResult>& results) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool asks = !lab_policies()[places[i].policy].practice.empty();
    for (const Estimates kind : {practice, exact}) {
      if (asks && kind != places[i].kind) continue;  // what asks for no estimates runs once for both
      Cell& cell = board.cells[kind][places[i].row][places[i].policy];
      if (!results[i].ok) {
        cell.failure = fmt::format("seed {}: {}", runs[i].experiment.seed, results[i].failure);
        continue;
      }
      cell.ratios.push_back(results[i].makespan() / places[i].bound);
    }
  }
}

/// Geometric mean over the rows of a policy; NaN when a row failed.
double mean_of(const std::vector<std::vector<Cell>>& rows, std::size_t policy) {
  std::vector<double> ratios;
  for (const auto& row : rows) ratios.push_back(row[policy].known() ? row[policy].ratio() : NAN);
  return geometric_mean(ratios);
}

/// The policy with the smallest ratio of the row among ours or the built-in ones.
std::size_t best_of(const std::vector<Cell>& row, bool ours) {
  std::size_t best = row.size();
  for (std::size_t p = 0; p < row.size(); ++p)
    if (lab_policies()[p].ours == ours && row[p].known() && (best == row.size() || row[p].ratio() < row[best].ratio()))
      best = p;
  return best;
}

std::string table(const Board& board, Estimates kind) {
  const auto& rows = board.cells[kind];
  std::string text = "| machine, workload |", line = "|---|";
  for (const LabPolicy& policy : lab_policies()) {
    text += fmt::format(" {} |", policy.name);
    line += "---|";
  }
  text += " best of ours / best built-in |\n" + line + "---|\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::size_t ours = best_of(rows[r], true), theirs = best_of(rows[r], false);
    text += fmt::format("| {} |", board.rows[r]);
    for (std::size_t p = 0; p < rows[r].size(); ++p) {
      const char* bold = p == ours || p == theirs ? "**" : "";
      text += rows[r][p].known() ? fmt::format(" {0}{1:.3f}{0} |", bold, rows[r][p].ratio()) : std::string(" failed |");
    }
    if (ours < rows[r].size() && theirs < rows[r].size())
      text += fmt::format(" {:.3f} ({} / {}) |\n", rows[r][ours].ratio() / rows[r][theirs].ratio(),
                          lab_policies()[ours].name, lab_policies()[theirs].name);
    else
      text += " |\n";
  }
  text += "| **geometric mean** |";
  for (std::size_t p = 0; p < lab_policies().size(); ++p) text += fmt::format(" {:.3f} |", mean_of(rows, p));
  return text + " |\n";
}

/// How ours stand against the built-in policies, workload by workload. Rows are machine by machine.
std::string in_numbers(const Board& board) {
  constexpr double kEqual = 0.01;
  std::string text =
      "| workload | estimates | machines where ours win | equal within 1 % | lose | best of ours / best built-in, "
      "geometric mean | from | to |\n|---|---|---|---|---|---|---|---|\n";
  for (std::size_t w = 0; w < kWorkloads.size(); ++w)
    for (const Estimates kind : {practice, exact}) {
      std::vector<double> ratios;
      for (std::size_t r = w; r < board.rows.size(); r += kWorkloads.size()) {
        const auto& row = board.cells[kind][r];
        const std::size_t ours = best_of(row, true), theirs = best_of(row, false);
        if (ours < row.size() && theirs < row.size()) ratios.push_back(row[ours].ratio() / row[theirs].ratio());
      }
      if (ratios.empty()) continue;
      const auto wins = std::ranges::count_if(ratios, [](double ratio) { return ratio < 1 - kEqual; });
      const auto losses = std::ranges::count_if(ratios, [](double ratio) { return ratio > 1 + kEqual; });
      const auto [least, most] = std::ranges::minmax_element(ratios);
      text += fmt::format("| {} | {} | {} | {} | {} | {:.3f} | {:.3f} | {:.3f} |\n", kWorkloads[w].name,
                          kEstimates[kind], wins, static_cast<long>(ratios.size()) - wins - losses, losses,
                          geometric_mean(ratios), *least, *most);
    }
  return text;
}

/// How far the seeds of one cell lie apart: what smaller differences mean nothing.
std::string noise(const Board& board, std::size_t seeds) {
  if (seeds < 2) return "One seed: differences of a few percent mean nothing.\n";
  std::vector<double> spreads;
  for (const auto& row : board.cells[practice])
    for (const Cell& cell : row)
      if (cell.known()) spreads.push_back(cell.spread());
  if (spreads.empty()) return "";
  std::ranges::sort(spreads);
  return fmt::format(
      "The worst seed of a cell is {:.1f} % above its best (median of all cells; 9 of 10 cells: at most {:.1f} %).\n",
      100 * spreads[spreads.size() / 2], 100 * spreads[spreads.size() * 9 / 10]);
}

std::string to_markdown(const Board& board, const std::vector<std::uint64_t>& seeds) {
  std::vector<std::string> silent;
  for (const LabPolicy& policy : lab_policies())
    if (policy.practice.empty()) silent.push_back(policy.name);
  std::string text = fmt::format(
      "# The board\n\nMakespan over its lower bound (docs/lab.md), geometric mean over the seeds {}; 1 cannot be "
      "beaten. "
      "Made by\n`starpath-lab board --seeds {} --out DIR`. In bold: the best of ours and the best of StarPU's in each "
      "row.\nThe last column is below 1 where ours win.\n\n## Estimates as in practice\n\nOurs: the two nearest "
      "samples "
      "of a profiling run. StarPU's: the mean by data size of the same run.\nThese ask for none: {}.\n\n",
      fmt::join(seeds, ", "), fmt::join(seeds, ","), fmt::join(silent, ", "));
  text += table(board, practice) + "\n## Exact estimates\n\n" + table(board, exact);
  text += "\n## In numbers\n\n" + in_numbers(board) + "\n" + noise(board, seeds.size());
  for (const Estimates kind : {practice, exact})
    for (std::size_t r = 0; r < board.rows.size(); ++r)
      for (std::size_t p = 0; p < lab_policies().size(); ++p)
        if (const Cell& cell = board.cells[kind][r][p]; !cell.failure.empty())
          text += fmt::format("\nFailed: {}, {}, {}: {}\n", board.rows[r], lab_policies()[p].name, kEstimates[kind],
                              cell.failure);
  return text;
}

nlohmann::json to_json(const Board& board, const std::vector<std::uint64_t>& seeds) {
  nlohmann::json out = {{"version", 1}, {"seeds", seeds}, {"rows", nlohmann::json::array()}};
  for (const LabPolicy& policy : lab_policies())
    out["policies"].push_back({{"name", policy.name}, {"starpath", policy.ours}, {"practice", policy.practice}});
  for (const Estimates kind : {practice, exact}) {
    for (std::size_t p = 0; p < lab_policies().size(); ++p) {
      const double mean = mean_of(board.cells[kind], p);
      out["geometric_mean"][kEstimates[kind]][lab_policies()[p].name] =
          std::isfinite(mean) ? nlohmann::json(mean) : nlohmann::json();
    }
  }
  for (std::size_t r = 0; r < board.rows.size(); ++r) {
    nlohmann::json row = {{"row", board.rows[r]}};
    for (const Estimates kind : {practice, exact})
      for (std::size_t p = 0; p < lab_policies().size(); ++p) {
        const Cell& cell = board.cells[kind][r][p];
        row[kEstimates[kind]][lab_policies()[p].name] =
            cell.known() ? nlohmann::json(cell.ratio()) : nlohmann::json({{"failure", cell.failure}});
      }
    out["rows"].push_back(row);
  }
  return out;
}

}  // namespace

bool make_board(const std::vector<std::uint64_t>& seeds, const std::filesystem::path& out, const RunOptions& options,
                const std::function<void(const std::string&)>& report) {
  Board board;
  std::vector<Run> runs;
  std::vector<Place> places;
  for (const std::string& machine : kMachines)
    for (const BoardWorkload& workload : kWorkloads) {
      const std::size_t row = board.rows.size();
      board.rows.push_back(machine + ", " + workload.name);
      for (const std::uint64_t seed : seeds) {
        const Experiment experiment{machine_file(machine), workload_file(workload.name), workload.set, {}, seed};
        const double bound = bound_of(experiment);
        for (std::size_t p = 0; p < lab_policies().size(); ++p) {
          const LabPolicy& policy = lab_policies()[p];
          for (const Estimates kind : {practice, exact}) {
            if (policy.practice.empty() && kind == practice) continue;
            runs.push_back({experiment, policy.name, kind == exact ? "exact" : policy.practice, {}});
            places.push_back({row, p, kind, bound});
          }
        }
      }
    }
  for (auto& cells : board.cells) cells.assign(board.rows.size(), std::vector<Cell>(lab_policies().size()));
  std::size_t done = 0;
  const auto results = run_all(runs, options, [&](std::size_t i, const RunResult& result) {
    ++done;
    if (!result.ok)
      report(fmt::format("failed: {}, {}, {}, seed {}: {}", board.rows[places[i].row], runs[i].policy,
                         runs[i].estimator, runs[i].experiment.seed, result.failure));
    if (done % 100 == 0) report(fmt::format("{} of {} runs", done, runs.size()));
  });
  fill(board, runs, places, results);
  std::error_code error;
  std::filesystem::create_directories(out, error);
  write_text(out / "board.json", to_json(board, seeds).dump(1) + "\n");
  write_text(out / "board.md", to_markdown(board, seeds));
  return std::ranges::all_of(results, &RunResult::ok);
}

}  // namespace starpath::lab
