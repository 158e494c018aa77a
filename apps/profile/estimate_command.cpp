// `starpath estimate`: what the estimator says of a task, and how far it can be trusted.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/cli/terminal.hpp"
#include "base/error.hpp"
#include "estimator/queries/codelet_groups.hpp"
#include "estimator/queries/learner_of_command.hpp"
#include "estimator/queries/profile_errors.hpp"
#include "estimator/queries/task_estimates.hpp"

namespace starpath::apps {

namespace {

using Json = nlohmann::ordered_json;

struct EstimateArguments {
  std::vector<std::string> profiles;
  DescribedTask task;
  std::vector<std::string> learners;
  std::string k = "2";
  std::string baseline = "cpu";
  bool cross_validate = false;
  bool json = false;
};

/// Table 1 of anthill-2010, in percent.
struct PublishedErrors {
  std::string_view codelet;
  double speedup, cpu_time;
};
constexpr PublishedErrors kTable1[] = {{"black-scholes", 2.53196, 70.5005}, {"n-body", 7.34924, 11.5763},
                                       {"heart", 13.7902, 41.9759},         {"knn", 8.76774, 21.1858},
                                       {"eclat", 11.3244, 102.6155},        {"nbia-component", 7.3812, 30.3574}};

/// "2" is {2, 2}, "1..8" is {1, 8}. Throws Error{usage} unless both are from 1 to 64, in order.
std::pair<std::size_t, std::size_t> range_of_k(const std::string& text) {
  std::size_t first = 0;
  std::size_t last = 0;
  const char* end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, first);
  last = first;
  if (read.ec == std::errc() && std::string_view(read.ptr, end).starts_with(".."))
    read = std::from_chars(read.ptr + 2, end, last);
  if (read.ec != std::errc() || read.ptr != end || first < 1 || last < first || last > 64)
    throw Error(ErrorKind::usage, fmt::format("--k {}: expected a number or a range like 1..8, from 1 to 64", text));
  return {first, last};
}

Json known(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string text_of(const std::optional<double>& value, fmt::format_string<const double&> format) {
  return value ? fmt::format(format, *value) : "unknown";
}

Json percent_of(const std::optional<double>& share) { return share ? Json(*share * 100) : Json(nullptr); }

std::string percent_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.2f} %", *share * 100) : "unknown";
}

/// Each learner by its name; kNN once for each k, where there are several.
std::vector<ComparedLearner> learners_of(const EstimateArguments& arguments) {
  const auto [first, last] = range_of_k(arguments.k);
  const std::size_t capacity = ProfileStore::kCapacity * arguments.profiles.size();  // all samples
  std::vector<ComparedLearner> learners;
  for (const std::string& name : arguments.learners) {
    const bool is_knn = name == "knn";
    for (std::size_t k = first; k <= (is_knn ? last : first); ++k)
      learners.push_back({is_knn && last > first ? fmt::format("knn (k = {})", k) : name,
                          learner_of_command(name, {.k = k, .capacity = capacity})});
  }
  return learners;
}

void print_estimates(const EstimateArguments& arguments) {
  const std::vector<ClassEstimate> estimates =
      estimate_task(arguments.profiles.front(), arguments.task, learners_of(arguments).back().make, arguments.baseline);
  if (arguments.json) {
    Json out = Json::array();
    for (const ClassEstimate& each : estimates)
      out.push_back({{"class", each.device_class},
                     {"seconds", known(each.seconds)},
                     {"error_percent", percent_of(each.error)},
                     {"speedup", known(each.speedup)},
                     {"samples", each.samples}});
    return write_json(out, 2);
  }
  print_out("{:<28} {:>12} {:>9} {:>8} {:>12}\n", "class", "seconds", "speedup", "samples", "error");
  for (const ClassEstimate& each : estimates)
    print_out("{:<28} {:>12} {:>9} {:>8} {:>12}\n", each.device_class, text_of(each.seconds, "{:.6g}"),
              text_of(each.speedup, "{:.2f}"), each.samples, percent_text(each.error));
  if (std::ranges::find(estimates, arguments.baseline, &ClassEstimate::device_class) == estimates.end())
    print_out("No samples on '{}', so no speedups over it; --baseline names another class.\n", arguments.baseline);
}

