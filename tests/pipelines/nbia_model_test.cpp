// Models of NBIA: text and back, training, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "pipelines/nbia/labelled_fields.hpp"
#include "pipelines/nbia/model.hpp"
#include "pipelines/nbia/train.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

std::string refused(const std::function<void()>& work, ErrorKind kind) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

std::string refused(const std::string& text) {
  return refused([&] { parse_model(text, "model.json"); }, ErrorKind::input);
}

/// The bundled model's text with one member changed.
std::string changed(const std::function<void(nlohmann::json&)>& change) {
  auto json = nlohmann::json::parse(model_text(bundled_model()));
  change(json);
  return json.dump();
}

TEST(NbiaModel, TheBundledOneIsWhatTrainingOnItsSlideGives) {
  NbiaTrainer trainer({32, 128, 512});
  visit_labelled_fields({.input = bundled_model().origin}, [&](const LabelledField& field) {
    if (field.label != NbiaLabel::background) trainer.add(field.label, field.pixels, field.origin);
  });
  EXPECT_EQ(model_text(trainer.train(bundled_model().origin, 0.5).model), model_text(bundled_model()));
}

TEST(NbiaModel, SaysItIsNotForDiagnosis) {
  EXPECT_NE(model_text(bundled_model()).find("not for diagnosis"), std::string::npos);
}

TEST(NbiaModel, TextAndBackIsTheSame) {
  const std::string text = model_text(bundled_model());
  EXPECT_EQ(model_text(parse_model(text, "model")), text);
  EXPECT_EQ(model_digest(parse_model(text, "model")), model_digest(bundled_model()));
}

TEST(NbiaModel, WhatItWasTrainedOnChangesNoResult) {
  const NbiaModel silent = parse_model(changed([](auto& json) { json.erase("trained_on"); }), "old.json");
  EXPECT_TRUE(silent.trained_on.empty());
  EXPECT_EQ(bundled_model().trained_on.size(), bundled_model().levels.back().labels.size());
  EXPECT_EQ(model_digest(silent), model_digest(bundled_model()));
}

TEST(NbiaModel, WhatItWasTrainedOnIsDigests) {
  for (const auto& wrong : {nlohmann::json{"\"", "0123"}, nlohmann::json(7), nlohmann::json{7},
                            nlohmann::json{"00000000000000ff", "000000000000000a"}})
    EXPECT_NE(refused(changed([&](auto& json) { json["trained_on"] = wrong; })).find("'trained_on'"),
              std::string::npos);
}

TEST(NbiaModel, AnOlderOneOpensAndKnowsNoRange) {
  const NbiaModel old = parse_model(changed([](auto& json) {
                                      json["version"] = 1;
                                      json.erase("validated_by");
                                      for (auto& level : json["levels"])
                                        for (const char* member : {"range", "validation", "used"}) level.erase(member);
                                    }),
                                    "old.json");
  EXPECT_EQ(old.levels[0].z, bundled_model().levels[0].z);
  EXPECT_FALSE(old.levels[0].range);
  EXPECT_EQ(with_levels(old, {}).levels.size(), 3u);
  EXPECT_EQ(model_text(parse_model(model_text(old), "old.json")), model_text(old));
}

TEST(NbiaModel, LevelsThatAreNotUsedAreThereWhenAskedFor) {
  NbiaModel model = bundled_model();
  model.levels[1].used = false;
  const NbiaModel read = parse_model(model_text(model), "model.json");
  ASSERT_EQ(with_levels(read, {}).levels.size(), 2u);
  EXPECT_EQ(with_levels(read, {}).levels[1].side, 512);
  EXPECT_EQ(with_levels(read, {32, 128, 512}).levels.size(), 3u);
}

TEST(NbiaModel, AnotherDefinitionOfTheFeaturesIsRefused) {
  const std::string message = refused(changed([](auto& json) { json["definition"] = "0123456789abcdef"; }));
  EXPECT_NE(message.find("0123456789abcdef"), std::string::npos) << message;
  EXPECT_NE(message.find("train it again"), std::string::npos) << message;
}

// A change of what the features are changes results and refuses older models: this says so to whoever makes one.
TEST(NbiaModel, TheDefinitionIsTheOneOfTheBundledModel) { EXPECT_EQ(nbia_definition(), "6e38e1853a61dcfb"); }

