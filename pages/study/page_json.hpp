// Values of the page's data.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/json_depth.hpp"

namespace starpath::pages {

/// NaN is null, as JSON has none.
inline nlohmann::json number_json(double value) { return std::isfinite(value) ? nlohmann::json(value) : nullptr; }
template <class Number>
nlohmann::json number_json(const std::optional<Number>& value) {
  return value ? nlohmann::json(*value) : nullptr;
}

/// 0xRRGGBB as CSS writes it.
inline std::string colour_text(std::uint32_t colour) { return fmt::format("#{:06x}", colour); }

/// A description in study.sqlite. Throws Error{mismatch} where it is no object.
inline nlohmann::json parsed_description(const std::string& text) {
  if (!nests_deeply(text))
    if (nlohmann::json json = nlohmann::json::parse(text, nullptr, false); json.is_object()) return json;
  throw Error(ErrorKind::mismatch, "study.sqlite: is damaged (a description in it is no JSON object)");
}

}  // namespace starpath::pages
