// Child processes of a comparison.
#include "comparison/runs.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <sstream>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/read_file.hpp"
#include "base/temporary_folder.hpp"
#include "pipelines/run/starpu_lines.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

constexpr double kLongestCalibration = 24 * 3600;

/// The last line of what a process wrote to standard error that is no warning of StarPU's, without our own prefix.
std::string last_line(const std::string& errors) {
  std::istringstream in(errors);
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && !is_starpu_warning(line)) last = line;
  const std::string prefix = "starpath: ";
  return last.starts_with(prefix) ? last.substr(prefix.size()) : last;
}

class Runner {
 public:
  Runner(const ComparePlan& plan, const std::atomic<bool>& stop) : plan_(plan), stop_(stop) {
    fs::create_directories(knowledge());
  }

  /// A run that measures into the knowledge itself.
  ComparedRun calibrate(double& seconds) {
    return run(plan_.calibrate_under, knowledge(), {{"STARPU_CALIBRATE", "1"}}, kLongestCalibration, seconds);
  }

  /// A run with a copy of the knowledge.
  ComparedRun compared(const std::string& policy, double limit) {
    const TemporaryFolder copy;
    fs::copy(knowledge(), copy.path(), fs::copy_options::recursive);
    double seconds = 0;
    return run(policy, copy.path(), {}, limit, seconds);
  }

  /// What the first run that failed had for an exit code, if it ended with one.
  int first_code() const { return first_code_; }

 private:
  fs::path knowledge() const { return folder_.path() / "knowledge"; }

  ComparedRun run(const std::string& policy, const fs::path& home, const Environment& more, double limit,
                  double& seconds) {
    const TemporaryFolder out;
    const fs::path record = out.path() / "record.json";
    std::vector<std::string> command = {fs::read_symlink("/proc/self/exe").string()};
    command.insert(command.end(), plan_.command.begin(), plan_.command.end());
    for (const std::string& argument :
         {std::string("--policy"), policy, std::string("--out"), (out.path() / "out").string(), std::string("--record"),
          record.string(), std::string("--export"), std::string("none"), std::string("--quiet")})
      command.push_back(argument);
    Environment environment = current_environment();
    // Every run its own: the files that a user asked for would be those of the last one.
    for (const char* name : {"STARPATH_STATS", "STARPATH_TRACE", "STARPU_PERF_MODEL_PATH"}) environment.erase(name);
    environment["STARPU_HOME"] = environment["STARPU_PERF_MODEL_DIR"] = home.string();
    environment["STARPATH_PROFILE"] = (home / "starpath.profile").string();
    for (const auto& [name, value] : more) environment[name] = value;
    const std::chrono::milliseconds at_most(static_cast<std::int64_t>(limit * 1000));
    const ChildOutcome outcome = run_child(std::move(command), environment, at_most, &stop_);
    seconds = outcome.seconds;
    return judge(policy, outcome, record);
  }

  ComparedRun judge(const std::string& policy, const ChildOutcome& outcome, const fs::path& record) {
    ComparedRun run;
    run.policy = policy;
    run.failure = outcome.failure();
    if (!run.failure.empty()) {
      const std::string line = last_line(outcome.errors);
      if (!line.empty()) run.failure += ": " + line;
      if (first_code_ == 0 && !outcome.timed_out && WIFEXITED(outcome.status))
        first_code_ = WEXITSTATUS(outcome.status);
      return run;
    }
    try {
      run.record = read_record(read_file(record));
    } catch (const Error& error) {
      run.failure = error.what();
      return run;
    }
    if (run.record.policy != policy) run.failure = fmt::format("ran under {}", run.record.policy);
    if (found_.is_null()) {
      found_ = run.record.found;
      classes_ = run.record.classes;
    }
    if (run.record.classes != classes_) run.failure = "had other workers than the first run";
    if (run.record.found != found_)
      run.failure = fmt::format("found {}, but the first run {}", run.record.found.dump(), found_.dump());
    return run;
  }

  const ComparePlan& plan_;
  const std::atomic<bool>& stop_;
  const TemporaryFolder folder_;
  nlohmann::json found_;  // and classes_: of the first run that ended well
  std::vector<WorkerClass> classes_;
  int first_code_ = 0;
};

/// Whether an exit code blames what the user gave, which no policy can change.
bool is_users(int code) {
  return code == static_cast<int>(ErrorKind::usage) || code == static_cast<int>(ErrorKind::input);
}

}  // namespace

std::vector<ComparedRun> run_all(const ComparePlan& plan,
                                 const std::function<void(const ComparedRun&, unsigned, unsigned)>& on_done,
                                 const std::atomic<bool>& stop) {
  Runner runner(plan, stop);
  const auto policies = static_cast<unsigned>(plan.policies.size());
  const unsigned all = plan.calibrations + plan.repetitions * policies;
  unsigned done = 0;
  double longest = 0;
  const auto check = [&](const ComparedRun& run, bool must_end_well) {
    if (run.failure.empty() || stop || !(must_end_well || is_users(runner.first_code()))) return;
    const int code = runner.first_code();
    throw Error(is_users(code) ? static_cast<ErrorKind>(code) : ErrorKind::runtime,
                fmt::format("the first run, under {}, failed: {}", run.policy, run.failure));
  };
  for (unsigned i = 0; i < plan.calibrations && !stop; ++i) {
    double seconds = 0;
    const ComparedRun run = runner.calibrate(seconds);
    check(run, true);
    longest = std::max(longest, seconds);
    on_done(run, ++done, all);
  }
  const double limit = plan.timeout > 0 ? plan.timeout : longest > 0 ? 60 + 10 * longest : kLongestCalibration;
  std::vector<ComparedRun> runs(plan.repetitions * policies);
  for (unsigned repetition = 0; repetition < plan.repetitions; ++repetition)
    for (unsigned i = 0; i < policies && !stop; ++i) {
      const unsigned policy = (i + repetition) % policies;
      ComparedRun& run = runs[repetition * policies + policy];
      run = runner.compared(plan.policies[policy], limit);
      run.repetition = repetition;
      if (done == 0) check(run, false);
      on_done(run, ++done, all);
    }
  return runs;
}

}  // namespace starpath
