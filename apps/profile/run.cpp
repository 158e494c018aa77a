// `starpath profile run`: a program under a policy that measures its tasks.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/profile/parts.hpp"
#include "pipelines/run/starpu_session.hpp"

namespace starpath::apps {
namespace {

std::uint64_t measured(const std::string& profile) {
  std::uint64_t sum = 0;
  if (!std::filesystem::exists(profile)) return sum;
  for (const auto& own : ProfileStore(profile, ProfileStore::Open::create).list()) sum += own.group.offered;
  return sum;
}

[[noreturn]] void become(const ProfileRun& run, const std::string& plugin) {
  setenv("STARPU_SCHED_LIB", plugin.c_str(), 1);
  setenv("STARPU_SCHED", run.policy.c_str(), 1);
  setenv("STARPATH_PROFILE", std::filesystem::absolute(run.profile).c_str(), 1);
  setenv("STARPATH_ESTIMATOR", "knn", 1);
  setenv("STARPATH_LEARN", "on", 1);
  std::vector<char*> arguments;
  for (const std::string& argument : run.command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  fmt::print(stderr, "starpath: cannot run '{}': {}\n", run.command[0], std::strerror(errno));
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

int run_and_profile(const ProfileRun& run) {
  const std::string plugin = plugin_path();
  if (plugin.empty())
    throw Error(ErrorKind::runtime, "libstarpath_sched.so was not found; name it with STARPU_SCHED_LIB");
  check_policy(run.policy);
  const std::uint64_t before = measured(run.profile);  // refuses a file that is no profile before anything runs
  const pid_t child = fork();
  if (child < 0) throw Error(ErrorKind::runtime, fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) become(run, plugin);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const std::uint64_t fresh = measured(run.profile) - before;
  if (run.json) {
    const nlohmann::ordered_json out = {{"measured", fresh}, {"profile", run.profile}};
    fmt::print(stderr, "{}\n", out.dump());
  } else {
    fmt::print(stderr, "starpath: {} tasks measured into {}\n", fresh, run.profile);
  }
  if (!WIFEXITED(status)) return 128 + WTERMSIG(status);
  if (WEXITSTATUS(status) == 0 && fresh == 0) {
    throw Error(ErrorKind::runtime,
                fmt::format("'{}' ran, but no task was measured: it must use StarPU >= 1.4, choose no "
                            "policy of its own and end with starpu_shutdown",
                            run.command[0]));
  }
  return WEXITSTATUS(status);
}

}  // namespace starpath::apps
