// A child process under a policy of ours, and what it left in the profile.
#include "runs/profile/measured_program.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "estimator/queries/codelet_groups.hpp"
#include "estimator/store/profile_store.hpp"
#include "pipelines/run/starpu_session.hpp"

namespace starpath {
namespace {

std::uint64_t measured(const std::string& profile) {
  std::uint64_t sum = 0;
  if (!std::filesystem::exists(profile)) return sum;
  for (const auto& summary : open_profile(profile, ProfileStore::Open::create).list()) sum += summary.group.offered;
  return sum;
}

[[noreturn]] void become(const MeasuredProgram& program, const std::string& plugin) {
  setenv("STARPU_SCHED_LIB", plugin.c_str(), 1);
  setenv("STARPU_SCHED", program.policy.c_str(), 1);
  setenv("STARPATH_PROFILE", std::filesystem::absolute(program.profile).c_str(), 1);
  setenv("STARPATH_ESTIMATOR", "knn", 1);
  setenv("STARPATH_LEARN", "on", 1);
  std::vector<char*> arguments;
  for (const std::string& argument : program.command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const std::string line = fmt::format("starpath: cannot run '{}': {}\n", program.command[0], std::strerror(errno));
  [[maybe_unused]] const ssize_t said = ::write(STDERR_FILENO, line.data(), line.size());
  _exit(127);
}

void check_policy(const std::string& policy) {
  std::string names;
  for (const PolicyName& known : available_policies()) {
    if (!known.ours) continue;
    if (known.name == policy) return;
    names += " " + known.name;
  }
  throw Error(ErrorKind::usage, fmt::format("--policy {}: only Starpath's own policies measure:{}", policy, names));
}

}  // namespace

MeasuredTasks measure_program(const MeasuredProgram& program) {
  const std::string plugin = plugin_path();
  if (plugin.empty())
    throw Error(ErrorKind::runtime, "libstarpath_sched.so was not found; name it with STARPU_SCHED_LIB");
  check_policy(program.policy);
  const std::uint64_t before = measured(program.profile);  // refuses a file that is no profile before anything runs
  const pid_t self = getpid(), child = fork();
  if (child < 0) throw Error(ErrorKind::runtime, fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    end_with_parent(self, SIGTERM);
    become(program, plugin);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {measured(program.profile) - before, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

}  // namespace starpath
