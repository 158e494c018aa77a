// The profile that a machine has by default: where it lies.
#pragma once
#include <functional>
#include <istream>
#include <string>

namespace starpath {

/// What tells machines apart whose users share a home.
struct MachineName {
  std::string host;  ///< as StarPU names it for its own models: STARPU_HOSTNAME, else the host's without its domain
  std::string processor;  ///< the model, like "AMD EPYC 7763 64-Core Processor", else the architecture
};

/// The value of an environment variable, or nullptr.
using Variables = std::function<const char*(const char*)>;

MachineName this_machine(const Variables& variable);

/// The model that a /proc/cpuinfo names first; "" when it names none.
std::string processor_in(std::istream& cpuinfo);

/// The file "starpath/HOST.PROCESSOR.profile" in $XDG_DATA_HOME, else in $HOME/.local/share; "" when neither is set.
/// HOST is part of the name because a home may be shared by hosts, and file locks between hosts are not reliable.
/// PROCESSOR is, because the class of all cores is called "cpu" on every machine, and a host of the same name may have
/// other cores tomorrow. Accelerators need not be: their classes are called after their models.
std::string machine_profile(const Variables& variable, const MachineName& machine);

/// The same for this machine in this environment.
std::string machine_profile();

}  // namespace starpath
