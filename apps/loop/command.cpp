// `starpath loop`: runs a benchmark as a self-scheduled loop and compares it with the serial one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/cli/cpu_workers.hpp"
#include "apps/cli/number_range.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/run/one_process.hpp"
#include "base/error.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "loops/rates/loop_rates.hpp"
#include "loops/schedule_list.hpp"
#include "loops/works/work.hpp"
#include "pipelines/run/gpu_failure.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "runs/gpu_placement.hpp"
#include "runs/machine_in_use.hpp"

namespace starpath::apps {
namespace {

struct LoopArguments {
  std::string name;
  std::size_t size = 0;
  std::string schedule = "hdss";
  double guided_share = LoopOptions{}.guided_share;
  std::size_t initial_block = 0;
  int cpus = -1, gpus = -1;
  double slow = 1;
  std::string profile;
  bool json = false;
};

void print_line(const std::string& line) { print_error("starpath: {}\n", line); }

bool on_gpu(const LoopShare& share) { return codelets::is_gpu(static_cast<int>(share.worker)); }

struct Result {
  LoopReport report;
  double serial_microseconds = 0;
  bool same = false;

  std::size_t gpu_iterations() const {
    std::size_t sum = 0;
    for (const LoopShare& share : report.shares) sum += on_gpu(share) ? share.iterations : 0;
    return sum;
  }
  double difference() const {
    double first = report.microseconds;
    for (const LoopShare& share : report.shares) first = std::min(first, share.finished);
    return report.microseconds > 0 ? 100 * (report.microseconds - first) / report.microseconds : 0;
  }
};

/// The rates of this loop in the profile that was asked for, if any.
class Rates {
 public:
  Rates(const LoopArguments& arguments, std::size_t iterations) : loop_(arguments.name), iterations_(iterations) {
    if (arguments.profile.empty()) return;
    const Machine machine = machine_in_use(print_line);
    for (WorkerId worker = 0; worker < machine.workers(); ++worker)
      class_of_.push_back(machine.classes()[machine.class_of(worker)].name);
    rates_.emplace(arguments.profile, print_line);
  }

  std::function<double(unsigned)> known() const {
    if (!rates_) return {};
    return [this](unsigned worker) {
      const double block = static_cast<double>(iterations_) / static_cast<double>(class_of_.size());
      return rates_->rate(loop_, class_of_[worker], {.block = block, .loop = static_cast<double>(iterations_)});
    };
  }

  void keep(const LoopReport& report) {
    if (!rates_) return;
    for (const LoopShare& share : report.shares) {
      const double block =
          static_cast<double>(share.iterations) / static_cast<double>(std::max<std::size_t>(share.blocks, 1));
      rates_->learn(loop_, class_of_[share.worker], {.block = block, .loop = static_cast<double>(iterations_)},
                    share.weight);
    }
    rates_->save();
  }

