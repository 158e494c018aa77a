// `starpath classify`: a classifier of nuclei that a user trains.
#include <CLI/CLI.hpp>

#include "apps/classify/commands.hpp"
#include "apps/run/one_process.hpp"

namespace starpath::apps {

void add_classify_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("classify", "Classify nuclei by what you annotated in QuPath");
  for_one_process(*command);
  command->require_subcommand(1);
  add_classify_train_command(*command);
  add_classify_run_command(*command);
  add_classify_evaluate_command(*command);
  command->footer(
      R"help(A nucleus gets the class of the annotated nuclei that are most like it in its features (k nearest neighbours). No model
comes with the program: train one on your own annotations. Research only, not for diagnosis. docs/groups-of-nuclei.md says how.

Examples:
  starpath segment a.svs b.svs --out study                            # find the nuclei first
  starpath classify train study --annotations drawn/ --out model.json # drawn/a.geojson, drawn/b.geojson from QuPath
  starpath classify run other_study --model model.json
  starpath classify evaluate other_study --annotations checked/ --model model.json)help");
}

}  // namespace starpath::apps
