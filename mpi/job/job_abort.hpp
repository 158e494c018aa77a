// The end of all ranks at once.
#pragma once
#include <functional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "mpi/network/network.hpp"

namespace starpath::mpi {

/// How a line ends that says so.
inline constexpr const char* kHowToGoOn =
    "the job ends; what was finished is kept: continue with --resume, or start again if the command has no --resume";

/// For the thread of the network.
class JobAbort {
 public:
  /// `tell` is called with the one line that says why.
  JobAbort(Network& network, std::function<void(const std::string&)> tell)
      : network_(network), tell_(std::move(tell)) {}

  /// Ends the processes of all ranks. The exit code is that of the kind.
  [[noreturn]] void operator()(ErrorKind kind, const std::string& what) {
    tell_(what);
    network_.abort(static_cast<int>(kind));
  }

 private:
  Network& network_;
  std::function<void(const std::string&)> tell_;
};

}  // namespace starpath::mpi
