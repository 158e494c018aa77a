// The handler of SIGABRT.
#include "pipelines/run/gpu_failure.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "codelets/starpu/device_tasks.hpp"

namespace starpath {
namespace {

const char* (*words_of)() = nullptr;

void say(std::string_view words) {
  while (!words.empty()) {
    const ssize_t written = write(STDERR_FILENO, words.data(), words.size());
    if (written <= 0) return;
    words.remove_prefix(static_cast<std::size_t>(written));
  }
}

void on_abort(int) {
  const char* const error = words_of();
  if (error == nullptr) return;
  static std::array<char, 4096> text;
  say("starpath: a GPU failed: ");
  say({text.data(), codelets::describe_device_failure(error, text)});
  say("; finished tiles are kept: continue with --resume, or with --resume --gpus 0 without GPUs\n");
  std::_Exit(static_cast<int>(ErrorKind::runtime));
}

}  // namespace

void explain_gpu_failures(const char* (*error)()) {
  words_of = error;
  std::signal(SIGABRT, on_abort);
}

}  // namespace starpath
