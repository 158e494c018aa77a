// The `starpath` command: parses the command line and turns errors into one line and an exit code.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "apps/cli/argument_values.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/commands.hpp"
#include "apps/processor.hpp"
#include "base/error.hpp"
#include "base/input_files.hpp"
#include "base/one_line.hpp"
#include "base/path_error.hpp"
#include "base/sqlite.hpp"
#include "base/stop_signals.hpp"
#include "starpath_version.hpp"

namespace {

constexpr const char* kFooter = R"help(Examples:
  starpath segment slide.svs --out results
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

int fail(int code, const char* message) {
  starpath::apps::print_error("starpath: {}\n", starpath::one_line(message));
  return code;
}

/// What there is to do about memory under a command.
const char* out_of_memory_advice(std::string_view command) {
  if (command == "segment" || command == "nbia" || command == "workflow")
    return "out of memory: use a smaller --window, close other programs, or convert a picture that is decoded whole to "
           "a "
           "tiled TIFF; --resume goes on, as what was finished is kept";
  if (command == "loop") return "out of memory: use a smaller --n or close other programs";
  return "out of memory: use a smaller input or close other programs";
}

int fail_for_memory(int argc, char** argv) {
  return fail(static_cast<int>(starpath::ErrorKind::runtime), out_of_memory_advice(argc > 1 ? argv[1] : ""));
}

/// Returns the exit code of a command that threw nothing but how it ended.
int run(int argc, char** argv) {
  starpath::apps::open_standard_streams();
  starpath::end_at_stop_signals();
  starpath::InputFiles inputs;
  starpath::count_no_sqlite_memory();
  std::signal(SIGXFSZ, SIG_IGN);  // writes fail instead, as on a full disk
  CLI::App app{"Image-analysis pipelines for pathology slides on every CPU core and GPU of a machine", "starpath"};
  app.set_version_flag("--version", fmt::format("starpath {}", starpath::version));
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return fmt::format("starpath: {}; --help says what there is\n",
                       starpath::one_line(starpath::apps::without_marks(error.what())));
  });
  starpath::apps::add_segment_command(app);
  starpath::apps::add_export_command(app);
  starpath::apps::add_cluster_command(app);
  starpath::apps::add_classify_command(app);
  starpath::apps::add_cohort_command(app);
  starpath::apps::add_report_command(app);
  starpath::apps::add_preview_command(app);
  starpath::apps::add_nbia_command(app);
  starpath::apps::add_info_command(app);
  starpath::apps::add_tissue_command(app);
  starpath::apps::add_verify_command(app);
  starpath::apps::add_policies_command(app);
  starpath::apps::add_env_command(app);
  starpath::apps::add_profile_command(app);
  starpath::apps::add_estimate_command(app);
  starpath::apps::add_placement_command(app);
  starpath::apps::add_compare_command(app);
#ifndef STARPATH_WITHOUT_LOOPS
  starpath::apps::add_loop_command(app);
#endif
  starpath::apps::add_workflow_command(app);
  app.footer(kFooter);  // behind the commands, which would inherit it
  starpath::apps::check_values(app);
  int code = 0;
  try {
    app.parse(starpath::apps::marked_arguments(argc, argv));
  } catch (const CLI::RuntimeError& finished) {  // a command that ends with a code of its own
    code = finished.get_exit_code();
  } catch (const CLI::ParseError& error) {
    code = app.exit(error) == 0 ? 0 : static_cast<int>(starpath::ErrorKind::usage);
  }
  if (code == 0) starpath::apps::finish_output();
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  if (!starpath::apps::processor_is_new_enough()) return static_cast<int>(starpath::ErrorKind::runtime);
  try {
    return run(argc, argv);
  } catch (const starpath::Error& error) {
    return fail(static_cast<int>(error.kind()), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    const starpath::Error told = starpath::path_error(error);
    return fail(static_cast<int>(told.kind()), told.what());
  } catch (const std::bad_alloc&) {
    return fail_for_memory(argc, argv);
  } catch (const std::length_error&) {  // more than any memory
    return fail_for_memory(argc, argv);
  } catch (const std::exception& error) {
    return fail(static_cast<int>(starpath::ErrorKind::internal), error.what());
  }
}
