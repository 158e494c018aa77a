// `starpath verify RESULTS`: whether a results file is what a run wrote.
#include <cstdint>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands.hpp"
#include "apps/export/nuclei_results.hpp"
#include "apps/one_process.hpp"
#include "apps/run/words.hpp"
#include "apps/study/done_slides.hpp"
#include "apps/terminal.hpp"
#include "base/error.hpp"
#include "io/results/checksums.hpp"
#include "io/results/finished_run.hpp"
#include "io/results/result_schema.hpp"

namespace starpath::apps {
namespace {

struct VerifyArguments {
  std::string results;
  bool json = false;
};

void verify(const VerifyArguments& arguments, const std::string& results) {
  Database database(results, Database::Open::existing);
  io::check_result_schema(database);
  database.execute("PRAGMA query_only = ON");  // after that check: the first reading undoes what a kill left half done
  io::check_integrity(database);
  const auto has = [&](const io::ResultTables& kind) {
    return database.integer(fmt::format("SELECT count(*) FROM sqlite_schema WHERE name = '{}'", kind.units)) > 0;
  };
  const io::ResultTables& tables = has(io::kNbiaTables)  ? io::kNbiaTables
                                   : has(io::kRowTables) ? io::kRowTables
                                                         : io::kSegmentationTables;
  io::check_tables(database, tables);
  const std::int64_t guarded = io::check_contents(database, tables);
  const std::int64_t units = database.integer(fmt::format("SELECT count(*) FROM {}", tables.units));
  if (units > 0 && guarded == 0)
    throw Error(ErrorKind::mismatch,
                fmt::format("{}: none of its {} has a checksum, as in results of version 0.1: whether they are as "
                            "written cannot be said",
                            results, tables.units));
  std::optional<bool> finished;  // other pipelines note no end
  if (&tables == &io::kSegmentationTables) finished = io::is_finished(database);
  if (arguments.json) {
    nlohmann::json line = {{"results", results}, {tables.units, units}, {"guarded", guarded}};
    if (finished) line["finished"] = *finished;
    return write_json(line);
  }
  const std::string unit(tables.units, std::strlen(tables.units) - 1);  // without the s of the plural
  print_out("{}: whole; {}, {} guarded by checksums{}\n", results, plural(units, unit.c_str()), guarded,
            finished.value_or(true) ? "" : "; its run was stopped before its end, go on with --resume");
}

void run(const VerifyArguments& arguments) {
  if (!is_study(arguments.results)) return verify(arguments, results_at(arguments.results).string());
  const std::vector<DoneSlide> slides = done_slides(arguments.results);
  std::size_t damaged = 0;
  for (const DoneSlide& slide : slides) try {
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
