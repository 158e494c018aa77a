// Surveys as JSON and as words.
#include "pipelines/survey/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.hpp"
#include "base/json_depth.hpp"
#include "codelets/kernels/survey.hpp"

namespace starpath {
namespace {

using Json = nlohmann::json;

/// Raised when the meaning of the stored survey changes.
constexpr int kFormat = 2;

const char* source(bool found) { return found ? "survey" : "default"; }

/// A survey holds integers only. One too long for 64 bits is parsed as a fraction, and is no integer of any type.
bool has_fractions(const Json& json) {
  if (json.is_structured()) return std::ranges::any_of(json, has_fractions);
  return json.is_number_float();
}

void check_counts(const Survey& survey) {
  const auto is_count = [](std::int64_t n) { return n >= 0 && n < std::int64_t{1} << 53; };
  if (!std::ranges::all_of(std::array{survey.fields, survey.fields_of, survey.fields_spoilt, survey.fields_nuclei,
                                      survey.tissue, survey.stains_agree, survey.stains_of},
                           is_count) ||
      survey.stains_agree > survey.stains_of)
    throw std::runtime_error("a count makes no sense");
}

Survey parsed(const Json& json) {
  if (has_fractions(json)) throw std::runtime_error("a number is no integer");
  if (json.at("format").get<int>() != kFormat) throw Error(ErrorKind::mismatch, "another format");
  const auto found = [&](const char* what) { return json.at(what).at("source") == "survey"; };
  const auto rgb = [](const Json& v) {
    return Rgb{v.at(0).get<std::uint8_t>(), v.at(1).get<std::uint8_t>(), v.at(2).get<std::uint8_t>()};
  };
  Survey survey;
  const Json& fields = json.at("fields");
  survey.fields = fields.at("surveyed");
  survey.fields_of = fields.at("total");
  survey.fields_spoilt = fields.at("spoilt");
  survey.fields_nuclei = fields.at("with_nuclei");
  survey.places = fields.at("places").get<std::vector<Place>>();
  survey.tissue = json.at("tissue_pixels");
  const Json& levels = json.at("levels");
  survey.levels = {levels.at("G1"), levels.at("G2"), levels.at("haematoxylin_level")};
  survey.levels_found = found("levels");
  survey.otsu = levels.at("otsu");
  survey.separation = levels.at("separation_percent");
  survey.white = rgb(json.at("white").at("rgb"));
  survey.white_found = found("white");
  const Json& stains = json.at("stains");
  survey.stains = {stains.at("haematoxylin"), stains.at("eosin")};
  survey.stains_found = found("stains");
  survey.stains_agree = stains.at("fields_agree");
  survey.stains_of = stains.at("fields_asked");
  survey.haematoxylin_strength = stains.at("haematoxylin_strength");
  survey.eosin_strength = stains.at("eosin_strength");
  survey.warnings = json.at("warnings").get<std::vector<std::string>>();
  const Json& histograms = json.at("histograms");
  survey.difference = histograms.at("difference");
  survey.haematoxylin = histograms.at("haematoxylin");
  survey.glass = histograms.at("glass");
  check_counts(survey);
  return survey;
}

std::string share(const std::array<int, 3>& v) {
  return fmt::format("({:.3f} {:.3f} {:.3f})", v[0] / 1000.0, v[1] / 1000.0, v[2] / 1000.0);
}

}  // namespace

int Survey::background_level() const { return glass_level(std::min({white.r, white.g, white.b})); }

int Survey::stain_confidence() const {
  return stains_found ? static_cast<int>(100 * stains_agree / (stains_of + 1)) : 0;
}

std::optional<StainLook> look_of(const Survey& survey) {
  if (survey.haematoxylin_strength <= 0 || survey.eosin_strength <= 0) return std::nullopt;
  return StainLook{survey.stains, survey.haematoxylin_strength, survey.eosin_strength, survey.white};
}

std::string to_json(const Survey& survey) {
  const Rgb white = survey.white;
  const Json json = {
      {"format", kFormat},
      {"fields",
       {{"surveyed", survey.fields},
        {"total", survey.fields_of},
        {"spoilt", survey.fields_spoilt},
        {"with_nuclei", survey.fields_nuclei},
        {"places", survey.places}}},
      {"tissue_pixels", survey.tissue},
      {"levels",
       {{"source", source(survey.levels_found)},
        {"G1", survey.levels.seed},
        {"G2", survey.levels.nucleus},
        {"haematoxylin_level", survey.levels.haematoxylin},
        {"otsu", survey.otsu},
        {"separation_percent", survey.separation}}},
      {"white",
       {{"source", source(survey.white_found)},
        {"rgb", {white.r, white.g, white.b}},
        {"background_level", survey.background_level()}}},
      {"stains",
       {{"source", source(survey.stains_found)},
        {"unit", kStainUnit},
        {"haematoxylin", survey.stains.haematoxylin},
        {"eosin", survey.stains.eosin},
        {"confidence_percent", survey.stain_confidence()},
        {"fields_agree", survey.stains_agree},
        {"fields_asked", survey.stains_of},
        {"haematoxylin_strength", survey.haematoxylin_strength},
        {"eosin_strength", survey.eosin_strength}}},
      {"warnings", survey.warnings},
      {"histograms",
       {{"difference", survey.difference}, {"haematoxylin", survey.haematoxylin}, {"glass", survey.glass}}}};
  return json.dump();
}

Survey survey_from_json(const std::string& text) {
  try {
    if (nests_deeply(text)) throw std::runtime_error("it nests too deep");
    return parsed(Json::parse(text));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorKind::mismatch,
                fmt::format("results hold a survey that cannot be read ({}): damaged or of another version; run again "
                            "with another --out",
                            error.what()));
  }
}

std::vector<std::string> describe(const Survey& survey) {
  const auto from = [](bool found) { return found ? "" : " (default)"; };
  return {fmt::format("survey: {} of {} fields; levels G1 {} G2 {}{}{}, separation {} %, nuclei in {} fields",
                      survey.fields, survey.fields_of, survey.levels.seed, survey.levels.nucleus,
                      survey.levels.haematoxylin > 0 ? fmt::format(" haematoxylin {}", survey.levels.haematoxylin) : "",
                      from(survey.levels_found), survey.separation, survey.fields_nuclei),
          fmt::format(
              "survey: white ({} {} {}){}, haematoxylin {} and eosin {}{}", survey.white.r, survey.white.g,
              survey.white.b, from(survey.white_found), share(survey.stains.haematoxylin), share(survey.stains.eosin),
              survey.stains_found ? fmt::format(", sure to {} % ({} of {} fields agree)", survey.stain_confidence(),
                                                survey.stains_agree, survey.stains_of)
                                  : " (default)")};
}

}  // namespace starpath
