// Models that are JSON files: how they are read, and how each fault of one becomes one line.
#pragma once
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "base/input_files.hpp"
#include "base/json_depth.hpp"

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

/// All of a model's file. Error{input}.
inline std::string read_model_text(const std::string& file) {
  note_input(file);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in || text.empty())
    throw Error(ErrorKind::input, fmt::format("{}: the model cannot be read ({}); check the path", file,
                                              errno != 0 ? std::strerror(errno) : "empty"));
  return text;
}

}  // namespace starpath
