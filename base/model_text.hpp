// Models that are JSON files: how they are read, and how each fault of one becomes one line.
#pragma once
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "base/json_depth.hpp"
#include "base/own_file.hpp"
#include "base/read_file.hpp"

namespace starpath {

/// What is wrong with a model: thrown while one is made of JSON, completed by parse_model_text().
struct ModelFlaw {
  std::string what;
};

/// `make` makes a model of JSON. Throws Error{input} that begins with `name`. `kind`: "NBIA model"; `advice`: what to
/// do about a file that is none.
template <class Make>
auto parse_model_text(const std::string& text, const std::string& name, const char* kind, const char* advice,
                      Make make) {
  const auto refuse = [&](const std::string& why) { return Error(ErrorKind::input, name + ": " + why); };
  if (nests_deeply(text)) throw refuse(fmt::format("is no {}: it nests more than {} levels", kind, kMostJsonLevels));
  try {
    return make(nlohmann::json::parse(text));
  } catch (const nlohmann::json::parse_error& error) {
    throw refuse(fmt::format("is no {} or is damaged (byte {}); {}", kind, error.byte, advice));
  } catch (const nlohmann::json::exception&) {  // a number that no double holds
    throw refuse("is damaged: it holds a number out of range");
  } catch (const ModelFlaw& flaw) {
    throw refuse(flaw.what);
  }
}

/// Whether a file begins as the models do that name `format`, whole or damaged.
inline bool is_model_file(const std::filesystem::path& file, const std::string& format) {
  const std::string start = R"({"format": ")" + format + '"';
  return first_bytes(file, start.size()) == start;
}

/// All of a model's file. Error{input}.
inline std::string read_model_text(const std::string& file) {
  std::string text = read_file(file, "check the path of the model");
  if (text.empty()) throw Error(ErrorKind::input, file + ": the model is empty; check the path");
  return text;
}

}  // namespace starpath
