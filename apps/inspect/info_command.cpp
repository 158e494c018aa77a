// `starpath info INPUT`: what a slide is and how it would be read.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/terminal.hpp"
#include "apps/run/mpp_range.hpp"
#include "apps/run/one_process.hpp"
#include "apps/run/slide_decoder.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/segmentation/resolution_estimate.hpp"
#include "runs/slide_pipeline.hpp"

namespace starpath::apps {
namespace {

struct InfoArguments {
  std::string input;
  double mpp = 0;
  bool json = false;
};

/// Where the slide lies on its file's canvas; null where it is all of it.
nlohmann::json place_json(const io::SlideInfo& info) {
  if (!info.place) return nullptr;
  return {{"x", info.place->x},
          {"y", info.place->y},
          {"canvas_width", info.place->width},
          {"canvas_height", info.place->height}};
}

std::string decoder_of(const io::SlideInfo& info) { return info.decoded_by.empty() ? "this process" : info.decoded_by; }

void print_json(const io::SlideInfo& info, const io::Resolution& resolution, const io::WorkingSlide& grid) {
  nlohmann::json levels = nlohmann::json::array();
  for (const io::SlideLevel& level : info.levels)
    levels.push_back({{"width", level.width}, {"height", level.height}, {"downsample", level.downsample}});
  const nlohmann::json out = {
      {"path", info.path},
      {"format", info.format},
      {"mpp", info.mpp > 0 ? nlohmann::json(info.mpp) : nlohmann::json(nullptr)},
      {"resolution", resolution_json(resolution)},
      {"bounds", place_json(info)},
      {"decoded_by", decoder_of(info)},
      {"levels", levels},
      {"fingerprint", info.fingerprint},
      {"working", {{"width", grid.width()}, {"height", grid.height()}, {"scale", grid.scale()}}}};
  write_json(out, 2);
}

void print_text(const io::SlideInfo& info, const io::Resolution& resolution, const io::WorkingSlide& grid) {
  print_out("{}\n  format       {}\n  size         {} x {} px\n", info.path, info.format, info.width(), info.height());
  if (info.place)
    print_out("  lies at      x={}, y={} of a canvas of {} x {} px; places count from there, as in QuPath\n",
              info.place->x, info.place->y, info.place->width, info.place->height);
  print_out("  decoded by   {}\n", decoder_of(info));
  print_out("  resolution   {}; {:.2f} x {:.2f} mm\n", text_of(resolution),
            static_cast<double>(info.width()) * resolution.mpp / 1000,
            static_cast<double>(info.height()) * resolution.mpp / 1000);
  for (std::size_t i = 0; i < info.levels.size(); ++i)
    print_out("  level {:<2}     {} x {} px (1 : {:.4g})\n", i, info.levels[i].width, info.levels[i].height,
              info.levels[i].downsample);
  print_out("  worked on as {} x {} px (each {:.4g} slide pixels wide)\n  fingerprint  {}\n", grid.width(),
            grid.height(), grid.scale(), info.fingerprint);
}

void run(const InfoArguments& arguments) {
  const std::unique_ptr<io::Slide> slide = io::open_slide(arguments.input);
  const io::Resolution resolution = resolution_of(*slide, arguments.mpp);
  const io::WorkingSlide grid(*slide, io::kDesignMpp, resolution.mpp);
  if (const std::string warning = io::resolution_warning(resolution); !warning.empty())
    print_error("starpath: warning: {}\n", warning);
  for (const std::string& warning : slide->warnings()) print_error("starpath: warning: {}\n", warning);
  arguments.json ? print_json(slide->info(), resolution, grid) : print_text(slide->info(), resolution, grid);
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto arguments = std::make_shared<InfoArguments>();
  CLI::App* command =
      app.add_subcommand("info", "Say what a slide is: size, levels, resolution, and the grid it is worked on");
  for_one_process(*command);
  add_trusted(*command);
  command->add_option("INPUT", arguments->input, "Slide, image, folder of tiles or synthetic:WxH")->required();
  command->add_option("--mpp", arguments->mpp, "Micrometres a pixel of the slide, if it does not say or says it wrong")
      ->check(micrometres_a_pixel());
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer(
      R"help("worked on as" is the grid of 0.5 um/px on which nuclei are measured. Who says the resolution, or that it is estimated, stands
beside it (docs/segmentation.md). The fingerprint is what --resume knows the slide by.

Examples:
  starpath info slide.svs
  starpath info slide.svs --json)help");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
