// The plug-in's options: parsing and checking.
#include "sched_policies/options/options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/pure/parse_number.hpp"
#include "estimator/learner_names.hpp"
#include "sched_policies/options/option_table.hpp"

namespace starpath {
namespace {

/// Cuts `text` at the first `separator` and returns what is before it; `text` keeps what is after.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return head;
}

constexpr std::array<std::string_view, 4> kEstimators = {"knn", "knn+perfmodel", "perfmodel", "none"};

struct ChosenEstimator {
  std::optional<EstimatorKind> kind;
  std::string learner;
};

/// A learner, with or without StarPU's models, or these alone, or nothing.
std::optional<ChosenEstimator> parse_estimator(std::string_view text) {
  constexpr std::string_view with_models = "+perfmodel";
  const std::string knn = Options().learner;
  if (text == "auto") return ChosenEstimator{EstimatorKind::knn_and_perfmodel, knn};  // its name in earlier builds
  if (text == "perfmodel") return ChosenEstimator{EstimatorKind::perfmodel, knn};
  if (text == "none") return ChosenEstimator{EstimatorKind::none, knn};
  const bool models = text.ends_with(with_models);
  if (models) text.remove_suffix(with_models.size());
  if (!is_learner(text)) return std::nullopt;
  return ChosenEstimator{models ? EstimatorKind::knn_and_perfmodel : EstimatorKind::knn, std::string(text)};
}

std::optional<unsigned> parse_k(std::string_view text) {
  const auto k = parse_number<unsigned>(text);
  return k && *k >= 1 && *k <= 64 ? k : std::nullopt;
}

std::optional<bool> parse_switch(std::string_view text) {
  if (text == "on") return true;
  if (text == "off") return false;
  return std::nullopt;
}

std::optional<SpeedupError> parse_error(std::string_view text) {
  const bool has_seed = text.find(':') != std::string_view::npos;
  const auto percent = parse_number<double>(cut(text, ':'));
  const auto seed = has_seed ? parse_number<std::uint64_t>(text) : 0;
  if (!percent || !seed || !(*percent >= 0 && *percent <= 100)) return std::nullopt;
  return SpeedupError{.fraction = *percent / 100, .seed = *seed};
}

/// Workers like "0,2-5".
std::optional<std::vector<WorkerId>> parse_workers(std::string_view text) {
  std::vector<WorkerId> workers;
  if (text.ends_with(',')) return std::nullopt;
  do {
    std::string_view range = cut(text, ',');
    const bool has_end = range.find('-') != std::string_view::npos;
    const auto first = parse_number<WorkerId>(cut(range, '-'));
    const auto last = has_end ? parse_number<WorkerId>(range) : first;
    constexpr WorkerId most = 1U << 16;
    if (!first || !last || *last < *first || *last > most) return std::nullopt;
    for (WorkerId worker = *first; worker <= *last; ++worker) workers.push_back(worker);
  } while (!text.empty());
  return workers;
}

bool any_twice(std::vector<WorkerId> workers) {
  std::ranges::sort(workers);
  return std::ranges::adjacent_find(workers) != workers.end();
}

std::optional<std::vector<ClassOverride>> parse_classes(std::string_view text) {
  std::vector<ClassOverride> classes;
  std::vector<WorkerId> named;
  if (text.ends_with(':')) return std::nullopt;
  while (!text.empty()) {
    std::string_view entry = cut(text, ':');
    if (entry.find('=') == std::string_view::npos) return std::nullopt;
    std::string_view label = cut(entry, '=');
    const auto workers = parse_workers(entry);
    const bool has_kind = label.find('@') != std::string_view::npos;
    const std::string_view name = cut(label, '@');
    if (!workers || name.empty() || (has_kind && label != "cpu" && label != "accelerator")) return std::nullopt;
    if (std::ranges::find(classes, name, &ClassOverride::name) != classes.end()) return std::nullopt;
    ClassOverride parsed{.name = std::string(name), .kind = std::nullopt, .workers = *workers};
    if (has_kind) parsed.kind = label == "cpu" ? DeviceKind::cpu : DeviceKind::accelerator;
    classes.push_back(parsed);
    named.insert(named.end(), workers->begin(), workers->end());
  }
  if (any_twice(std::move(named))) return std::nullopt;
  return classes;
}

std::optional<std::optional<double>> parse_impact(std::string_view text) {
  if (text == "measured") return std::optional<double>();
  const auto impact = parse_number<double>(text);
  if (!impact || !(*impact >= 0 && *impact <= 1)) return std::nullopt;
  return impact;
}

std::optional<Prefetch> parse_prefetch(std::string_view text) {
  if (text == "off") return Prefetch{};
  if (text == "adaptive") return Prefetch{.adaptive = true};
  const auto tasks = parse_number<unsigned>(text);
  if (!tasks || *tasks < 1 || *tasks > 64) return std::nullopt;
  return Prefetch{.tasks = *tasks};
}

/// Whether writing `output` would replace `other`. Devices, pipes and links are not replaced.
bool replaces(const std::string& output, const std::string& other) {
  namespace files = std::filesystem;
  std::error_code error;
  const files::file_type type = files::symlink_status(output, error).type();
  if (type != files::file_type::regular && type != files::file_type::not_found) return false;
  const auto whole = [&](const std::string& name) {
    return files::weakly_canonical(files::absolute(name, error), error);
  };
  return whole(output) == whole(other);
}

using Report = std::function<void(const std::string&)>;

/// Clears the name `output` of `variable` if it is that of another file of the run.
void keep_apart(const char* variable, std::string& output, const char* other, const std::string& file,
                const Report& report) {
  if (output.empty() || file.empty() || !replaces(output, file)) return;
  report(std::string(variable) + "='" + output + "' is the file of " + other +
         "; it is not written: name another file");
  output.clear();
}

}  // namespace

