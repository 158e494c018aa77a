// `starpath-lab` without --network: simulated runs on single machines.
#include <fmt/format.h>

#include "apps/lab/commands.hpp"
#include "base/error.hpp"
#include "starpath_version.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter =
    R"help(Several nodes: starpath-lab --network FILE ...; see starpath-lab --network --help.

A machine or workload is a name (starpath-lab models) or a file; docs/lab.md has the formats. Policies: those of Starpath
(starpath policies) and StarPU's eager, lws, dmda, dmdar, dmdas, heteroprio, modular-heft; heft is dmda.

Examples:
  starpath-lab --machine keeneland --workload segmentation --policy pats --policy fcfs --policy dmda
  starpath-lab --machine stampede --workload segmentation --set window=80 --policy pams --estimator error:50
  starpath-lab --machine anthill --workload nbia --policy ddwrr --seed 3 --json
  starpath-lab board --out bench/results
  starpath-lab validate --machine anthill --workload nbia-sizes --set side=0

Exit codes: 0 done; 1 a run failed (deadlock, unfinished tasks, a crash); 2 wrong usage; 3 a bad model file; 4 output.)help";

}  // namespace

int lab_machine_command(int argc, char** argv) {
  CLI::App app{"Runs task graphs on simulated machines under scheduling policies (StarPU on SimGrid)", "starpath-lab"};
  app.set_version_flag("--version", fmt::format("starpath-lab {}", version));
  app.footer(kFooter);
  add_lab_run(app);
  add_lab_board(app);
  add_lab_validate(app);
  add_lab_models(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::RuntimeError& finished) {
    return finished.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ErrorKind::usage);
  }
}

}  // namespace starpath::apps
