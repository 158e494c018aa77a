// Numbers for codelets, by name.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// Gives each codelet name a number, from 0 in order of first appearance. By name and not by address, so that equal
/// runs get equal numbers. Not thread-safe: it lives under the context's lock.
class CodeletTable {
 public:
  CodeletId number(std::string_view codelet) {
    if (last_ != nullptr && last_->first == codelet) return last_->second;
    auto place = numbers_.find(codelet);
    if (place == numbers_.end()) {
      place = numbers_.emplace(codelet, static_cast<CodeletId>(numbers_.size())).first;
    }
    last_ = &*place;
    return place->second;
  }

  /// The number of the codelet of this name, if it has one.
  std::optional<CodeletId> find(std::string_view codelet) const {
    const auto place = numbers_.find(codelet);
    return place != numbers_.end() ? std::optional(place->second) : std::nullopt;
  }

 private:
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the name is the library's
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, CodeletId, Hash, std::equal_to<>> numbers_;
  const std::pair<const std::string, CodeletId>* last_ = nullptr;  // asked for: an application submits many alike
};

}  // namespace starpath