std::string_view name_of(EstimatorKind kind) { return kEstimators[static_cast<std::size_t>(kind)]; }

std::string bad_value_line(std::string_view variable, std::string_view value) {
  const OptionInfo& info = option_info(variable);
  return std::string(variable) + "='" + std::string(value) + "' is not valid: expected " + std::string(info.allowed) +
         "; using the default" + (info.fallback.empty() ? "" : " " + std::string(info.fallback));
}

Options read_options(const std::function<const char*(const char*)>& variable,
                     const std::function<void(const std::string&)>& report) {
  Options options;
  const auto read = [&](const char* name, auto parse, auto& target) {
    const char* value = variable(name);
    if (value == nullptr || *value == '\0') return;
    if (auto parsed = parse(std::string_view(value))) {
      target = *std::move(parsed);
      return;
    }
    report(bad_value_line(name, value));
  };
  const auto text = [](std::string_view value) { return std::optional<std::string>(value); };
  ChosenEstimator chosen{.kind = std::nullopt, .learner = options.learner};
  read("STARPATH_ESTIMATOR", parse_estimator, chosen);
  options.estimator = chosen.kind;
  options.learner = chosen.learner;
  read("STARPATH_KNN_K", parse_k, options.knn_k);
  read("STARPATH_LEARN", parse_switch, options.learn);
  read("STARPATH_SPEEDUP_ERROR", parse_error, options.speedup_error);
  read("STARPATH_CLASSES", parse_classes, options.classes);
  read("STARPATH_LOCALITY", parse_switch, options.locality);
  read("STARPATH_TRANSFER_IMPACT", parse_impact, options.transfer_impact);
  read("STARPATH_PREFETCH", parse_prefetch, options.prefetch);
  read("STARPATH_PROFILE", text, options.profile_file);
  options.machine_profile = options.profile_file.empty();
  if (options.profile_file == "none") options.profile_file.clear();
  read("STARPATH_PLACEMENT", parse_placement, options.placement);
  read("STARPATH_STATS", text, options.stats_file);
  read("STARPATH_TRACE", text, options.trace_file);
  keep_apart("STARPATH_TRACE", options.trace_file, "STARPATH_PROFILE", options.profile_file, report);
  keep_apart("STARPATH_STATS", options.stats_file, "STARPATH_PROFILE", options.profile_file, report);
  keep_apart("STARPATH_STATS", options.stats_file, "STARPATH_TRACE", options.trace_file, report);
  return options;
}

}  // namespace starpath
