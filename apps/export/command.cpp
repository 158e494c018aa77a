// `starpath export RESULTS --format LIST`: files for other tools, made from results at any time.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "apps/cli/terminal.hpp"
#include "apps/export/export_options.hpp"
#include "apps/run/done_slides.hpp"
#include "apps/run/one_process.hpp"
#include "apps/run/run_options.hpp"
#include "apps/run/run_summary.hpp"
#include "apps/run/slide_decoder.hpp"
#include "base/allowed_cores.hpp"
#include "base/error.hpp"
#include "base/on_threads.hpp"
#include "base/own_file.hpp"
#include "base/stop_signals.hpp"
#include "base/words.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/slide_of_results.hpp"
#include "io/results/nuclei_results.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/output_lock.hpp"
#include "runs/files_at_work.hpp"
#include "runs/kept_files.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter =
    R"(RESULTS is a results.sqlite of `starpath segment`, its folder, or a study. Files are written beside it (nuclei.geojson.gz, nuclei.csv,
...), whole or not at all, in the folder of each slide that is done of a study, and depend on the nuclei only. results.sqlite keeps every feature: an export can be made again with others.

Examples:
  starpath export results --format geojson.gz                   # for QuPath 0.4 and later: drag it onto the slide
  starpath export results --format csv.gz --features all
  starpath export results --format csv --features basic,nucleus_haematoxylin_entropy --digits 5 --out table.csv
  starpath export results --format overlay --slide /new/place/slide.svs
  starpath export results --format overlay.tif                  # at full size, for viewers of slides
  python3 -m starpath spatialdata results nuclei.zarr           # for scanpy and squidpy, by the Python package)";

/// Formats that others write: CLI11 shows the text.
std::string other_way(const std::string& format) {
  if (format != "spatialdata" && format != "anndata" && format != "zarr") return "";
  return format +
         " is written by the Python package: pip install './python[spatialdata]', then python3 -m starpath spatialdata "
         "RESULTS nuclei.zarr (docs/python.md)";
}

constexpr const char* kOtherPlace = "move it away, or choose another file by --out";

struct ExportArguments {
  std::string results, out, slide;
  std::vector<std::string> formats;
  io::ExportOptions options;
  bool overwrite = false, json = false, quiet = false;
};

const io::Export<io::Nuclei>& export_named(const std::string& name) {
  for (const auto& each : io::kNucleiExports)
    if (name == each.name) return each;
  throw Error(ErrorKind::internal, "no export has the name " + name);
}

/// Where the user wants the one file. It must not cost one that is there.
void check_wanted_file(const ExportArguments& arguments, const Paths& inputs) {
  const fs::path out = arguments.out;
  if (arguments.formats.size() > 1)
    throw Error(ErrorKind::usage, "--out names one file; give one --format, or leave --out away");
  check_is_no_input(out, inputs, "the export");
  std::error_code ignored;  // AtomicFile says why the file cannot be there
  if (fs::is_directory(out, ignored))
    throw Error(ErrorKind::usage, out.string() + ": is a folder; --out names the file to write");
  if (fs::is_regular_file(fs::symlink_status(out, ignored)) && !arguments.overwrite)
    throw Error(ErrorKind::output, out.string() + ": exists already; --overwrite replaces it");
}

/// A file that is wanted.
struct Wanted {
  const io::Export<io::Nuclei>* format;
  fs::path results, file;
  std::int64_t nuclei = 0;
  std::vector<std::string> warnings = {};  // of the slide, once the file is written
};

/// The files, slide by slide, of all formats.
std::vector<Wanted> wanted_files(const ExportArguments& arguments, const Paths& all) {
  std::vector<Wanted> files;
  for (const fs::path& results : all)
    for (const std::string& name : arguments.formats) {
      const io::Export<io::Nuclei>& format = export_named(name);
      files.push_back(
          {&format, results, arguments.out.empty() ? results.parent_path() / format.file : fs::path(arguments.out)});
    }
  return files;
}

void tell(const ExportArguments& arguments, const std::vector<Wanted>& written, double seconds) {
  nlohmann::json listed = nlohmann::json::array();
  std::int64_t all = 0;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto& [format, results, file, nuclei, warnings] = written[i];
    for (const std::string& warning : warnings) print_error("starpath: warning: {}: {}\n", file.string(), warning);
    if (i == 0 || written[i - 1].results != results) all += nuclei;
    const bool regular = fs::is_regular_file(file);
    const std::uintmax_t bytes = regular ? fs::file_size(file) : 0;
    listed.push_back({{"format", format->name}, {"file", file.string()}, {"bytes", bytes}});
    if (regular && !arguments.json && !arguments.quiet)
      print_out("{}  ({} bytes, {})\n", file.string(), grouped(static_cast<std::int64_t>(bytes)), nuclei_text(nuclei));
  }
  if (arguments.json)
    write_json(nlohmann::json{{"event", "summary"}, {"nuclei", all}, {"files", listed}, {"seconds", seconds}});
}

