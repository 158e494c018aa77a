// `starpath nbia train SOURCE`: from labelled tiles to a model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "apps/cli/terminal.hpp"
#include "apps/nbia/commands.hpp"
#include "apps/nbia/options.hpp"
#include "apps/run/one_process.hpp"
#include "apps/run/slide_decoder.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/own_file.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/nbia/train.hpp"
#include "runs/kept_files.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

constexpr OutputKind kModel = {"starpath nbia train", is_nbia_model};

struct TrainArguments {
  FieldSources from;
  std::string out = "nbia-model.json";
  std::vector<int> levels = {32, 128, 512};
  bool overwrite = false;
};

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// What cross-validation found: a line a level, then a table of truth and decision.
void print_validation(const NbiaModel& model, const NbiaConfusion& confusion) {
  print_out("cross-validation, held out by {}:\n", model.validated_by);
  const int last = model.field();
  for (const NbiaLevel& level : model.levels) {
    const NbiaValidation& v = *level.validation;
    print_out("{:>7} px: {:.1f} % right; clear votes on {:.1f} % of the fields, {:.1f} % of them right", level.side,
              percent(v.right, v.fields), percent(v.decided, v.fields), percent(v.decided_right, v.decided));
    if (level.side != last) {
      print_out(" ({} px: {:.1f} % of these)", last, percent(v.last_right, v.decided));
      if (!level.used)
        print_out(": NOT USED, {}",
                  v.decided == 0 ? "it never decides" : fmt::format("worse than {} px on the fields it decides", last));
    }
    print_out("\n");
  }
  print_out("{:>14} | {:>11} {:>11} | right\n", "truth \\ said", "stroma_rich", "stroma_poor");
  for (const auto& [truth, said] : confusion) {
    const auto count = [&, &row = said](NbiaLabel label) { return row.contains(label) ? row.at(label) : 0; };
    const std::int64_t rich = count(NbiaLabel::stroma_rich), poor = count(NbiaLabel::stroma_poor);
    print_out("{:>14} | {:>11} {:>11} | {:.1f} %\n", label_name(truth), rich, poor, percent(count(truth), rich + poor));
  }
}

void run(TrainArguments arguments) {
  NbiaTrainer trainer(arguments.levels);
  std::error_code ignored;  // AtomicFile says why nothing can be there
  if (fs::exists(arguments.out, ignored) && !arguments.overwrite)
    throw Error(ErrorKind::output,
                fmt::format("{} exists already: replace it with --overwrite, or choose another --out", arguments.out));
  for (const auto* read : {&arguments.from.sources, &arguments.from.annotations})
    check_is_no_input(arguments.out, {read->begin(), read->end()}, "the model");
  AtomicFile file(arguments.out, kModel);  // whether it can be written is known before the work
  std::int64_t glass = 0;
  const auto lines =
      visit_fields(arguments.from, arguments.levels.back(), io::kDesignMpp, [&](const LabelledField& field) {
        if (field.label == NbiaLabel::background || !trainer.add(field.label, field.pixels, field.origin)) ++glass;
      });
  const auto [model, confusion] =
      trainer.train(fmt::format("{}", fmt::join(arguments.from.sources, ", ")), io::kDesignMpp);
  file.write(model_text(model));
  file.commit();
  for (const std::string& line : lines) print_out("{}\n", line);
  print_out("{}: {} stroma_rich and {} stroma_poor fields of {} px, levels {}; {} of glass left out\n", arguments.out,
            trainer.count(NbiaLabel::stroma_rich), trainer.count(NbiaLabel::stroma_poor), model.field(),
            fmt::join(arguments.levels, ","), glass);
  print_validation(model, confusion);
}

}  // namespace

void add_nbia_train_command(CLI::App& nbia) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* command = nbia.add_subcommand("train", "Make a model from annotated slides or labelled tiles");
  for_one_process(*command);
  add_trusted(*command);
  add_field_sources(*command, arguments->from);
  command->add_option("--out", arguments->out, "The model's file")->capture_default_str();
  command->add_option("--levels", arguments->levels, "Sides of the levels in pixels; the last is the field's")
      ->delimiter(',')
      ->capture_default_str();
  command->add_flag("--overwrite", arguments->overwrite, "Replace the file");
  command->footer(
      R"help(Images may be PNG, JPEG, TIFF or anything else that `starpath info` reads; larger ones are cut into whole fields.
Glass needs no training. The same images give the same file.

With --annotations, fields are taken from where a run would look, if regions of one label cover 90 % of them and those of
others 10 % at most. What is printed then is of fields held out: by slide if there are enough, else by annotation.

Examples:
  starpath nbia train a.svs b.svs --annotations a.geojson --annotations b.geojson --out model.json
  starpath nbia train a.svs --annotations a.geojson --classes Stroma=stroma_rich,Tumor=stroma_poor --out model.json
  starpath nbia train tiles/ --out model.json
  starpath nbia train small_tiles/ --levels 14,56,224 --out model224.json
  starpath nbia train synthetic:8192x8192,pattern=stroma,seed=7 --out model.json)help");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
