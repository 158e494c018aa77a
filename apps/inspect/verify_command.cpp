// `starpath verify RESULTS`: whether a results file, or a study with all its slides, is what a run wrote.
#include <CLI/CLI.hpp>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/cli/terminal.hpp"
#include "apps/run/done_slides.hpp"
#include "apps/run/one_process.hpp"
#include "base/error.hpp"
#include "base/words.hpp"
#include "io/results/nuclei_results.hpp"
#include "io/results/verify_results.hpp"
#include "io/study/study_schema.hpp"

namespace starpath::apps {
namespace {

struct VerifyArguments {
  std::string results;
  bool json = false;
};

void verify(const VerifyArguments& arguments, const std::string& results) {
  const io::VerifiedResults found = io::verify_results(results);
  if (arguments.json) {
    nlohmann::json line = {{"results", results}, {found.units, found.count}, {"guarded", found.guarded}};
    if (found.finished) line["finished"] = *found.finished;
    return write_json(line);
  }
  const std::string unit = found.units.substr(0, found.units.size() - 1);  // without the s of the plural
  print_out("{}: whole; {}, {} guarded by checksums{}\n", results, plural(found.count, unit.c_str()), found.guarded,
            found.finished.value_or(true) ? "" : "; its run was stopped before its end, go on with --resume");
}

/// The study's own file.
void verify_study(const VerifyArguments& arguments, const std::string& file) {
  const io::VerifiedStudy found = io::verify_study(file);
  if (arguments.json)
    return write_json(nlohmann::json{{"study", file}, {"slides", found.slides}, {"guarded", found.guarded}});
  print_out("{}: whole; {}, {} guarded by checksums\n", file, plural(found.slides, "slide"), found.guarded);
}

/// Whether `check` finds nothing; else its error is told.
bool is_whole(const std::function<void()>& check) {
  try {
    check();
    return true;
  } catch (const Error& error) {
    print_error("starpath: {}\n", error.what());
    return false;
  }
}

void run(const VerifyArguments& arguments) {
  if (!io::is_study(arguments.results)) return verify(arguments, io::results_at(arguments.results).string());
  const std::vector<io::DoneSlide> slides = done_slides(arguments.results);  // refuses a damaged study.sqlite
  std::size_t damaged = 0;
  for (const io::DoneSlide& slide : slides)
    if (!is_whole([&] { verify(arguments, slide.results.string()); })) ++damaged;
  const std::string file = (std::filesystem::path(arguments.results) / "study.sqlite").string();
  const bool whole = is_whole([&] { verify_study(arguments, file); });
  if (damaged > 0)
    throw Error(ErrorKind::mismatch,
                fmt::format("{}: {} of {} slides are not whole", arguments.results, damaged, slides.size()));
  if (!whole) throw Error(ErrorKind::mismatch, arguments.results + ": its study.sqlite is not guarded");
}

}  // namespace

void add_verify_command(CLI::App& app) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand("verify", "Say whether a results file is what a run wrote");
  for_one_process(*command);
  command->add_option("RESULTS", arguments->results, "A results.sqlite which no run is writing, its folder, or a study")
      ->required();
  command->add_flag("--json", arguments->json,
                    "Print JSON, a line a file; of segment, `finished` says whether the run came to its end");
  command->footer(
      R"help(Every tile (nbia: field; workflow: row) has a checksum of what a run stored of it. So has everything else in the file: the run,
the accepted nuclei, regions, clusters and classes. In a study, study.sqlite has checksums too, and the command reads the
results of all slides that are done. Exit code 0: everything is as it was written; 5: something is not, and the message
names it, or there are no checksums; 3: a file cannot be read. The command changes nothing. --resume checks the same.

Example:
  starpath verify results)help");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