/// The results files at the path that the user gave.
Paths wanted_results(const ExportArguments& arguments) {
  if (!io::is_study(arguments.results)) return {io::results_at(arguments.results)};
  for (const auto& [option, value] : {std::pair("--out", arguments.out), std::pair("--slide", arguments.slide)})
    if (!value.empty())
      throw Error(ErrorKind::usage,
                  fmt::format("{}: is a study, and {} is for one slide: give the slide's folder in it",
                              arguments.results, option));
  Paths files;
  for (const io::DoneSlide& slide : done_slides(arguments.results)) files.push_back(slide.results);
  return files;
}

/// Writes the files of one slide. `first`: the number of its first file among the files at work.
void write_slide(const ExportArguments& arguments, std::span<Wanted> files, FilesAtWork& at_work, std::size_t first) {
  const fs::path& results = files[0].results;
  const auto lock =
      io::OutputLock::for_reading(fs::absolute(results).parent_path());  // no run replaces the results meanwhile
  const io::ResultStore checked = io::open_nuclei(results);
  const Paths inputs = {results, checked.info().slide_path, arguments.slide};
  if (!arguments.out.empty()) check_wanted_file(arguments, inputs);
  for (Wanted& each : files) {
    each.nuclei = io::NucleusStore(checked).nucleus_count();
    check_is_no_input(each.file, inputs, "the export", "give the file another --out");
  }
  for (const Wanted& each : files) check_may_replace(each.file, each.format->output().kind, kOtherPlace);
  each_on_threads(*arguments.options.threads, files.size(), [&](std::size_t i, int) {
    at_work.write(first + i, [&](const io::ExportProgress& on_progress) {
      const io::ResultStore store = io::ResultStore::open(results.string());
      const auto slide = files[i].format->reads_slide ? io::slide_of(store, arguments.slide) : nullptr;
      io::Nuclei from{store, slide.get(), arguments.options};
      from.options.on_progress = on_progress;
      files[i].format->write(from, files[i].file);
      if (slide) files[i].warnings = slide->warnings();
    });
  });
}

std::string phase_text(const std::vector<Wanted>& files, std::size_t slides) {
  Paths names;
  for (const Wanted& each : files)
    if (each.results == files[0].results) names.push_back(slides == 1 ? each.file : fs::path(each.format->file));
  return "writing " + file_list(names) +
         (slides == 1 ? "" : " of " + plural(static_cast<std::int64_t>(slides), "slide"));
}

/// Returns the exit code.
int run(ExportArguments& arguments) {
  const auto began = std::chrono::steady_clock::now();
  const Paths all = wanted_results(arguments);
  std::vector<std::string>& formats = arguments.formats;
  for (auto format = formats.begin(); format != formats.end(); ++format)  // each is written once
    formats.erase(std::remove(format + 1, formats.end(), *format), formats.end());
  std::vector<Wanted> files = wanted_files(arguments, all);
  if (all.size() > 1)  // before the first file is written; of one slide, write_slide() looks first
    for (const Wanted& each : files) check_may_replace(each.file, each.format->output().kind, "move it away");
  arguments.options.threads = std::make_shared<ThreadBudget>(allowed_cores());
  Paths paths;
  for (const Wanted& each : files) paths.push_back(each.file);
  const std::atomic<bool>& stop = catch_stop_signals();
  ProgressReport report(choose_style(arguments.json, arguments.quiet), "nuclei");
  FilesAtEnd end;
  {
    FilesAtWork at_work(report, phase_text(files, all.size()), paths, stop);
    on_threads(*arguments.options.threads, all.size(), [&](std::size_t i, int) {
      const std::size_t first = i * formats.size();
      if (!stop) write_slide(arguments, std::span(files).subspan(first, formats.size()), at_work, first);
    });
    end = at_work.end();
  }
  std::erase_if(files,
                [&](const Wanted& each) { return std::ranges::find(end.stopped, each.file) != end.stopped.end(); });
  tell(arguments, files, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  return end.stopped.empty() ? 0 : tell_stopped(end.stopped, "export them again");
}

}  // namespace

void add_export_command(CLI::App& app) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write nuclei of a finished run for other tools");
  for_one_process(*command);
  add_trusted(*command);
  command->add_option("RESULTS", arguments->results, "A results.sqlite of `starpath segment`, its folder, or a study")
      ->required();
  command->add_option("--format", arguments->formats, "What to write, one or several")
      ->required()
      ->delimiter(',')
      ->check(CLI::Validator(other_way, ""))
      ->check(CLI::IsMember(names_of(io::kNucleiExports).all));
  add_export_options(*command, arguments->options);
  command->add_option("--out", arguments->out, "File to write instead of the usual one beside RESULTS");
  command->add_flag("--overwrite", arguments->overwrite, "Replace the file that --out names");
  command->add_option("--slide", arguments->slide, "Where the slide is now; overlays read it");
  command->add_flag("--json", arguments->json, "Progress and summary as JSON lines on stdout");
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors");
  command->footer(kFooter);
  command->callback([arguments] {
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
