// The program that decodes lies beside the command in a build, and in libexec where both are installed.
#include "apps/run/slide_decoder.hpp"

#include <filesystem>
#include <system_error>

#include "io/slides/child_slide.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReader = "starpath-read";

fs::path reader_program() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path built = folder / kReader;
  return fs::exists(built, error) ? built : (folder / STARPATH_READER_FROM_PROGRAM / kReader).lexically_normal();
}

}  // namespace

void decode_slides_apart() { io::decode_slides_with({.path = reader_program()}); }

void add_trusted(CLI::App& command) {
  command.add_flag_callback(
      "--trusted", [] { io::decode_slides_with({}); },
      "Decode slides in this process, with all of its rights: for files of people you trust");
}

}  // namespace starpath::apps
