// `starpath tissue SLIDE --out FILE`: where a slide has tissue, as regions for QuPath and for --roi, or as a mask.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>

#include "apps/cli/number_range.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/run/mpp_range.hpp"
#include "apps/run/one_process.hpp"
#include "apps/run/slide_decoder.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/lower_case.hpp"
#include "base/own_file.hpp"
#include "base/words.hpp"
#include "io/exports/region_file.hpp"
#include "io/slides/image_names.hpp"
#include "io/slides/resolution.hpp"
#include "io/slides/working_slide.hpp"
#include "io/tissue/tissue.hpp"
#include "runs/kept_files.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter =
    R"(Cells of 128 um in which less than 90 % of the pixels are brighter than --glass in R, G and B, seen at 8 um a pixel.
Mend the regions in QuPath and give them to segment. A file whose name ends in .png is a mask over the whole slide, at 8 um a
pixel: white where there is tissue. segment takes that too.

Examples:
  starpath tissue slide.svs --out tissue.geojson
  starpath tissue slide.svs --out tissue.png
  starpath segment slide.svs --out results --roi tissue.geojson)";

struct TissueArguments {
  std::string input, out;
  double mpp = 0;
  io::TissueOptions tissue;
};

/// The ending of the name decides, as --roi does: files with endings of pictures are masks.
bool is_mask(const std::string& out) {
  if (!io::is_image_name(out)) return false;
  if (lower_case(std::filesystem::path(out).extension().string()) != ".png")
    throw Error(ErrorKind::usage, fmt::format("--out {}: a mask is written as .png, regions as .geojson", out));
  return true;
}

void run(const TissueArguments& arguments) {
  const bool mask = is_mask(arguments.out);
  check_is_no_input(arguments.out, {arguments.input}, mask ? "the mask" : "the file");
  const OutputKind kind{"starpath tissue", mask ? io::is_tissue_mask : io::is_tissue_regions};
  const std::unique_ptr<io::Slide> slide = io::open_slide(arguments.input);
  const io::Resolution stated = io::stated_resolution(slide->info(), arguments.mpp);
  if (!stated.known())
    print_error("starpath: warning: {}: no resolution is known, 0.5 um/px is taken; say --mpp\n", arguments.input);
  AtomicFile file(arguments.out, kind);
  const io::Tissue tissue = io::find_tissue(*slide, stated.known() ? stated.mpp : io::kDesignMpp, arguments.tissue);
  if (mask)
    io::write_tissue_mask(tissue, file);
  else
    io::write_tissue_regions(tissue, file);
  file.commit();
  for (const std::string& warning : slide->warnings())
    print_error("starpath: warning: {}: {}\n", arguments.input, warning);
  print_out("{}  ({}, {:.3g} mm2 of tissue)\n", arguments.out, plural(std::ssize(tissue.regions), "region"),
            tissue.mm2());
}

}  // namespace

void add_tissue_command(CLI::App& app) {
  auto arguments = std::make_shared<TissueArguments>();
  CLI::App* command = app.add_subcommand("tissue", "Write where a slide has tissue, as regions for QuPath and --roi");
  for_one_process(*command);
  add_trusted(*command);
  command->add_option("SLIDE", arguments->input, "Any input of `starpath segment`")->required();
  command
      ->add_option("--out", arguments->out, "GeoJSON file, or a mask if its name ends in .png; replaced if it is one")
      ->required();
  command->add_option("--mpp", arguments->mpp, "Micrometres a pixel of the slide, if it does not say or says it wrong")
      ->check(micrometres_a_pixel());
  command->add_option("--glass", arguments->tissue.glass, "What is brighter in R, G and B is glass")
      ->check(number_between(1, 254))
      ->capture_default_str();
  command
      ->add_option("--least-mm2", arguments->tissue.least_mm2,
                   "Regions that are smaller are left out, square millimetres")
      ->check(number_between(0, 1e6))
      ->capture_default_str();
  command->footer(kFooter);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