TEST(NbiaModel, DamageIsNamed) {
  EXPECT_NE(refused("not json").find("model.json"), std::string::npos);
  EXPECT_NE(refused("{}").find("is no NBIA model"), std::string::npos);
  EXPECT_NE(refused("[]").find("is no NBIA model"), std::string::npos);
  EXPECT_NE(refused(model_text(bundled_model()).substr(0, 5000)).find("damaged"), std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json["version"] = 3; })).find("version 3"), std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json.erase("levels"); })).find("'levels'"), std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json["levels"] = nlohmann::json::array(); })).find("level"),
            std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json["levels"] = 3; })).find("damaged"), std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json["mpp"] = 0; })).find("'mpp' is no resolution"), std::string::npos);
  for (const char* numbers : {"mean", "deviation"})
    for (const char* number : {"1e999", "-1e999"}) {
      const std::string text = model_text(bundled_model());
      const std::size_t at = text.find('[', text.find(fmt::format("\"{}\"", numbers))) + 1;
      EXPECT_NE(refused(std::string(text).replace(at, text.find(',', at) - at, number)).find("out of range"),
                std::string::npos);
    }
  for (const double deviation : {0.0, -1.0})
    EXPECT_NE(refused(changed([&](auto& json) { json["levels"][0]["deviation"][3] = deviation; })).find("cannot be"),
              std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json["levels"][0]["stroma_rich"][0][0] = -2147483648; })).find("holds"),
            std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json["levels"][1]["mean"] = "x"; })).find("'mean'"), std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) {
              json["levels"][0]["stroma_poor"] = nlohmann::json::array();
            })).find("stroma_poor"),
            std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json["levels"][0]["stroma_rich"][0].erase(0); })).find("24 numbers"),
            std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json["levels"][0]["stroma_rich"][0][3] = 99999; })).find("99999"),
            std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json["levels"][0]["range"] = -1; })).find("'range'"), std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json["levels"][0]["validation"]["right"] = 1000; })).find("counts"),
            std::string::npos);
  EXPECT_NE(refused(changed([](auto& json) { json["levels"][2]["used"] = false; })).find("last level"),
            std::string::npos);
  refused([] { read_model("/nowhere/model.json"); }, ErrorKind::input);
}

TEST(NbiaModel, LevelsAreChosenAmongItsOwn) {
  EXPECT_EQ(with_levels(bundled_model(), {}).levels.size(), 3u);
  EXPECT_EQ(with_levels(bundled_model(), {32, 512}).levels[1].side, 512);
  const auto message = [](const std::vector<int>& levels) {
    return refused([&] { with_levels(bundled_model(), levels); }, ErrorKind::usage);
  };
  EXPECT_NE(message({64, 512}).find("no level 64"), std::string::npos);
  EXPECT_NE(message({32, 128}).find("must be 512"), std::string::npos);
  EXPECT_NE(message({512, 32}).find("does not come after"), std::string::npos);
  EXPECT_NE(message({100, 512}).find("does not divide"), std::string::npos);
  EXPECT_NE(message({1, 512}).find("between 8"), std::string::npos);
}

TEST(NbiaTrainer, ALabelWithoutFieldsIsNamed) {
  NbiaTrainer trainer({8, 16});
  const std::uint64_t seed = support::test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  support::Rng rng(seed);
  for (int i = 0; i < kNbiaNeighbours; ++i)
    EXPECT_TRUE(trainer.add(NbiaLabel::stroma_rich, support::rgb_noise(rng, 16, 16, 2).view()));
  const auto message = [&] { return refused([&] { trainer.train("tiles", 0.5); }, ErrorKind::input); };
  EXPECT_NE(message().find("has 0 of at least 15 fields of 16 px that are labelled stroma_poor"), std::string::npos)
      << message();
  trainer.add(NbiaLabel::stroma_poor, support::rgb_noise(rng, 16, 16, 2).view());
  EXPECT_NE(message().find("has 1 of at least"), std::string::npos) << message();
  EXPECT_FALSE(trainer.add(NbiaLabel::stroma_poor, support::Image<Rgb>(16, 16, 2, Rgb{250, 250, 250}).view()));
  for (int i = 1; i < kNbiaNeighbours; ++i)
    trainer.add(NbiaLabel::stroma_poor, support::rgb_noise(rng, 16, 16, 2).view());
  EXPECT_EQ(trainer.train("tiles", 0.5).model.levels[1].labels.size(), 2u * kNbiaNeighbours);
}

}  // namespace
}  // namespace starpath
