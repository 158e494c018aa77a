// Models of the classifier of nuclei: text and back, and what is refused.
#include "pipelines/classification/nucleus_model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.hpp"

namespace starpath {
namespace {

NucleusModel small() {
  NucleusModel model;
  model.mpp = 0.5;
  model.k = 3;
  model.classes = {{"Stroma", 0x96c896}, {"Tumor: \"P\"", 0xc80000}};
  model.features = {{"nucleus_area_um2", 42.125, 11.0 / 3}, {"nucleus_extent", -0.75, 1e-3}};
  model.points = {1, -2, 300, kPointLimit, -kPointLimit, 0, 5, 6};
  model.labels = {0, 0, 1, 1};
  model.range = UINT32_MAX;
  model.validated_by = "slide";
  model.validation = Confusion(2);
  model.validation.add(0, 0, 2);
  model.validation.add(1, 0, 1);
  model.slides = {{"a.svs", "f00d", 3}, {"b \\.svs", "beef", 1}};
  return model;
}

std::string refused_model(const std::string& text) {
  try {
    parse_nucleus_model(text, "model.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("model.json: ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

/// The model's text with one member changed.
std::string refused_model(const std::function<void(nlohmann::json&)>& change) {
  auto json = nlohmann::json::parse(model_text(small()));
  change(json);
  return refused_model(json.dump());
}

void expect_refused(const std::function<void(nlohmann::json&)>& change, const std::string& words) {
  const std::string message = refused_model(change);
  EXPECT_NE(message.find(words), std::string::npos) << words << " not in: " << message;
}

TEST(NucleusModel, TextAndBackIsTheSame) {
  const std::string text = model_text(small());
  EXPECT_EQ(parse_nucleus_model(text, "m"), small());
  NucleusModel unknown = small();
  unknown.range.reset();
  unknown.mpp = 0;
  unknown.slides.clear();
  EXPECT_EQ(parse_nucleus_model(model_text(unknown), "m"), unknown);
  EXPECT_NE(model_digest(unknown), model_digest(small()));
  EXPECT_NE(text.find("not for diagnosis"), std::string::npos);
}

TEST(NucleusModel, RowsAreStandardisedAndPadded) {
  std::vector<std::int16_t> row(static_cast<std::size_t>(small().row_numbers()), 7);
  ASSERT_EQ(row.size(), 16u);
  small().put_row(std::vector{42.125 + 11.0 / 3, std::nan("")}, row);
  EXPECT_EQ(row[0], kPointUnit);
  for (std::size_t i = 1; i < row.size(); ++i) EXPECT_EQ(row[i], 0);
  const auto rows = small().sample_rows();
  ASSERT_EQ(rows.size(), 64u);
  EXPECT_EQ(rows[17], kPointLimit);
  EXPECT_EQ(rows[18], 0);
}

TEST(NucleusModel, WhatIsNoneIsSaidToBeNone) {
  for (const char* text : {"not json", "", "[]", "{}", "7", R"({"format":"starpath nbia model","version":1})"})
    EXPECT_NE(refused_model(std::string(text)).find("no classifier of nuclei"), std::string::npos);
  refused_model(model_text(small()).substr(0, 400));
  const std::string deep(100'000, '[');
  EXPECT_NE(refused_model(deep).find("nests"), std::string::npos);
  expect_refused([](auto& json) { json["version"] = 2; }, "has version 2, this starpath reads version 1");
}

TEST(NucleusModel, DamageIsNamed) {
  for (const char* name : {"version", "mpp", "k", "features", "classes", "validation", "slides"}) {
    expect_refused([&](auto& json) { json.erase(name); }, fmt::format("'{}' is missing", name));
    expect_refused([&](auto& json) { json[name] = "x"; },
                   name == std::string_view("validation") ? "'held_out' is missing" : fmt::format("'{}'", name));
  }
  for (const char* name : {"mean", "deviation"})
    for (const char* number : {"NaN", "1e999", "-1e999"}) {
      std::string text = model_text(small());
      const std::size_t at = text.find(fmt::format("\"{}\": ", name)) + std::string_view(name).size() + 4;
      refused_model(text.replace(at, text.find_first_of(",}", at) - at, number));
    }
  for (const double deviation : {0.0, -1.0})
    expect_refused([&](auto& json) { json["features"][1]["deviation"] = deviation; },
                   "deviation of \"nucleus_extent\"");
  expect_refused([](auto& json) { json["mpp"] = -1; }, "'mpp' is no resolution");
  expect_refused([](auto& json) { json["k"] = 0; }, "'k' is 0, and 1 to 4 can be");
  expect_refused([](auto& json) { json["k"] = 5; }, "'k' is 5");
  expect_refused([](auto& json) { json["k"] = 1.5; }, "'k'");
  expect_refused([](auto& json) { json["range"] = -1; }, "'range' is -1");
  expect_refused([](auto& json) { json["range"] = std::uint64_t{1} << 63; }, "'range'");
  expect_refused([](auto& json) { json["features"] = nlohmann::json::array(); }, "0 features");
  expect_refused([](auto& json) { json["features"][1] = json["features"][0]; }, "twice");
  expect_refused([](auto& json) { json["classes"].erase(0); }, "1 classes");
  expect_refused([](auto& json) { json["classes"][1] = json["classes"][0]; }, "twice");
  expect_refused([](auto& json) { json["classes"][0]["name"] = ""; }, "no name");
  expect_refused([](auto& json) { json["classes"][0]["name"] = "Out of range"; }, "class \"Out of range\"");
  expect_refused([](auto& json) { json["classes"][0]["colour"] = 0x1000000; }, "'colour'");
  expect_refused([](auto& json) { json["classes"][0]["samples"] = nlohmann::json::array(); }, "no sample");
  expect_refused([](auto& json) { json["classes"][1]["samples"][1].erase(0); }, "has not 2 numbers");
  expect_refused([](auto& json) { json["classes"][1]["samples"][1] = 3; }, "has not 2 numbers");
  expect_refused([](auto& json) { json["classes"][1]["samples"][1][0] = 2048; }, "'samples' is 2048");
  expect_refused([](auto& json) { json["classes"][1]["samples"][1][0] = nullptr; }, "'samples'");
  expect_refused([](auto& json) { json["validation"]["confusion"].erase(0); }, "'confusion'");
  expect_refused([](auto& json) { json["validation"]["confusion"][0][1] = -1; }, "'confusion' is -1");
  expect_refused([](auto& json) { json["slides"][0].erase("fingerprint"); }, "'fingerprint' is missing");
  EXPECT_THROW(read_nucleus_model("/nowhere/model.json"), Error);
}

}  // namespace
}  // namespace starpath