const PublishedErrors* published_of(const std::string& codelet) {
  const auto* found = std::ranges::find(kTable1, std::string_view(codelet), &PublishedErrors::codelet);
  return found == std::end(kTable1) ? nullptr : found;
}

Json json_of(const CodeletErrors& errors) {
  const PublishedErrors* const published = published_of(errors.codelet);
  return {{"codelet", errors.codelet},
          {"k", errors.k},
          {"classes", errors.classes},
          {"samples", errors.samples},
          {"share_of_time_percent", errors.share * 100},
          {"speedup_error_percent", percent_of(errors.speedup)},
          {"time_error_percent", percent_of(errors.time)},
          {"baseline_time_error_percent", percent_of(errors.baseline_time)},
          {"anthill_2010_speedup_error_percent", published != nullptr ? Json(published->speedup) : Json(nullptr)},
          {"anthill_2010_cpu_time_error_percent", published != nullptr ? Json(published->cpu_time) : Json(nullptr)}};
}

void print_error_table(const std::vector<CodeletErrors>& all, const std::string& baseline) {
  const auto in_brackets = [](double published) { return fmt::format(" ({:.1f})", published); };
  print_out(
      "10-fold cross-validation: mean error of what is estimated for inputs that were not seen\n\n"
      "{:<28} {:>3} {:>8} {:>8} {:>22} {:>12} {:>22}\n",
      "codelet", "k", "samples", "share", "speedup error", "time error", baseline + " time error");
  bool any_published = false;
  for (const CodeletErrors& errors : all) {
    const PublishedErrors* const published = published_of(errors.codelet);
    any_published |= published != nullptr;
    print_out("{:<28} {:>3} {:>8} {:>8} {:>22} {:>12} {:>22}\n", errors.codelet, errors.k, errors.samples,
              fmt::format("{:.1f} %", errors.share * 100),
              percent_text(errors.speedup) + (published != nullptr ? in_brackets(published->speedup) : ""),
              percent_text(errors.time),
              percent_text(errors.baseline_time) + (published != nullptr ? in_brackets(published->cpu_time) : ""));
  }
  if (any_published)
    print_out("\nIn brackets: Table 1 of anthill-2010 (k = 2, other machines, inputs and programs).\n");
}

Json json_of(const LearnerErrors& errors) {
  return {{"codelet", errors.codelet},
          {"class", errors.device_class},
          {"learner", errors.learner},
          {"samples", errors.samples},
          {"share_of_time_percent", errors.share * 100},
          {"time_error_percent", percent_of(errors.time)},
          {"stated_time_error_percent", percent_of(errors.stated)},
          {"speedup_error_percent", percent_of(errors.speedup)}};
}

/// `all`: a row for each learner, codelet by codelet and class by class.
void print_comparison(const std::vector<LearnerErrors>& all, const std::vector<ComparedLearner>& learners,
                      const std::string& baseline) {
  print_out(
      "10-fold cross-validation: mean error of what is estimated for inputs that were not seen: of the time, as the\n"
      "learner itself expected it of the time, and of the speedup over '{}'\n\n{:<28} {:<20} {:>8} {:>8}",
      baseline, "", "", "", "");
  for (const ComparedLearner& learner : learners)
    print_out(" | {:>32}", std::filesystem::path(learner.name).filename().string());
  print_out("\n{:<28} {:<20} {:>8} {:>8}", "codelet", "class", "samples", "share");
  for (std::size_t i = 0; i < learners.size(); ++i) print_out(" | {:>10} {:>10} {:>10}", "time", "expected", "speedup");
  print_out("\n");
  for (std::size_t row = 0; row < all.size(); row += learners.size()) {
    print_out("{:<28} {:<20} {:>8} {:>8}", all[row].codelet, all[row].device_class, all[row].samples,
              fmt::format("{:.1f} %", all[row].share * 100));
    for (std::size_t i = row; i < row + learners.size(); ++i)
      print_out(" | {:>10} {:>10} {:>10}", percent_text(all[i].time), percent_text(all[i].stated),
                percent_text(all[i].speedup));
    print_out("\n");
  }
}

