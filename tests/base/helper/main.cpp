// A helper that does what its request names, for helper_process_test.cpp. `helper start PROGRAM` instead starts another
// one, prints its process and waits to be killed.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>

#include "base/helper_process.hpp"

namespace {

int open_files() {
  int files = 0;
  DIR* const folder = ::opendir("/proc/self/fd");
  while (::readdir(folder) != nullptr) ++files;
  ::closedir(folder);
  return files - 3;  // "." and "..", and the folder itself
}

int answer(char what, char* memory) {
  switch (what) {
    case 'f':
      return open_files();
    case 'm':
      std::memcpy(memory, "shared", 6);
      return 0;
    case 't':
      return ::ftruncate(starpath::kHelperMemory, 0);
    case 's':
      ::sleep(1000);
      return 0;
    case 'a':
      std::abort();
    case 'x':
      std::_Exit(3);
    default:
      return what;
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace starpath;
  if (argc == 3 && argv[1] == std::string_view("start")) {
    const HelperProcess other(argv[2], {}, 4096);
    const char sleeps = 's';  // it does not listen for its parent's end
    if (!other.tell(std::as_bytes(std::span(&sleeps, 1)))) return 1;
    std::printf("%d\n", other.process());
    std::fflush(stdout);
    while (true) ::pause();
  }
  become_helper(static_cast<pid_t>(std::atol(argv[1])));
  void* const memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, kHelperMemory, 0);
  if (memory == MAP_FAILED) return 1;
  for (char what = 0; ::read(kHelperSocket, &what, 1) == 1;) {
    const int reply[2] = {answer(what, static_cast<char*>(memory)), 0};
    const std::size_t size = what == 'l' ? sizeof reply : sizeof reply[0];
    if (::write(kHelperSocket, reply, size) < 0) return 1;
  }
  return 0;
}
