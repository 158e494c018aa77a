// `starpath loop`: runs a benchmark as a self-scheduled loop and compares it with the serial one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/number_range.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/run/one_process.hpp"
#include "base/error.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "loops/schedule_list.hpp"
#include "loops/works/measured_loop.hpp"
#include "pipelines/run/gpu_failure.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "sched_policies/topology/gpu_placement.hpp"

namespace starpath::apps {
namespace {

struct LoopArguments {
  LoopRequest loop;
  int cpus = -1, gpus = -1;
  bool json = false;
};

void print_line(const std::string& line) { print_error("starpath: {}\n", line); }

std::string name_of(unsigned worker) {
  char name[64];
  starpu_worker_get_name(static_cast<int>(worker), name, sizeof(name));
  return name;
}

void print_text(const LoopArguments& arguments, const MeasuredLoop& result) {
  print_out("{}: {} iterations, schedule {}\n", arguments.loop.name, result.iterations, arguments.loop.schedule);
  print_out("{:<24} {:>12} {:>7} {:>7} {:>12} {:>14}\n", "worker", "iterations", "share", "blocks", "finish (ms)",
            "iterations/us");
  for (const LoopShare& share : result.report.shares)
    print_out("{:<24} {:>12} {:>6.1f}% {:>7} {:>12.2f} {:>14}\n", name_of(share.worker), share.iterations,
              100.0 * static_cast<double>(share.iterations) / static_cast<double>(result.iterations), share.blocks,
              share.finished / 1000, share.weight > 0 ? fmt::format("{:.3f}", share.weight) : "-");
  print_out(
      "loop {:.2f} ms, serial {:.2f} ms; {} adaptive blocks; finish times differ by {:.2f} %; result identical to the "
      "serial one: {}\n",
      result.report.microseconds / 1000, result.serial_microseconds / 1000, result.report.adaptive_blocks,
      result.difference(), result.same ? "yes" : "NO");
}

void print_json(const LoopArguments& arguments, const MeasuredLoop& result) {
  nlohmann::json workers = nlohmann::json::array();
  for (const LoopShare& share : result.report.shares)
    workers.push_back({{"name", name_of(share.worker)},
                       {"type", MeasuredLoop::on_gpu(share) ? codelets::kGpuKind : "cpu"},
                       {"iterations", share.iterations},
                       {"blocks", share.blocks},
                       {"finish_us", share.finished},
                       {"rate", share.weight}});
  const nlohmann::json out = {{"loop", arguments.loop.name},
                              {"iterations", result.iterations},
                              {"schedule", arguments.loop.schedule},
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
  find_loop_work(arguments.loop.name);  // before StarPU starts
  if (arguments.gpus != 0) apply_gpu_placement(print_line);
  const StarpuSession session({.policy = "", .cpus = arguments.cpus, .gpus = arguments.gpus});
  if (session.gpu_workers() > 0) explain_gpu_failures(codelets::gpu_error);
  const MeasuredLoop result = measure_loop(arguments.loop);
  arguments.json ? print_json(arguments, result) : print_text(arguments, result);
  if (!result.same) throw Error(ErrorKind::internal, "the loop's result differs from the serial one");
}

std::string help() {
  std::string text = "Loops:\n";
  for (const LoopWorkName& each : loop_work_names())
    text += fmt::format("  {:<14} {} (n = {})\n", each.name, each.description, each.size);
  text += "Schedules:\n";
  for (const loops::ScheduleName& each : loops::schedule_names())
    text += fmt::format("  {:<14} {}\n", each.name, each.description);
  return text + "Examples:\n  starpath loop blackscholes --cpus 2 --slow 4\n  starpath loop heart --schedule gss";
}

}  // namespace

void add_loop_command(CLI::App& app) {
  auto arguments = std::make_shared<LoopArguments>();
  CLI::App* command = app.add_subcommand("loop", "Run a benchmark as a self-scheduled loop on CPU cores and GPUs");
  for_one_process(*command);
  command->add_option("NAME", arguments->loop.name, "Which loop")->required();
  command->add_option("--n", arguments->loop.size, "Size of the loop; each has its default")
      ->check(number_between(1, 2'000'000'000));
  command->add_option("--schedule", arguments->loop.schedule, "How blocks are sized")->capture_default_str();
  command->add_option("--initial-block", arguments->loop.initial_block,
                      "Iterations of the first blocks (default 128 or less)");
  command->add_option("--growth", arguments->loop.growth, "How many times the last block hdss tries after four blocks")
      ->capture_default_str();
  command->add_flag("--lanes", arguments->loop.lanes,
                    "Wide tiles for fast processors in heat2d and strmatch (not of the paper)");
  command
      ->add_option("--guided-share", arguments->loop.guided_share, "Part of its share that hdss gives a worker at once")
      ->capture_default_str();
  command->add_option("--cpus", arguments->cpus, "CPU workers; default: one a core")
      ->check(number_between(0, most_cpu_workers()));
  command->add_option("--gpus", arguments->gpus, "CUDA devices to use; default: all")->check(number_between(0, 4096));
  command
      ->add_option("--slow", arguments->loop.slow,
                   "The first CPU worker takes this many times as long (it spins), such as 4")
      ->check(number_between(1, 1000));
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer(help());
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
