// What a build without StarPU on SimGrid links instead.
#include <fmt/format.h>

#include <string_view>

#include "apps/cli/terminal.hpp"
#include "apps/lab/commands.hpp"
#include "base/error.hpp"
#include "starpath_version.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kWhat =
    "this build simulates several nodes: starpath-lab --network FILE ..., see starpath-lab --network --help. Single "
    "machines "
    "need StarPU on SimGrid: scripts/build.sh --preset simgrid starpath-lab";

}  // namespace

int lab_machine_command(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first != "--help" && first != "-h" && first != "--version") throw Error(ErrorKind::usage, kWhat);
  print_out("starpath-lab {}{}\n", version, first == "--version" ? "" : fmt::format(": {}", kWhat));
  return 0;
}

}  // namespace starpath::apps
