// `starpath verify RESULTS`: whether a results file is what a run wrote.
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/commands.hpp"
#include "apps/one_process.hpp"
#include "apps/study/done_slides.hpp"
#include "apps/terminal.hpp"
#include "base/error.hpp"
#include "base/words.hpp"
#include "io/results/nuclei_results.hpp"
#include "io/results/verify_results.hpp"

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

void run(const VerifyArguments& arguments) {
  if (!io::is_study(arguments.results)) return verify(arguments, io::results_at(arguments.results).string());
  const std::vector<io::DoneSlide> slides = done_slides(arguments.results);
  std::size_t damaged = 0;
  for (const io::DoneSlide& slide : slides) try {
      verify(arguments, slide.results.string());
    } catch (const Error& error) {
      ++damaged;
      print_error("starpath: {}\n", error.what());
    }
  if (damaged > 0)
    throw Error(ErrorKind::mismatch,
                fmt::format("{}: {} of {} slides are not whole", arguments.results, damaged, slides.size()));
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
      R"help(Every tile (nbia: field; workflow: row) has a checksum of what was stored of it. Exit code 0: everything is as it was written;
5: something is not, and the message names it, or there are no checksums; 3: it cannot be read. Nothing is changed.
Of a study all slides that are done are read. --resume checks the same.

Example:
  starpath verify results)help");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
