// The plug-in's environment variables as data, for code that lists them (the command line, the documentation's test).
#pragma once
#include <span>
#include <string_view>

namespace starpath {

/// One environment variable that the plug-in reads.
struct OptionInfo {
  std::string_view variable;
  std::string_view allowed;   ///< what its value may be, as error messages print it
  std::string_view fallback;  ///< what holds when it is not set
  std::string_view description;
};

/// Every option, valid for all policies.
std::span<const OptionInfo> option_table();

/// The option of this name. It must exist.
const OptionInfo& option_info(std::string_view variable);

}  // namespace starpath
