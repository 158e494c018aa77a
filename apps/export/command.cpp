// `starpath export RESULTS --format LIST`: files for other tools, made from results at any time.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <ranges>

#include "apps/cli/terminal.hpp"
#include "apps/export/export_options.hpp"
#include "apps/run/done_slides.hpp"
#include "apps/run/one_process.hpp"
#include "apps/run/run_options.hpp"
#include "apps/run/run_summary.hpp"
#include "base/error.hpp"
#include "base/on_threads.hpp"
#include "base/own_file.hpp"
#include "base/stop_signals.hpp"
#include "base/words.hpp"
#include "io/exports/exports.hpp"
#include "io/exports/slide_of_results.hpp"
#include "io/results/nuclei_results.hpp"
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
  std::error_code ignored;  // whoever writes the file says why it cannot be there
  if (fs::is_directory(out, ignored))
    throw Error(ErrorKind::usage, out.string() + ": is a folder; --out names the file to write");
  if (fs::is_regular_file(fs::symlink_status(out, ignored)) && !arguments.overwrite)
    throw Error(ErrorKind::output, out.string() + ": exists already; --overwrite replaces it");
}

fs::path file_of(const std::string& format, const fs::path& results, const ExportArguments& arguments) {
  return arguments.out.empty() ? results.parent_path() / export_named(format).file : fs::path(arguments.out);
}

/// What was written, as the summary says it.
struct Written {
  io::Export<io::Nuclei> format;
  fs::path file;
  std::int64_t nuclei;
};

/// `slides`: the files of each.
void tell(const ExportArguments& arguments, const std::vector<std::vector<Written>>& slides, double seconds) {
  nlohmann::json listed = nlohmann::json::array();
  std::int64_t all = 0;
  for (const std::vector<Written>& files : slides) all += files.empty() ? 0 : files.front().nuclei;
  for (const auto& [format, file, nuclei] : slides | std::views::join) {
    const bool regular = fs::is_regular_file(file);
    const std::uintmax_t bytes = regular ? fs::file_size(file) : 0;
    listed.push_back({{"format", format.name}, {"file", file.string()}, {"bytes", bytes}});
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

/// The formats of one slide, the first of which is the file of number `first` of those at work.
std::vector<Written> write_formats(const ExportArguments& arguments, const fs::path& results, FilesAtWork& at_work,
                                   std::size_t first) {
  const auto lock =
      io::OutputLock::for_reading(fs::absolute(results).parent_path());  // no run replaces the results meanwhile
  const io::ResultStore checked = io::open_nuclei(results);
  const Paths inputs = {results, checked.info().slide_path, arguments.slide};
  if (!arguments.out.empty()) check_wanted_file(arguments, inputs);
  std::vector<Written> files;
  for (const std::string& format : arguments.formats) {
    files.push_back({export_named(format), file_of(format, results, arguments), checked.nucleus_count()});
    check_is_no_input(files.back().file, inputs, "the export", "give the file another --out");
  }
  for (const Written& file : files) check_may_replace(file.file, file.format.output().kind, kOtherPlace);
  on_threads(*arguments.options.threads, files.size(), [&](std::size_t i, int) {
    at_work.write(first + i, [&](const io::ExportProgress& on_progress) {
      const io::ResultStore store = io::ResultStore::open(results.string());
      const auto slide = files[i].format.reads_slide ? io::slide_of(store, arguments.slide) : nullptr;
      io::Nuclei from{store, slide.get(), arguments.options};
      from.options.on_progress = on_progress;
      files[i].format.write(from, files[i].file);
    });
  });
  return files;
}

/// Before the first file of several slides is written: no other program's file is in the way of any.
void check_all_files(const ExportArguments& arguments, const Paths& all) {
  if (all.size() == 1) return;  // write_formats() looks first
  for (const fs::path& results : all)
    for (const std::string& format : arguments.formats)
      check_may_replace(file_of(format, results, arguments), export_named(format).output().kind, "move it away");
}

/// What they will be, slide by slide.
Paths all_files(const ExportArguments& arguments, const Paths& all) {
  Paths files;
  for (const fs::path& results : all)
    for (const std::string& format : arguments.formats) files.push_back(file_of(format, results, arguments));
  return files;
}

std::string phase_text(const ExportArguments& arguments, const Paths& all) {
  if (all.size() == 1) return "writing " + file_list(all_files(arguments, all));
  Paths names;
  for (const std::string& format : arguments.formats) names.emplace_back(export_named(format).file);
  return fmt::format("writing {} of {}", file_list(names), plural(std::ssize(all), "slide"));
}

/// Returns what has become of the files, and leaves those that are written in `written`, by slide.
FilesAtEnd write_all(const ExportArguments& arguments, const Paths& all, std::vector<std::vector<Written>>& written) {
  const std::atomic<bool>& stop = catch_stop_signals();
  ProgressReport report(choose_style(arguments.json, arguments.quiet), "nuclei");
  FilesAtWork at_work(report, phase_text(arguments, all), all_files(arguments, all), stop);
  written.resize(all.size());
  on_threads(*arguments.options.threads, all.size(), [&](std::size_t i, int) {
    if (!stop) written[i] = write_formats(arguments, all[i], at_work, i * arguments.formats.size());
  });
  FilesAtEnd end = at_work.end();
  for (std::vector<Written>& files : written)
    std::erase_if(files,
                  [&](const Written& each) { return std::ranges::find(end.stopped, each.file) != end.stopped.end(); });
  return end;
}

/// Returns the exit code.
int run(ExportArguments& arguments) {
  const auto began = std::chrono::steady_clock::now();
  const Paths all = wanted_results(arguments);
  std::vector<std::string>& formats = arguments.formats;
  for (auto format = formats.begin(); format != formats.end(); ++format)  // each is written once
    formats.erase(std::remove(format + 1, formats.end(), *format), formats.end());
  check_all_files(arguments, all);
  arguments.options.threads = std::make_shared<ThreadBudget>(allowed_cores());
  std::vector<std::vector<Written>> written;
  const FilesAtEnd end = write_all(arguments, all, written);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
  tell(arguments, written, taken.count());
  return end.stopped.empty() ? 0 : tell_stopped(end.stopped, "export them again");
}

}  // namespace

void add_export_command(CLI::App& app) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write nuclei of a finished run for other tools");
  for_one_process(*command);
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
  command->add_option("--slide", arguments->slide, "Where the slide is now; the overlay reads it");
  command->add_flag("--json", arguments->json, "Progress and summary as JSON lines on stdout");
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors");
  command->footer(kFooter);
  command->callback([arguments] {
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
