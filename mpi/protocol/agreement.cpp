// Where two ranks differ.
#include "mpi/protocol/agreement.hpp"

#include <algorithm>
#include <utility>

namespace starpath::cluster {
namespace {

/// The first member in which two objects differ, of each; they are written as JSON, in the same order.
std::pair<std::string, std::string> first_difference(const std::string& a, const std::string& b) {
  const auto differ = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  const auto before = a.find_last_of("{,", std::max<std::size_t>(differ, 1) - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const auto member = [&](const std::string& text) {
    return text.substr(begin, text.find_first_of(",}", differ) - begin);
  };
  const std::pair found{member(a), member(b)};
  return found.first != found.second ? found : std::pair{a, b};  // one has a member that the other lacks
}

}  // namespace

std::string disagreement(const Agreement& own, const Agreement& other) {
  if (other.version != own.version)
    return "it runs starpath " + other.version + ", rank 0 runs " + own.version + ": install the same on every node";
  if (other.slide != own.slide)
    return "it sees another slide (fingerprint " + other.slide + ", rank 0 has " + own.slide +
           "): give every node the same file";
  if (other.parameters != own.parameters) {
    const auto [theirs, ours] = first_difference(other.parameters, own.parameters);
    return "it was given other options (" + theirs + ", rank 0 has " + ours + "): start every rank with the same";
  }
  return "";
}

}  // namespace starpath::cluster