 private:
  std::string loop_;
  std::size_t iterations_;
  std::vector<std::string> class_of_;
  std::optional<LoopRates> rates_;
};

double serial_microseconds(LoopWork& work) {
  struct Pause {  // idle workers poll, which would slow the serial loop
    Pause() { starpu_pause(); }
    ~Pause() { starpu_resume(); }  // StarPU could not be stopped otherwise, when the loop throws
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
  };
  const Pause pause;
  const auto begin = std::chrono::steady_clock::now();
  work.run_serially();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

Result measure(const LoopArguments& arguments, LoopWork& work) {
  work.slow = arguments.slow;
  Rates rates(arguments, work.iterations());
  Result result;
  result.serial_microseconds = serial_microseconds(work);
  result.report = work.execute(work.codelet(), {.schedule = arguments.schedule,
                                                .initial_block = arguments.initial_block,
                                                .guided_share = arguments.guided_share,
                                                .known_rate = rates.known()});
  work.release();
  result.same = work.same();
  if (result.same) rates.keep(result.report);
  return result;
}

std::string name_of(unsigned worker) {
  char name[64];
  starpu_worker_get_name(static_cast<int>(worker), name, sizeof(name));
  return name;
}

void print_text(const LoopArguments& arguments, std::size_t iterations, const Result& result) {
  print_out("{}: {} iterations, schedule {}\n", arguments.name, iterations, arguments.schedule);
  print_out("{:<24} {:>12} {:>7} {:>7} {:>12} {:>14}\n", "worker", "iterations", "share", "blocks", "finish (ms)",
            "iterations/us");
  for (const LoopShare& share : result.report.shares)
    print_out("{:<24} {:>12} {:>6.1f}% {:>7} {:>12.2f} {:>14}\n", name_of(share.worker), share.iterations,
              100.0 * static_cast<double>(share.iterations) / static_cast<double>(iterations), share.blocks,
              share.finished / 1000, share.weight > 0 ? fmt::format("{:.3f}", share.weight) : "-");
  print_out(
      "loop {:.2f} ms, serial {:.2f} ms; {} adaptive blocks; finish times differ by {:.2f} %; result identical to the "
      "serial one: {}\n",
      result.report.microseconds / 1000, result.serial_microseconds / 1000, result.report.adaptive_blocks,
      result.difference(), result.same ? "yes" : "NO");
}

void print_json(const LoopArguments& arguments, std::size_t iterations, const Result& result) {
  nlohmann::json workers = nlohmann::json::array();
  for (const LoopShare& share : result.report.shares)
    workers.push_back({{"name", name_of(share.worker)},
                       {"type", on_gpu(share) ? codelets::kGpuKind : "cpu"},
                       {"iterations", share.iterations},
                       {"blocks", share.blocks},
                       {"finish_us", share.finished},
                       {"rate", share.weight}});
  const nlohmann::json out = {{"loop", arguments.name},
                              {"iterations", iterations},
                              {"schedule", arguments.schedule},
                              {"microseconds", result.report.microseconds},
                              {"serial_microseconds", result.serial_microseconds},
                              {"adaptive_blocks", result.report.adaptive_blocks},
                              {"difference_percent", result.difference()},
                              {"identical", result.same},
                              {"gpu_iterations", result.gpu_iterations()},
                              {"workers", workers}};
  write_json(out, 2);
}

void run(const LoopArguments& arguments) {
  const LoopWorkName& chosen = find_loop_work(arguments.name);
  if (arguments.slow > 1 && !arguments.profile.empty())
    throw Error(ErrorKind::usage, "--slow with --profile: rates of a worker that is slowed are no rates to keep");
  if (arguments.gpus != 0) apply_gpu_placement(print_line);
  const StarpuSession session({.policy = "", .cpus = arguments.cpus, .gpus = arguments.gpus});
  if (session.gpu_workers() > 0) explain_gpu_failures(codelets::gpu_error);
  const std::unique_ptr<LoopWork> work = chosen.make(arguments.size > 0 ? arguments.size : chosen.size);
  const Result result = measure(arguments, *work);
  arguments.json ? print_json(arguments, work->iterations(), result)
                 : print_text(arguments, work->iterations(), result);
  if (!result.same) throw Error(ErrorKind::internal, "the loop's result differs from the serial one");
}

std::string help() {
  std::string text = "Loops:\n";
  for (const LoopWorkName& each : loop_work_names())
    text += fmt::format("  {:<14} {} (n = {})\n", each.name, each.description, each.size);
  text += "Schedules:\n";
  for (const loops::ScheduleName& each : loops::schedule_names())
    text += fmt::format("  {:<14} {}\n", each.name, each.description);
  return text + "Examples:\n  starpath loop blackscholes --cpus 2 --slow 4\n" +
         "  starpath loop heart --profile my.profile   # a second time, it starts from the rates of the first";
}

}  // namespace

void add_loop_command(CLI::App& app) {
  auto arguments = std::make_shared<LoopArguments>();
  CLI::App* command = app.add_subcommand("loop", "Run a benchmark as a self-scheduled loop on CPU cores and GPUs");
  for_one_process(*command);
  command->add_option("NAME", arguments->name, "Which loop")->required();
  command->add_option("--n", arguments->size, "Size of the loop; each has its default")
      ->check(CLI::Range(std::size_t{1}, std::size_t{2000000000}));
  command->add_option("--schedule", arguments->schedule, "How blocks are sized")->capture_default_str();
  command->add_option("--initial-block", arguments->initial_block,
                      "Iterations of the first blocks (default 128 or less)");
  command->add_option("--guided-share", arguments->guided_share, "Part of its share that hdss gives a worker at once")
      ->capture_default_str();
  command->add_option("--cpus", arguments->cpus, "CPU workers; default: one a core")->check(cpu_workers());
  command->add_option("--gpus", arguments->gpus, "CUDA devices to use; default: all")->check(CLI::Range(0, 4096));
  command
      ->add_option("--slow", arguments->slow,
                   "The first CPU worker takes this many times as long (it spins), such as 4")
      ->check(number_between(1, 1000));
  command->add_option("--profile", arguments->profile, "Start from the rates in this file, and keep the measured ones");
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer(help());
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
