// The program `starpath`: all commands.
#include "apps/commands.hpp"
#include "apps/program.hpp"
#include "apps/segment/command.hpp"
#include "apps/study/run_study.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter = R"help(Examples:
  starpath segment slide.svs --out results
  starpath instances labels.npy --kind labels --slide slide.svs --out results
  starpath export results --format geojson.gz,csv.gz
  starpath cluster study --k auto
  starpath classify train study --annotations drawn/ --out model.json
  starpath cohort study
  starpath report study
  starpath preview slide.svs --sweep G1=20:100:20
  starpath segment synthetic:8192x8192 --out results --policy pats --json
  starpath nbia run synthetic:8192x8192,pattern=stroma --out stroma
  starpath info slide.svs
  starpath compare segment slide.svs --html report.html
  starpath workflow ./mine.so slide.svs --out results
  eval "$(starpath env apex)"; ./any_starpu_program

Exit codes: 0 done; 2 wrong usage; 3 unreadable input; 4 output cannot be written; 5 --resume with results of
other work; 6 finished, but some tiles failed; 7 StarPU or a device failed; 130 interrupted; 1 anything else.
`starpath COMMAND --help` says more.)help";

void add_commands(CLI::App& app) {
  add_segment_command(app, run_study);
  add_instances_command(app);
  add_export_command(app);
  add_cluster_command(app);
  add_classify_command(app);
  add_cohort_command(app);
  add_report_command(app);
  add_preview_command(app);
  add_nbia_command(app);
  add_info_command(app);
  add_tissue_command(app);
  add_verify_command(app);
  add_network_command(app);
  add_policies_command(app);
  add_env_command(app);
  add_profile_command(app);
  add_estimate_command(app);
  add_placement_command(app);
  add_compare_command(app);
#ifndef STARPATH_WITHOUT_LOOPS
  add_loop_command(app);
#endif
  add_workflow_command(app);
  add_describe_command(app);
}

}  // namespace
}  // namespace starpath::apps

int main(int argc, char** argv) {
  return starpath::apps::run_program(argc, argv, starpath::apps::add_commands, starpath::apps::kFooter);
}
