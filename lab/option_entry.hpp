// NAME=VALUE on a command line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace starpath::lab {

/// The value of an option. Every member throws Error (usage) that has this value and the form that was expected.
class OptionEntry {
 public:
  /// "--set", "NAME=NUMBER", "tiles=100".
  OptionEntry(std::string_view option, std::string_view form, std::string_view text);

  const std::string& name() const { return name_; }
  /// The value: one number, one whole number, or several with commas between them.
  double number() const;
  unsigned count() const;
  std::vector<unsigned> counts() const;

 private:
  [[noreturn]] void fail() const;
  template <class Number>
  Number read(std::string_view text) const;

  const std::string option_, form_, text_;
  std::string name_, value_;
};

}  // namespace starpath::lab
