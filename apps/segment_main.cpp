// The program `starpath-segment`: `starpath segment` for one slide, without the code of other commands.
// scripts/demo.sh builds it, so that a newcomer sees nuclei before the other commands are compiled.
#include <vector>

#include "apps/program.hpp"
#include "apps/segment/command.hpp"
#include "base/error.hpp"

namespace {

int run_over_many(const starpath::SegmentRequest&, const starpath::io::SlidesAsked&) {
  throw starpath::Error(starpath::ErrorKind::usage,
                        "starpath-segment takes one slide; `scripts/build.sh` builds starpath, which takes many");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  char command[] = "segment";
  arguments.insert(arguments.begin() + 1, command);
  arguments.push_back(nullptr);
  const auto add = [](CLI::App& app) { starpath::apps::add_segment_command(app, run_over_many); };
  return starpath::apps::run_program(argc + 1, arguments.data(), add, "");
}
