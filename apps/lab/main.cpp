// The `starpath-lab` command: simulated runs.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "apps/lab/commands.hpp"
#include "base/error.hpp"
#include "starpath_version.hpp"

namespace {

constexpr const char* footer =
    R"help(A machine or workload is a name (starpath-lab models) or a file; docs/lab.md has the formats. Policies: those of Starpath
(starpath policies) and StarPU's eager, lws, dmda, dmdar, dmdas, heteroprio, modular-heft; heft is dmda.

Examples:
  starpath-lab --machine keeneland --workload segmentation --policy pats --policy fcfs --policy dmda
  starpath-lab --machine stampede --workload segmentation --set window=80 --policy pams --estimator error:50
  starpath-lab --machine anthill --workload nbia --policy ddwrr --seed 3 --json
  starpath-lab board --out docs/results
  starpath-lab validate --machine anthill --workload nbia-sizes --set side=0

Exit codes: 0 done; 1 a run failed (deadlock, unfinished tasks, a crash); 2 wrong usage; 3 a bad model file; 4 output.)help";

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Runs task graphs on simulated machines under scheduling policies (StarPU on SimGrid)", "starpath-lab"};
  app.set_version_flag("--version", fmt::format("starpath-lab {}", starpath::version));
  app.footer(footer);
  starpath::apps::add_lab_run(app);
  starpath::apps::add_lab_board(app);
  starpath::apps::add_lab_validate(app);
  starpath::apps::add_lab_models(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::RuntimeError& finished) {
    return finished.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(starpath::ErrorKind::usage);
  } catch (const starpath::Error& error) {
    fmt::print(stderr, "starpath-lab: {}\n", error.what());
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "starpath-lab: {}\n", error.what());
    return static_cast<int>(starpath::ErrorKind::internal);
  }
}
