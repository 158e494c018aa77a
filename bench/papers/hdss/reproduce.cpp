// Prints the tables of bench/results/loops.md: hdss-2013 section 4 on simulated processors.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bench/papers/hdss/experiment.hpp"

namespace starpath::bench::hdss {
namespace {

constexpr unsigned kThreadCounts[] = {2, 4, 8, 16, 32, 64};
const Curve curve;

bool runs(std::string_view schedule, const Application& application) {
  if (application.rows == 0) return schedule != "hdss, lanes";
  return schedule != "qilin" && schedule != "axel";  // static shares know no wavefront
}

double seconds(std::string_view schedule, const Application& application, unsigned threads, double core_loss = 0,
               unsigned full = 64) {
  return run(schedule, application, losing(machine(application, threads, curve), core_loss, full)).makespan / 1e6;
}

/// `core_loss`: cores of a full machine are slower by that; the ideal does not know.
void speedups(const char* title, std::span<const Application> applications, unsigned most_threads,
              double core_loss = 0) {
  fmt::print("\n### {}\nSpeedup over one core.\n\n| application | threads | accelerator only | ideal |", title);
  for (const auto schedule : kSchedules) fmt::print(" {} |", schedule);
  fmt::print("\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Application& application : applications)
    for (const unsigned threads : kThreadCounts) {
      if (threads > most_threads) continue;
      fmt::print("| {} | {} | {:.1f} | {:.1f} |", application.name, threads,
                 application.cpu_seconds / application.device_seconds,
                 application.cpu_seconds / ideal_seconds(application, threads));
      for (const auto schedule : kSchedules)
        fmt::print(" {} |",
                   runs(schedule, application)
                       ? fmt::format("{:.1f}", application.cpu_seconds /
                                                   seconds(schedule, application, threads, core_loss, most_threads))
                       : "-");
      fmt::print("\n");
    }
}

void first_blocks() {
  fmt::print(
      "\n### Figure 12: first blocks of the GPU, Histogram, 2 threads\n\n| schedule | blocks at (seconds) "
      "|\n|---|---|\n");
  const Application& histogram = kGpuApplications[1];
  const auto print = [&](const char* schedule, const char* what, double growth) {
    const Outcome outcome = run(schedule, histogram, machine(histogram, 2, curve), 1, 1, growth);
    fmt::print("| {}{} |", schedule, what);
    int shown = 0;
    for (const auto& each : outcome.blocks)
      if (each.processor == 0 && shown++ < 8) fmt::print(" {} ({:.4f})", each.iterations, each.begin / 1e6);
    fmt::print(" |\n");
  };
  for (const auto schedule : {"hdss", "exponential", "linear"}) print(schedule, "", loops::LoopSetup{}.growth);
  print("hdss", ", growth 100", 100);
}

void balance() {
  fmt::print("\n### Figure 13: latest - earliest finish, % of the makespan\n\n| application | threads |");
  const std::span independent(kSchedules, std::size(kSchedules) - 1);
  for (const auto schedule : independent) fmt::print(" {} |", schedule);
  fmt::print("\n|---|---|---|---|---|---|---|---|\n");
  for (const Application& application : kGpuApplications) {
    if (application.rows > 0) continue;
    for (const unsigned threads : {2U, 8U, 64U}) {
      fmt::print("| {} | {} |", application.name, threads);
      for (const auto schedule : independent)
        fmt::print(" {:.2f} |", 100 * run(schedule, application, machine(application, threads, curve)).imbalance());
      fmt::print("\n");
    }
  }
}

/// `core_loss`: cores of a full machine are slower by that; the ideal does not know.
void print_shares(const Application& application, std::string_view schedule, const char* what, double core_loss = 0) {
  fmt::print("| {}{} |", application.name, what);
  for (const unsigned threads : kThreadCounts) {
    const Outcome outcome = run(schedule, application, losing(machine(application, threads, curve), core_loss, 64));
    fmt::print(" {:.1f} ({:.1f}) |",
               100.0 * static_cast<double>(outcome.iterations[0]) / static_cast<double>(application.iterations),
               100 * ideal_seconds(application, threads) / application.device_seconds);
  }
  fmt::print("\n");
}

void shares() {
  fmt::print("\n### Figure 14: share of the accelerator, %, HDSS (ideal)\n\n| application |");
  for (const unsigned threads : kThreadCounts) fmt::print(" {} |", threads);
  fmt::print("\n|---|---|---|---|---|---|---|\n");
  for (const Application& application : kGpuApplications) print_shares(application, "hdss", "");
  for (const Application& application : kGpuApplications) {
    if (application.rows == 0) continue;
    print_shares(application, "hdss, lanes", ", lanes");
    print_shares(application, "hdss", ", cores lose 70 %", 0.7);
    print_shares(application, "hdss, lanes", ", lanes, cores lose 70 %", 0.7);
  }
}

void wavefronts() {
  fmt::print(
      "\n### Wavefronts against their ideals\nSeconds; in brackets how much longer our lanes take.\n\n"
      "| application | threads | hdss | hdss, lanes | ideal without dependencies | best rival |\n"
      "|---|---|---|---|---|---|\n");
  for (const Application& application : kGpuApplications)
    for (const unsigned threads : kThreadCounts) {
      if (application.rows == 0) continue;
      const double plain = seconds("hdss", application, threads), lanes = seconds("hdss, lanes", application, threads);
      const double free = ideal_seconds(application, threads);
      double rival = std::numeric_limits<double>::infinity();
      for (const auto schedule : kSchedules)
        if (!schedule.starts_with("hdss") && runs(schedule, application))
          rival = std::min(rival, seconds(schedule, application, threads));
      const auto more = [&](double than) { return fmt::format("{:.1f} ({:+.1f} %)", than, 100 * (lanes / than - 1)); };
      fmt::print("| {} | {} | {} | {:.1f} | {} | {} |\n", application.name, threads, more(plain), lanes, more(free),
                 more(rival));
    }
}

void idle_tail() {
  const Application& application = kGpuApplications[0];
  const Outcome outcome = run("qilin", application, machine(application, 4, curve));
  const auto training = qilin_training(application.iterations);
  fmt::print("\n### Figure 2: Qilin, Blackscholes, 1 GPU + 3 cores, trained on {} blocks of {:.0f} to {:.0f}\n\n",
             training.size(), training.front(), training.back());
  for (std::size_t i = 0; i < outcome.finish.size(); ++i)
    fmt::print("- thread {} ends at {:.2f} s\n", i, outcome.finish[i] / 1e6);
}

void noise() {
  fmt::print(
      "\n### Noise of 2 % a block: worst of 20 seeds, time over ideal\n\n| application | threads | guided_share 1 | "
      "0.75 | 0.5 |\n|---|---|---|---|---|\n");
  for (const Application& application : kGpuApplications) {
    if (application.rows > 0) continue;
    for (const unsigned threads : kThreadCounts) {
      fmt::print("| {} | {} |", application.name, threads);
      for (const double share : {1.0, 0.75, 0.5}) {
        double worst = 0;
        for (unsigned seed = 1; seed <= 20; ++seed)
          worst = std::max(worst,
                           run("hdss", application, machine(application, threads, curve, 0.02), share, seed).makespan);
        fmt::print(" {:.3f} |", worst / 1e6 / ideal_seconds(application, threads));
      }
      fmt::print("\n");
    }
  }
}

}  // namespace
}  // namespace starpath::bench::hdss

int main() {
  using namespace starpath::bench::hdss;
  speedups("Figure 10: one GPU and cores", kGpuApplications, 64);
  speedups("Figure 11: one FPGA and cores", kFpgaApplications, 32);
  speedups("One FPGA and cores that lose 70 %", kFpgaApplications, 32, 0.7);
  first_blocks();
  balance();
  shares();
  wavefronts();
  idle_tail();
  noise();
}
