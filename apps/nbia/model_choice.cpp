// Options of a model.
#include "apps/nbia/model_choice.hpp"

namespace starpath::apps {

void add_model_options(CLI::App& command, ModelChoice& choice) {
  command.add_option("--model", choice.file, "Model made by `starpath nbia train`; default: the bundled one");
  command
      .add_option("--levels", choice.levels, "Which of the model's levels to use, from coarse to fine; default: all")
      ->delimiter(',');
}

NbiaModel load_model(const ModelChoice& choice) {
  return with_levels(choice.file.empty() ? bundled_model() : read_model(choice.file), choice.levels);
}

}  // namespace starpath::apps
