// Standard streams, which may be closed or lead to a full disk.
#include "apps/cli/terminal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "base/error.hpp"

namespace starpath::apps {
namespace {

int output_error = 0;  // errno of the first failure

void note_failure() {
  if (output_error == 0) output_error = errno != 0 ? errno : EIO;
}

}  // namespace

void open_standard_streams() {
  // open() takes the lowest free descriptor. Standard output is opened for reading, so that writing to it fails.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0)
      throw Error(ErrorKind::runtime, "/dev/null cannot be opened, and a standard stream is closed: open all three");
}

void write_out(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) note_failure();
}

void write_error(std::string_view text) { (void)!std::fwrite(text.data(), 1, text.size(), stderr); }

void finish_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout.flush()) note_failure();
  if (output_error != 0)
    throw Error(ErrorKind::output, fmt::format("standard output: cannot be written ({}); what was printed is not whole",
                                               std::strerror(output_error)));
}

}  // namespace starpath::apps
