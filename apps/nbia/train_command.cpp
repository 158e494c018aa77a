// `starpath nbia train SOURCE`: from labelled tiles to a model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>

#include "apps/nbia/commands.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/nbia/labelled_fields.hpp"
#include "pipelines/nbia/train.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

struct TrainArguments {
  LabelledSource source;
  std::string out = "nbia-model.json";
  std::vector<int> levels = {32, 128, 512};
  bool overwrite = false;
};

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// What cross-validation found: a line a level, then a table of truth and decision.
void print_validation(const NbiaModel& model, const NbiaConfusion& confusion) {
  fmt::print("cross-validation, held out by {}:\n", model.validated_by);
  const int last = model.field();
  for (const NbiaLevel& level : model.levels) {
    const NbiaValidation& v = *level.validation;
    fmt::print("{:>7} px: {:.1f} % right; clear votes on {:.1f} % of the fields, {:.1f} % of them right", level.side,
               percent(v.right, v.fields), percent(v.decided, v.fields), percent(v.decided_right, v.decided));
    if (level.side != last) {
      fmt::print(" ({} px: {:.1f} % of these)", last, percent(v.last_right, v.decided));
      if (!level.used)
        fmt::print(": NOT USED, {}", v.decided == 0 ? "it never decides"
                                                    : fmt::format("worse than {} px on the fields it decides", last));
    }
    fmt::print("\n");
  }
  fmt::print("{:>14} | {:>11} {:>11} | right\n", "truth \\ said", "stroma_rich", "stroma_poor");
  for (const auto& [truth, said] : confusion) {
    const auto count = [&, &row = said](NbiaLabel label) { return row.contains(label) ? row.at(label) : 0; };
    const std::int64_t rich = count(NbiaLabel::stroma_rich), poor = count(NbiaLabel::stroma_poor);
    fmt::print("{:>14} | {:>11} {:>11} | {:.1f} %\n", label_name(truth), rich, poor,
               percent(count(truth), rich + poor));
  }
}

void run(TrainArguments arguments) {
  NbiaTrainer trainer(arguments.levels);
  if (fs::exists(arguments.out) && !arguments.overwrite)
    throw Error(ErrorKind::output,
                fmt::format("{} exists already: replace it with --overwrite, or choose another --out", arguments.out));
  arguments.source.field = arguments.levels.back();
  arguments.source.mpp = io::kDesignMpp;
  std::int64_t glass = 0;
  visit_labelled_fields(arguments.source, [&](const LabelledField& field) {
    if (field.label == NbiaLabel::background || !trainer.add(field.label, field.pixels, field.origin)) ++glass;
  });
  const auto [model, confusion] = trainer.train(arguments.source.input, arguments.source.mpp);
  AtomicFile file(arguments.out);
  file.write(model_text(model));
  file.commit();
  fmt::print("{}: {} stroma_rich and {} stroma_poor fields of {} px, levels {}; {} of glass left out\n", arguments.out,
             trainer.count(NbiaLabel::stroma_rich), trainer.count(NbiaLabel::stroma_poor), model.field(),
             fmt::join(arguments.levels, ","), glass);
  print_validation(model, confusion);
}

}  // namespace

void add_nbia_train_command(CLI::App& nbia) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* command = nbia.add_subcommand("train", "Make a model from labelled tiles");
  command
      ->add_option("SOURCE", arguments->source.input,
                   "Folder with the subfolders stroma_rich and stroma_poor, or synthetic:WxH,pattern=stroma")
      ->required();
  command->add_option("--out", arguments->out, "The model's file")->capture_default_str();
  command->add_option("--levels", arguments->levels, "Sides of the levels in pixels; the last is the field's")
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--mpp", arguments->source.image_mpp,
                   "Micrometres a pixel of the images, if they do not say or say it wrong")
      ->check(CLI::PositiveNumber);
  command->add_flag("--overwrite", arguments->overwrite, "Replace the file");
  command->footer(
      R"help(Images may be PNG, JPEG, TIFF or anything else that `starpath info` reads; larger ones are cut into whole fields.
Glass needs no training. The same images give the same file.

Examples:
  starpath nbia train tiles/ --out model.json
  starpath nbia train small_tiles/ --levels 14,56,224 --out model224.json
  starpath nbia train synthetic:8192x8192,pattern=stroma,seed=7 --out model.json)help");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
