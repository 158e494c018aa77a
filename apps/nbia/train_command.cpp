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

void run(TrainArguments arguments) {
  NbiaTrainer trainer(arguments.levels);
  if (fs::exists(arguments.out) && !arguments.overwrite)
    throw Error(ErrorKind::output,
                fmt::format("{} exists already: replace it with --overwrite, or choose another --out", arguments.out));
  arguments.source.field = arguments.levels.back();
  arguments.source.mpp = io::kDesignMpp;
  std::int64_t glass = 0;
  visit_labelled_fields(arguments.source, [&](const LabelledField& field) {
    if (field.label == NbiaLabel::background || !trainer.add(field.label, field.pixels)) ++glass;
  });
  const NbiaModel model = trainer.model(arguments.source.input, arguments.source.mpp);
  AtomicFile file(arguments.out);
  file.write(model_text(model));
  file.commit();
  fmt::print("{}: {} stroma_rich and {} stroma_poor fields of {} px, levels {}; {} of glass left out\n", arguments.out,
             trainer.count(NbiaLabel::stroma_rich), trainer.count(NbiaLabel::stroma_poor), model.field(),
             fmt::join(arguments.levels, ","), glass);
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