void compare_learners(const EstimateArguments& arguments) {
  const std::vector<ComparedLearner> learners = learners_of(arguments);
  const std::vector<LearnerErrors> all =
      errors_of_learners(arguments.profiles, arguments.task.codelet, learners, arguments.baseline);
  if (!arguments.json) return print_comparison(all, learners, arguments.baseline);
  Json rows = Json::array();
  for (const LearnerErrors& errors : all) rows.push_back(json_of(errors));
  write_json(rows, 2);
}

void print_cross_validation(const EstimateArguments& arguments) {
  if (!arguments.learners.empty()) return compare_learners(arguments);
  const auto [first, last] = range_of_k(arguments.k);
  const std::vector<CodeletErrors> all =
      errors_of_profiles(arguments.profiles, arguments.task.codelet, first, last, arguments.baseline);
  if (!arguments.json) return print_error_table(all, arguments.baseline);
  Json rows = Json::array();
  for (const CodeletErrors& errors : all) rows.push_back(json_of(errors));
  write_json(rows, 2);
}

void run(EstimateArguments& arguments) {
  if (arguments.cross_validate && !arguments.task.values.empty())
    throw Error(ErrorKind::usage, "--cross-validate takes no NAME=NUMBER: it asks for every sample there is");
  if (arguments.cross_validate) return print_cross_validation(arguments);
  if (arguments.profiles.size() > 1)
    throw Error(ErrorKind::usage, "several --profile go with --cross-validate alone: give one");
  if (arguments.task.codelet.empty())
    throw Error(ErrorKind::usage,
                "name a CODELET, or use --cross-validate; `starpath profile list` shows the codelets");
  if (arguments.learners.empty()) arguments.learners = {"knn"};
  if (arguments.learners.size() > 1)
    throw Error(ErrorKind::usage, "several --learner go with --cross-validate alone: give one");
  print_estimates(arguments);
}

}  // namespace

void add_estimate_command(CLI::App& app) {
  auto arguments = std::make_shared<EstimateArguments>();
  CLI::App* command = app.add_subcommand(
      "estimate", "Estimate a task's time and speedup from a profile, or say how good estimates are");
  command->footer(
      "Examples:\n  starpath estimate blur width=4096 height=4096 --profile my.profile\n"
      "  starpath estimate --cross-validate --k 1..8 --profile my.profile\n"
      "  starpath estimate --cross-validate --learner knn,linear,./mine.so --profile my.profile\n\n"
      "The time is the mean of the k nearest samples of each kind of device, unless --learner names another learner;\n"
      "the speedup is the time on --baseline over it (anthill-2010 section 4). A category that is not given counts as\n"
      "0. The error is that of the time, as the learner itself expects it.");
  command->add_option("CODELET", arguments->task.codelet, "Its name, as `starpath profile list` prints it");
  command->add_option("PARAMETERS", arguments->task.values,
                      "The task's parameters, each NAME=NUMBER, named as `starpath profile show` does");
  command
      ->add_option("--profile", arguments->profiles,
                   "The file of samples; default: this machine's own. With --cross-validate, of several each is "
                   "estimated from the others")
      ->allow_extra_args(false)
      ->envname("STARPATH_PROFILE");
  command->add_flag("--cross-validate", arguments->cross_validate,
                    "Instead: estimate each sample from the others, and print the mean errors of each codelet");
  command
      ->add_option("--learner", arguments->learners,
                   "What estimates: knn, linear, or the path of a library. With --cross-validate several, side by side")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--k", arguments->k, "How many nearest samples kNN averages; with --cross-validate also 1..8")
      ->capture_default_str();
  command->add_option("--baseline", arguments->baseline, "The class that speedups are relative to")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print JSON");
  command->callback([arguments] {
    auto& profiles = arguments->profiles;
    if (profiles.size() < 2) profiles = {profile_of_command(profiles.empty() ? "" : profiles.front(), false)};
    run(*arguments);
  });
}

}  // namespace starpath::apps
