// `starpath nbia`: multi-resolution classification of stroma.
#include <CLI/CLI.hpp>

#include "apps/nbia/commands.hpp"

namespace starpath::apps {

void add_nbia_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("nbia", "Tell stroma-rich from stroma-poor tissue, field by field");
  command->require_subcommand(1);
  add_nbia_run_command(*command);
  add_nbia_train_command(*command);
  add_nbia_evaluate_command(*command);
  command->footer(
      R"help(A field of 512x512 px (0.5 um each) is judged from 32x32 px first; only if the vote of its 15 nearest training samples
is not clear it is judged again from 128x128 and then 512x512 px.

The bundled model was trained on synthetic textures: it shows how things work, is NOT for diagnosis, and is refused on
other slides unless --model bundled is said. Train your own on labelled tissue with `starpath nbia train`.

Examples:
  starpath nbia run synthetic:8192x8192,pattern=stroma --out results
  starpath nbia train tiles/ --out model.json      (tiles/stroma_rich/*.png, tiles/stroma_poor/*.png)
  starpath nbia evaluate other_tiles/ --model model.json)help");
}

}  // namespace starpath::apps
