// Where two ranks differ.
#include "mpi/protocol/agreement.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace starpath::mpi {
namespace {

using nlohmann::json;

constexpr std::size_t kLong = 80, kAround = 30;  // characters

/// A value; of a long text, the part around a place in it.
std::string words_of(const json& value, std::size_t place) {
  const std::string text = value.dump();
  if (text.size() <= kLong) return text;
  const std::size_t begin = place > kAround ? place - kAround : 0;
  return (begin > 0 ? "..." : "") + text.substr(begin, kLong) + (begin + kLong < text.size() ? "..." : "");
}

std::string difference_of(const json& other, const json& own) {
  const json first = json::diff(own, other).at(0);  // the steps that turn ours into the other
  const std::string name = first.at("path");
  const json::json_pointer place(name);
  const json theirs = first.value("value", json()), ours = own.contains(place) ? own.at(place) : json();
  const std::string a = theirs.dump(), b = ours.dump();
  const auto differ = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const auto say = [&](const json& value) { return value.is_null() ? "none" : words_of(value, differ); };
  return (name.starts_with("/") ? name.substr(1) : name) + " " + say(theirs) + ", rank 0 has " + say(ours);
}

}  // namespace

std::string disagreement(const Agreement& own, const Agreement& other) {
  if (other.version != own.version)
    return "it runs starpath " + other.version + ", rank 0 runs " + own.version + ": install the same on every node";
  if (other.slide != own.slide)
    return "it sees another slide (fingerprint " + other.slide + ", rank 0 has " + own.slide +
           "): give every node the same file";
  if (other.parameters != own.parameters)
    return "it was given other options (" +
           difference_of(json::parse(other.parameters, nullptr, false), json::parse(own.parameters, nullptr, false)) +
           "): start every rank with the same";
  return "";
}

}  // namespace starpath::mpi
