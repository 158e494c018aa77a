// `starpath nbia run INPUT --out DIR`: stroma-rich and stroma-poor tissue of a whole slide, from the command line.
#include <memory>

#include "apps/cli/number_range.hpp"
#include "apps/nbia/commands.hpp"
#include "apps/nbia/options.hpp"
#include "apps/run/mpp_range.hpp"
#include "apps/run/run_options.hpp"
#include "apps/run/run_summary.hpp"
#include "io/exports/field_exports.hpp"
#include "runs/nbia/pipeline.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter =
    R"help(Writes into the output folder: results.sqlite (everything; kept while running, so that a stopped run can go on),
map.png (a small square a field: green stroma-rich, orange stroma-poor, gray background, paler where the vote was
not clear), overlay.png (the slide in these tints), regions.geojson (drag it onto the slide in QuPath), fields.csv.
Results do not depend on policy, number of workers or devices. docs/nbia.md says more.

Examples:
  starpath nbia run synthetic:8192x8192,pattern=stroma --out results
  starpath nbia run slide.svs --out results --model model.json
  starpath nbia run slide.svs --out results --levels 32,512 --recalc-rate 0.16
  mpirun -n 4 starpath nbia run slide.svs --out results     # on several nodes: docs/ranks.md
  mpirun -n 4 starpath nbia run slide.svs --out results --streams odds --readers 1)help";

void add_options(CLI::App& command, NbiaRequest& request) {
  NbiaOptions& options = request.options;
  add_input(command, request);
  add_run_options(command, request, "the fields", names_of(io::kFieldExports));
  add_model_options(command, request.model);
  command
      .add_option("--recalc-rate", options.recalc_rate,
                  "Share of the fields (0 to 1) to compute again at each next level, whatever the votes: for "
                  "experiments; default: the votes decide")
      ->check(number_between(0, 1))
      ->default_str("");
  command
      .add_option("--window", options.window,
                  "Fields in flight (of each rank), which bounds memory; 0: four times the workers. With --streams: "
                  "buffers that a worker has asked for (odds: at most); 0: 4 (odds: as it finds, up to 64)")
      ->capture_default_str();
  add_stream_options(command, request.streams, "fields");
  command
      .add_option("--mpp", options.slide_mpp, "Micrometres a pixel of the slide, if it does not say or says it wrong")
      ->check(micrometres_a_pixel());
}

}  // namespace

void add_nbia_run_command(CLI::App& nbia) {
  auto request = std::make_shared<NbiaRequest>();
  CLI::App* command = nbia.add_subcommand("run", "Judge every field of a slide");
  add_options(*command, *request);
  command->footer(kFooter);
  command->callback([request] {
    NbiaPipeline pipeline(*request);
    if (const int code = run_and_tell(*request, pipeline); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
