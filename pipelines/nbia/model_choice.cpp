// The bundled model, or one from a file.
#include "pipelines/nbia/model_choice.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace starpath {

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

}  // namespace starpath
