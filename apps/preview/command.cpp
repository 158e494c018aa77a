// `starpath preview SLIDE`: see before you run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>

#include "apps/cli/number_range.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/run/mpp_range.hpp"
#include "apps/run/one_process.hpp"
#include "apps/run/progress_report.hpp"
#include "apps/run/run_options.hpp"
#include "apps/run/slide_decoder.hpp"
#include "apps/segment/parameter_options.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/own_file.hpp"
#include "base/stop_signals.hpp"
#include "base/words.hpp"
#include "pages/preview/preview_page.hpp"
#include "pipelines/preview/slide_preview.hpp"
#include "pipelines/run/roi.hpp"
#include "runs/compute.hpp"
#include "runs/kept_files.hpp"

namespace starpath::apps {
namespace {

constexpr OutputKind kPage = {"starpath preview",
                              [](const std::filesystem::path& file) { return is_page_of(file, "starpath preview"); }};

constexpr const char* kFooter =
    R"(Segments a few fields of the slide, those with much tissue and far apart, with the parameters that `starpath segment`
would use, in seconds, and writes one page: the slide with the fields marked, every field raw and with outlines,
counts, the histograms with the levels drawn in, stains, resolution, warnings, and all parameters with their origin.
What is outlined is what `starpath segment` finds there. How to read it: docs/segmentation.md.

Examples: a way to parameters for your slides:
  starpath preview slide.svs                               # look at preview.html: too few, too many, too large?
  starpath preview slide.svs --sweep core_score=96:176:16  # the same fields with scores of 96, 112, 128 and so on
  starpath preview slide.svs --sweep detector=0,1          # by levels, and by the network
  starpath preview slide.svs --set G1=40 --sweep split_um=0.25,0.5,1                # parameters of the levels
  starpath segment slide.svs --out results --set core_score=112   # the whole slide with what looked right)";

struct PreviewArguments {
  RunRequest run;  // out, session, json, quiet
  AskedPreview preview;
};

void add_options(CLI::App& command, PreviewArguments& arguments) {
  arguments.run.out = "preview.html";
  command.add_option("SLIDE", arguments.preview.slide, "Any input of `starpath segment`")->required();
  command.add_option("--out", arguments.run.out, "The page; replaced if it is one")->capture_default_str();
  command.add_option("--fields", arguments.preview.fields, "How many fields of 512x512 working pixels")
      ->check(number_between(1, 48))
      ->capture_default_str();
  command.add_option("--sweep", arguments.preview.sweep,
                     "Also show each field with other values of one parameter: NAME=FIRST:LAST:STEP or NAME=VALUE,...");
  command
      .add_option("--mpp", arguments.preview.mpp,
                  "Micrometres a pixel of the slide, if it does not say or says it wrong")
      ->check(micrometres_a_pixel());
  command.add_option("--roi", arguments.preview.roi, "Only fields in x,y,width,height (level-0 pixels)")
      ->check([](const std::string& text) { return flaw_of_roi(text, false); });
  add_parameter_options(command, arguments.preview.parameters);
  add_scheduling(command, arguments.run);
  command.add_flag("--json", arguments.run.json, "Print a summary as one JSON line");
  command.add_flag("--quiet", arguments.run.quiet, "Say nothing but errors");
}

void print_text(const SlidePreview& facts, const std::string& page) {
  for (const std::string& warning : pages::warnings_of(facts)) print_error("starpath: warning: {}\n", warning);
  print_out("{}\n", page);
  const std::vector<PreviewField>& fields = facts.found.fields;
  for (std::size_t v = 0; v < facts.request.variants.size(); ++v) {
    std::int64_t nuclei = 0;
    bool refused = false;
    for (const PreviewField& field : fields) {
      nuclei += field.variants[v].count;
      refused = refused || !field.variants[v].refused.empty();
    }
    print_out("{}: {}\n", facts.request.variants[v].label,
              refused ? fields[0].variants[v].refused
                      : fmt::format("{} in {}", nuclei_text(nuclei), plural(std::ssize(fields), "field")));
  }
}

int run(const PreviewArguments& arguments) {
  const auto begin = std::chrono::steady_clock::now();
  const RunRequest& run = arguments.run;
  check_is_no_input(run.out, {arguments.preview.slide, arguments.preview.parameters.file}, "the page");
  SlidePreview preview(arguments.preview);
  choose_policy(run.session);
  AtomicFile page(run.out, kPage);  // whether it can be written is known before the work
  ProgressReport report(choose_style(run.json, run.quiet), "nuclei");
  const auto on_step = [&](const std::string& step) {
    if (!run.quiet) report.note(step);
  };
  const std::atomic<bool>& stop = catch_stop_signals();
  compute(run, report, [&] { preview.find(on_step, stop); });
  if (stop) {
    print_error("starpath: interrupted; there is no preview\n");
    return kExitInterrupted;
  }
  page.write(pages::page_of(preview));
  page.commit();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (run.json)
    write_json(pages::summary_of(preview, run.out, seconds));
  else if (!run.quiet)
    print_text(preview, run.out);
  return 0;
}

}  // namespace

void add_preview_command(CLI::App& app) {
  auto arguments = std::make_shared<PreviewArguments>();
  CLI::App* command =
      app.add_subcommand("preview", "See what a segmentation with these parameters finds in a few fields, as a page");
  for_one_process(*command);
  add_trusted(*command);
  add_options(*command, *arguments);
  command->footer(kFooter);
  command->callback([arguments] {
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
