// The options by which a user says what exports hold.
#include "apps/export/export_options.hpp"

namespace starpath::apps {

void add_export_options(CLI::App& command, io::ExportOptions& options) {
  constexpr int most_digits = 17;  // more than a double has
  command
      .add_option("--features", options.features,
                  "Features in geojson, csv and parquet: basic (size, shape, stains), all, or names (docs/features.md)")
      ->delimiter(',')
      ->capture_default_str();
  command
      .add_option(
          "--digits", options.digits,
          "Significant digits of features in geojson and csv; default: as few as say the single-precision number")
      ->check(CLI::Range(1, most_digits));
}

}  // namespace starpath::apps
