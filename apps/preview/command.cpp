// `starpath preview SLIDE`: see before you run.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "apps/commands.hpp"
#include "apps/number_range.hpp"
#include "apps/one_process.hpp"
#include "apps/preview/report.hpp"
#include "apps/run/compute.hpp"
#include "apps/run/kept_files.hpp"
#include "apps/run/own_file.hpp"
#include "apps/run/roi.hpp"
#include "apps/run/slide_resolution.hpp"
#include "apps/run/stop_signals.hpp"
#include "apps/run/words.hpp"
#include "apps/terminal.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "pipelines/segmentation/survey_first.hpp"

namespace starpath::apps {
namespace {

constexpr int kOverviewSide = 900;

constexpr const char* kFooter =
    R"(Segments a few fields of the slide, those with much tissue and far apart, with the parameters that `starpath segment`
would use, in seconds, and writes one page: the slide with the fields marked, every field raw and with outlines,
counts, the histograms with the levels drawn in, stains, resolution, warnings, and all parameters with their origin.
What is outlined is what `starpath segment` finds there. How to read it: docs/segmentation.md.

Examples: a way to parameters for your slides:
  starpath preview slide.svs                               # look at preview.html: too few, too many, too large?
  starpath preview slide.svs --sweep G1=20:100:20          # the same fields with G1 = 20, 40, 60, 80, 100
  starpath preview slide.svs --set G1=40 --sweep split_um=0.25,0.5,1
  starpath segment slide.svs --out results --set G1=40     # the whole slide with what looked right)";

struct PreviewArguments {
  RunArguments run;  // input, out, session, roi, json, quiet
  ParameterArguments parameters;
  SegmentationOptions options;
  std::string sweep;
  double mpp = 0;  // of the slide, as the user says; 0: not said
  int fields = 6;
};

void add_options(CLI::App& command, PreviewArguments& arguments) {
  arguments.run.out = "preview.html";
  command.add_option("SLIDE", arguments.run.input, "Any input of `starpath segment`")->required();
  command.add_option("--out", arguments.run.out, "The page; replaced if it is one")->capture_default_str();
  command.add_option("--fields", arguments.fields, "How many fields of 512x512 working pixels")
      ->check(CLI::Range(1, 48))
      ->capture_default_str();
  command.add_option("--sweep", arguments.sweep,
                     "Also show each field with other values of one parameter: NAME=FIRST:LAST:STEP or NAME=VALUE,...");
  command.add_option("--mpp", arguments.mpp, "Micrometres a pixel of the slide, if it does not say or says it wrong")
      ->check(micrometres_a_pixel());
  command.add_option("--roi", arguments.run.roi, "Only fields in x,y,width,height (level-0 pixels)")
      ->check([](const std::string& text) { return flaw_of_roi(text, false); });
  add_parameter_options(command, arguments.parameters);
  add_scheduling(command, arguments.run);
  command.add_flag("--json", arguments.run.json, "Print a summary as one JSON line");
  command.add_flag("--quiet", arguments.run.quiet, "Say nothing but errors");
}

void describe_resolution(const io::WorkingSlide& grid, Preview& preview) {
  const io::Resolution& resolution = preview.options.resolution;
  preview.resolution = fmt::format("{}; segmented at {:.4g} um/px", text_of(resolution), grid.mpp());
  const std::string warning = resolution_warning(resolution);
  if (!warning.empty()) preview.warnings.push_back(warning);
}

void warn_of_results(Preview& preview) {
  std::int64_t nuclei = 0;
  for (const PreviewField& field : preview.fields) nuclei += field.variants.front().count;
  if (nuclei == 0)
    preview.warnings.push_back(
        "No nucleus in any field with these parameters: lower G1 and G2 (see the histogram), or check the "
        "resolution.");
}

void print_summary(const Preview& preview, const RunArguments& run) {
  if (run.json) {
    print_out("{}\n", summary_of(preview, run.out).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  if (run.quiet) return;
  for (const std::string& warning : preview.warnings) print_error("starpath: warning: {}\n", warning);
  print_out("{}\n", run.out);
  for (std::size_t v = 0; v < preview.variants.size(); ++v) {
    std::int64_t nuclei = 0;
    bool refused = false;
    for (const PreviewField& field : preview.fields) {
      nuclei += field.variants[v].count;
      refused = refused || !field.variants[v].refused.empty();
    }
    print_out("{}: {}\n", preview.variants[v].label,
              refused ? preview.fields[0].variants[v].refused
                      : fmt::format("{} in {}", nuclei_text(nuclei), plural(std::ssize(preview.fields), "field")));
  }
}

void tell(const PreviewArguments& arguments, const std::string& text) {
  if (!arguments.run.quiet) print_error("starpath: {}\n", text);
}

/// What is known before anything is segmented: slide, resolution, overview.
Preview look_at(const io::Slide& slide, const io::WorkingSlide& grid, const PreviewArguments& arguments) {
  Preview preview;
  preview.slide = slide.info();
  preview.scale = grid.scale();
  preview.work_mpp = arguments.options.resolution.known() ? grid.mpp() : 0;
  preview.options = arguments.options;
  preview.said = arguments.parameters;
  preview.variants = variants_of(arguments.options.parameters, arguments.sweep);
  describe_resolution(grid, preview);
  tell(arguments, "looking for fields");
  const Rect whole{0, 0, grid.width(), grid.height()}, &roi = arguments.options.tiling.roi;
  preview.overview = read_overview(slide, grid, roi.empty() ? whole : intersection(roi, whole), kOverviewSide);
  return preview;
}

/// The fields that the survey looked at, cut at the region.
std::vector<Rect> fields_of(const Survey& survey, const io::WorkingSlide& grid, const Rect& region) {
  const Rect within = intersection(region, {0, 0, grid.width(), grid.height()});
  std::vector<Rect> fields;
  for (const auto& [x, y] : survey.places)
    fields.push_back(intersection(
        {x / kPreviewField * kPreviewField, y / kPreviewField * kPreviewField, kPreviewField, kPreviewField}, within));
  return fields;
}

void segment_in(const io::Slide& slide, const io::WorkingSlide& grid, const PreviewArguments& arguments,
                Preview& preview, const std::atomic<bool>& stop) {
  for (const std::string& note : prepare_gpus_for_slides(preview.options)) tell(arguments, note);
  preview.options.gpus_prepared = true;
  const std::optional<Survey> survey = survey_for(grid, preview.options, stop);
  if (stop) return;
  const std::vector<Rect> surveyed = survey ? fields_of(*survey, grid, preview.overview.region) : std::vector<Rect>{};
  preview.fields =
      read_fields(grid, choose_fields(preview.overview, static_cast<std::size_t>(arguments.fields), surveyed));
  preview.levels_from = survey ? "survey" : "fixed";
  preview.stains = {preview.options.stains.haematoxylin, preview.options.stains.eosin};
  if (survey) {
    preview.survey = describe(*survey);
    preview.differences = survey->difference;
    preview.differences_surveyed = survey->tissue > 0;
    preview.warnings.insert(preview.warnings.end(), survey->warnings.begin(), survey->warnings.end());
  }
  segment_fields(
      slide, grid, preview.options, preview.variants, preview.fields,
      [&](std::size_t field, std::size_t variant) {
        tell(arguments,
             fmt::format("field {} of {}, {}", field + 1, preview.fields.size(), preview.variants[variant].label));
      },
      stop);
}

int run(PreviewArguments& arguments) {
  const auto begin = std::chrono::steady_clock::now();
  check_is_no_input(arguments.run.out, {arguments.run.input, arguments.parameters.file}, "the page");
  check_may_replace(arguments.run.out, page_mark("starpath preview"), "starpath preview");
  SegmentationOptions& options = arguments.options;
  options.parameters = parameters_of(arguments.parameters);
  const auto slide = io::open_slide(arguments.run.input);
  options.resolution = resolution_of(*slide, arguments.mpp);
  const io::WorkingSlide grid(*slide, options.target_mpp, options.resolution.mpp);
  options.tiling.halo = halo_of(pixel_parameters(options.parameters, options.levels, options.target_mpp));
  options.tiling.roi = working_roi(arguments.run.roi, grid.scale());
  check_options(grid, options);
  choose_policy(arguments.run.session);  // before anything is read
  AtomicFile page(arguments.run.out);    // whether it can be written is known before the work
  Preview preview = look_at(*slide, grid, arguments);
  const std::atomic<bool>& stop = catch_stop_signals();
  Outcome outcome;
  compute(arguments.run, outcome, [&] { segment_in(*slide, grid, arguments, preview, stop); });
  if (stop) {
    print_error("starpath: interrupted; there is no preview\n");
    return kExitInterrupted;
  }
  if (!preview.differences_surveyed) preview.differences = differences_of(grid, preview.fields, preview.options);
  warn_of_results(preview);
  preview.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  page.write(page_of(preview));
  page.commit();
  print_summary(preview, arguments.run);
  return 0;
}

}  // namespace

void add_preview_command(CLI::App& app) {
  auto arguments = std::make_shared<PreviewArguments>();
  CLI::App* command =
      app.add_subcommand("preview", "See what a segmentation with these parameters finds in a few fields, as a page");
  for_one_process(*command);
  add_options(*command, *arguments);
  command->footer(kFooter);
  command->callback([arguments] {
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
