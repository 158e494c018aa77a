// `starpath workflow MODULE INPUT --out DIR`: a pipeline of the user's own, from the command line.
#include <CLI/CLI.hpp>
#include <memory>

#include "apps/run/mpp_range.hpp"
#include "apps/run/run_options.hpp"
#include "apps/run/run_summary.hpp"
#include "runs/declared/pipeline.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter =
    R"help(MODULE is a shared library whose one source file declares stages, their operations as StarPU codelets, and how a slide
is cut (starpath/workflow.hpp). Writes into the output folder: results.sqlite (everything; kept while running, so that
a stopped run can go on) and results.csv, a row a tile. docs/workflows.md has an example of 60 lines.

Examples:
  c++ -std=c++20 -O2 -shared -fPIC darkness.cpp $(pkg-config --cflags starpath starpu-1.4) -o darkness.so
  starpath workflow ./darkness.so slide.svs --out results
  starpath workflow ./darkness.so slide.svs --out results --resume
  mpirun -n 4 starpath workflow ./darkness.so slide.svs --out results   # stages of tiles on several nodes
  mpirun -n 4 starpath workflow ./darkness.so slide.svs --out results --streams odds   # pixels travel)help";

}  // namespace

void add_workflow_command(CLI::App& app) {
  auto request = std::make_shared<WorkflowRequest>();
  CLI::App* command = app.add_subcommand("workflow", "Run a pipeline of your own over the tiles of a slide");
  command->add_option("MODULE", request->module, "Shared library that declares the pipeline")->required();
  add_input(*command, *request);
  add_run_options(*command, *request, "the tiles", {});
  command
      ->add_option("--window", request->options.window,
                   "Stages of tiles in flight (of each rank), which bounds memory; 0: three times the workers. With "
                   "--streams: buffers that a worker has asked for (odds: at most); 0: 4 (odds: as it finds, up to 64)")
      ->capture_default_str();
  add_stream_options(*command, request->streams, "stages of tiles");
  command->add_option("--mpp", request->mpp, "Micrometres a pixel of the slide, if it does not say or says it wrong")
      ->check(micrometres_a_pixel());
  command->footer(kFooter);
  command->callback([request] {
    WorkflowPipeline pipeline(*request);
    if (const int code = run_and_tell(*request, pipeline); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
