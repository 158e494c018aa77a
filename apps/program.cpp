// The command line from its arguments to the exit code.
#include "apps/program.hpp"

#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "apps/cli/argument_values.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/given_cores.hpp"
#include "apps/processor.hpp"
#include "apps/run/slide_decoder.hpp"
#include "base/error.hpp"
#include "base/input_files.hpp"
#include "base/kept_memory.hpp"
#include "base/one_line.hpp"
#include "base/path_error.hpp"
#include "base/sqlite.hpp"
#include "base/stop_signals.hpp"
#include "base/thread_limit.hpp"
#include "starpath_version.hpp"

namespace starpath::apps {
namespace {

/// Whether the program was started to ignore SIGHUP, as by nohup.
bool started_without_hang_up() {
  struct sigaction now {};
  return ::sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
const bool hang_up_is_ignored = started_without_hang_up();  // what is checked cannot run before the sanitizer
#else
// Asked before the constructors of shared libraries: that of libpsm2, which MPI loads on Debian 13, catches the signal.
bool hang_up_is_ignored = false;
void ask_first(int /*count*/, char** /*arguments*/, char** /*environment*/) {
  hang_up_is_ignored = started_without_hang_up();
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const first_of_all)(int, char**, char**) = ask_first;
#endif

int fail(int code, const char* message) {
  print_error("starpath: {}\n", one_line(message));
  return code;
}

int fail_as_unforeseen(const std::exception& error) {
  return fail(static_cast<int>(ErrorKind::internal), error.what());
}

int fail_in_system(const std::system_error& error) {
  if (error.code() != std::errc::resource_unavailable_try_again) return fail_as_unforeseen(error);
  const std::string line = fmt::format("no thread could be started: {}", kThreadLimitAdvice);
  return fail(static_cast<int>(ErrorKind::runtime), line.c_str());
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
  return fail(static_cast<int>(ErrorKind::runtime), out_of_memory_advice(argc > 1 ? argv[1] : ""));
}

/// Returns the exit code of a command that threw nothing but how it ended.
int run(int argc, char** argv, const AddCommands& add_commands, const char* footer) {
  open_standard_streams();
  end_at_stop_signals(hang_up_is_ignored);
  InputFiles inputs;
  count_no_sqlite_memory();
  decode_slides_apart();
  std::signal(SIGXFSZ, SIG_IGN);  // writes fail instead, as on a full disk
  CLI::App app{"Image-analysis pipelines for pathology slides on every CPU core and GPU of a machine", "starpath"};
  app.set_version_flag("--version", fmt::format("starpath {}", version));
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return fmt::format("starpath: {}; --help says what there is\n", one_line(without_marks(error.what())));
  });
  add_commands(app);
  app.footer(footer);  // behind the commands, which would inherit it
  check_values(app);
  int code = 0;
  try {
    app.parse(marked_arguments(argc, argv));
  } catch (const CLI::RuntimeError& finished) {  // a command that ends with a code of its own
    code = finished.get_exit_code();
  } catch (const CLI::ParseError& error) {
    code = app.exit(error) == 0 ? 0 : static_cast<int>(ErrorKind::usage);
  }
  if (code == 0) finish_output();
  return code;
}

}  // namespace

int run_program(int argc, char** argv, const AddCommands& add_commands, const char* footer) {
  // Packages are made on machines that are older than those they are for.
  const bool describes = argc > 1 && std::string_view(argv[1]) == "describe";
  if (!describes && !processor_is_new_enough()) return static_cast<int>(ErrorKind::runtime);
  take_given_cores();
  keep_freed_memory();
  try {
    return run(argc, argv, add_commands, footer);
  } catch (const Error& error) {
    return fail(static_cast<int>(error.kind()), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    const Error told = path_error(error);
    return fail(static_cast<int>(told.kind()), told.what());
  } catch (const std::system_error& error) {
    return fail_in_system(error);
  } catch (const std::bad_alloc&) {
    return fail_for_memory(argc, argv);
  } catch (const std::length_error&) {  // more than any memory
    return fail_for_memory(argc, argv);
  } catch (const std::exception& error) {
    return fail_as_unforeseen(error);
  }
}

}  // namespace starpath::apps
