// The profile that a machine has by default.
#include "estimator/store/machine_profile.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace starpath {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongest = 80;  // characters of each part of the name: file systems take 255

/// Letters, digits and dashes, so that any file system takes the name.
std::string plain(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (kept) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!kept && !name.empty() && name.back() != '-') name += '-';
  }
  name.resize(std::min(name.size(), kLongest));
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "unknown" : name;
}

std::string text_of(const Variables& variable, const char* name) {
  const char* const value = variable(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::string processor_in(std::istream& cpuinfo) {
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || !line.starts_with("model name")) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

MachineName this_machine(const Variables& variable) {
  utsname system{};
  const bool known = ::uname(&system) == 0;
  MachineName machine{.host = text_of(variable, "STARPU_HOSTNAME"), .processor = ""};
  if (machine.host.empty() && known) {
    machine.host = system.nodename;
    machine.host.resize(std::min(machine.host.find('.'), machine.host.size()));
  }
  std::ifstream cpuinfo("/proc/cpuinfo");
  machine.processor = processor_in(cpuinfo);
  if (machine.processor.empty() && known) machine.processor = system.machine;
  return machine;
}

std::string machine_profile(const Variables& variable, const MachineName& machine) {
  fs::path folder = text_of(variable, "XDG_DATA_HOME");
  if (!folder.is_absolute()) {  // the XDG base directory specification: a relative one counts as not set
    const std::string home = text_of(variable, "HOME");
    if (home.empty()) return "";
    folder = fs::path(home) / ".local" / "share";
  }
  return folder / "starpath" / (plain(machine.host) + "." + plain(machine.processor) + ".profile");
}

std::string machine_profile() {
  const Variables environment = [](const char* name) -> const char* { return std::getenv(name); };
  return machine_profile(environment, this_machine(environment));
}

}  // namespace starpath
