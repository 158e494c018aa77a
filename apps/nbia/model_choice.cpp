// Options of a model.
#include "apps/nbia/model_choice.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace starpath::apps {

void add_model_options(CLI::App& command, ModelChoice& choice) {
  command.add_option(
      "--model", choice.file,
      "Model made by `starpath nbia train`, or 'bundled', which is the default on synthetic slides only");
  command
      .add_option("--levels", choice.levels,
                  "Which of the model's levels to use, from coarse to fine; default: those it uses")
      ->delimiter(',');
}

bool is_bundled(const ModelChoice& choice) { return choice.file.empty() || choice.file == kBundled; }

NbiaModel load_model(const ModelChoice& choice, const std::string& input) {
  if (choice.file.empty() && !input.starts_with("synthetic:"))
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: the bundled model knows synthetic textures only; train one on your tissue with `starpath "
                    "nbia train SLIDE --annotations FILE.geojson --out model.json` and give --model model.json "
                    "(or --model {}, to try things out)",
                    input, kBundled));
  return with_levels(is_bundled(choice) ? bundled_model() : read_model(choice.file), choice.levels);
}

}  // namespace starpath::apps
