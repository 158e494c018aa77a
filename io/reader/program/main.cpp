// starpath-read PARENT SLIDE: decodes a slide for the process PARENT, which starts it (base/helper_process.hpp).

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "base/helper_process.hpp"
#include "base/kept_memory.hpp"
#include "io/reader/sandbox.hpp"
#include "io/slides/reader_messages.hpp"
#include "io/slides/serve_slide.hpp"

int main(int argc, char** argv) {
  using namespace starpath;
  if (argc != 3) {
    std::fputs("starpath-read: the command starpath starts this program to decode slides\n", stderr);
    return 2;
  }
  keep_freed_memory();
  become_helper(static_cast<pid_t>(std::atol(argv[1])));
  const reader::Guards held =
      reader::enter_sandbox(reader::readable_for(argv[2]), kHelperSocket, reader::memory_of_reader());
  const std::uint32_t guards = (held.calls ? io::kCallsGuarded : 0) | (held.files ? io::kFilesGuarded : 0);
  try {
    io::serve_slide(argv[2], guards, io::open_foreign_here);
  } catch (...) {
    std::_Exit(1);
  }
  std::_Exit(0);  // nothing is left to tidy up, and libraries' ends may need rights
}
