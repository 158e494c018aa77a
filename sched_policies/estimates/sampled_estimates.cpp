// Execution-time estimates of StarPU tasks from samples of earlier ones.
#include "sched_policies/estimates/sampled_estimates.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "estimator/learners/named_learner.hpp"
#include "sched_policies/starpu/codelet_facts.hpp"
#include "sched_policies/starpu/device_classes.hpp"

namespace starpath {
namespace {

constexpr std::size_t kBuffered = 64;     // samples a worker collects before it takes the estimator's lock
constexpr unsigned kTakenInAtOnce = 256;  // samples of a worker that are not worth waiting for: little is known yet
constexpr double kShort = 20e-6;          // seconds below which learning from a task costs a noticeable share of it
constexpr unsigned kFewRuns = 2;          // runs of a codelet on a worker that are not worth waiting for either
constexpr unsigned kEnough = 256;  // samples of a short task's codelet in a row, after which one in eight will do

/// What the calling thread was told. Simulated threads may be one: what is in here is another one's after any wait.
thread_local RecentEstimates lately;
/// Of those, what it asked for last: tasks that are alike come one after the other.
constinit thread_local const RecentEstimates::Entry* told_last = nullptr;

}  // namespace

SampledEstimates::SampledEstimates(const Options& options, const Machine& machine, const ClassWorkers& classes,
                                   const ProfileUse::Report& report)
    : options_(options),
      machine_(machine),
      classes_(classes),
      report_(report),
      learns_(options.learn && keeps_samples(options)),
      has_profile_(!options.profile_file.empty() && keeps_samples(options)),
      buffers_(machine.workers()),
      estimator_(named_learner(options.learner, {.k = options.knn_k},
                               [&report](const std::string& line) { report(line + "; kNN estimates in its place"); })),
      ratios_(machine) {
  changed();
  if (has_named_profile()) use_profile();
}

void SampledEstimates::use_profile() {
  if (!has_profile_) return;
  const RelaxedLock lock(mutex_);
  if (profile_) return;
  profile_.emplace(options_.profile_file, learns_, report_, options_.machine_profile);
  if (options_.machine_profile) return;  // nobody chose it for this run
  const std::vector<ProfileStore::Summary> known = profile_->list();
  if (!known.empty()) report_gaps(known);
}

/// A profile of another machine, or of too short a run, is no error, but its user should know.
void SampledEstimates::report_gaps(const std::vector<ProfileStore::Summary>& known) const {
  const std::string file = "STARPATH_PROFILE='" + options_.profile_file + "': ";
  std::string missing;
  for (const std::string& name : class_names(machine_)) {
    const auto is_of_it = [&](const ProfileStore::Summary& one) { return one.group.device_class == name; };
    if (std::ranges::none_of(known, is_of_it)) missing += " '" + name + "'";
  }
  if (!missing.empty()) {
    report_(file + "no samples of the device class" + missing + "; nothing is known of it until tasks have run there");
  }
  const auto few =
      std::ranges::find_if(known, [&](const ProfileStore::Summary& one) { return one.samples < options_.knn_k; });
  if (few != known.end()) {
    report_(file + "fewer samples of codelet '" + few->group.codelet + "' on '" + few->group.device_class + "' (" +
            std::to_string(few->samples) + ") than STARPATH_KNN_K=" + std::to_string(options_.knn_k) +
            "; such are averaged all");
  }
}

/// Without features, it says so with a line when a parameter makes no sense.
TaskInput SampledEstimates::input_of(starpu_task& task, unsigned implementation) {
  TaskInput input = task_features(task, implementation);
  if (!input.features && !input.waits) {
    no_parameters_.say(report_, [&] {
      return "codelet '" + std::string(codelet_name(*task.cl)) +
             "': a parameter that its performance model declares is negative, infinite or no number; such tasks "
             "are not estimated";
    });
  }
  return input;
}

/// The number of the task's codelet. When it is met first, what the profile knows of it is learnt.
unsigned SampledEstimates::introduce(const starpu_task& task) {
  const std::string_view name = codelet_name(*task.cl);
  const unsigned codelet = estimator_.codelet(name);
  if (codelet < codelets_.size()) return codelet;
  codelets_.emplace_back(name);  // nobody else numbers codelets
  if (!profile_) return codelet;
  FeatureNames names = feature_names(task);
  const auto groups = profile_->meet(codelets_.back(), std::move(names.numeric), std::move(names.categorical));
  teach_apart(estimator_, groups, class_names(machine_), STARPU_MAXIMPLEMENTATIONS);
  for (ClassId id = 0; id < machine_.classes().size(); ++id) {
    if (!has_choice(*task.cl, classes_.types[id])) continue;
    for (const ProfileGroup& group : groups) {
      if (group.device_class != machine_.classes()[id].name) continue;
      for (const SampleSet::Entry& entry : group.samples) tries_.remember(codelet, id, entry.features);
    }
  }
  return codelet;
}

std::optional<TimeEstimate> SampledEstimates::estimate(starpu_task& task, unsigned worker, unsigned implementation) {
  const TaskInput input = input_of(task, implementation);
  if (!input.features) return std::nullopt;
  const RelaxedLock lock(mutex_);
  return estimator_.estimate(introduce(task), place_of(machine_.class_of(worker), implementation), *input.features);
}

unsigned SampledEstimates::choose(starpu_task& task, unsigned worker, unsigned mask, unsigned fastest) {
  const TaskInput input = input_of(task, fastest);
  if (!input.features) return fastest;
  const RelaxedLock lock(mutex_);
  return tries_.choose(mask, fastest, introduce(task), machine_.class_of(worker), *input.features);
}

/// Features but for the implementation are in `key`.
std::optional<TimeEstimate> SampledEstimates::fastest(const SpeedupCache::Key& key, ClassId id) const {
  std::optional<TimeEstimate> best;
  for (unsigned mask = key.implementations[id]; mask != 0; mask &= mask - 1) {
    const auto implementation = static_cast<unsigned>(std::countr_zero(mask));
    const auto found = estimator_.estimate(key.codelet, place_of(id, implementation),
                                           with_implementation(key.features, implementation));
    if (found && (!best || found->seconds < best->seconds)) best = found;
  }
  return best;
}

/// The estimator's class for an implementation on a class of the machine, as teach_apart numbers them.
unsigned SampledEstimates::place_of(ClassId id, std::int64_t implementation) const {
  return static_cast<unsigned>(implementation) * static_cast<unsigned>(machine_.classes().size()) + id;
}

/// Of all implementations.
std::size_t SampledEstimates::samples(unsigned codelet, ClassId id) const {
  std::size_t sum = 0;
  for (unsigned i = 0; i < STARPU_MAXIMPLEMENTATIONS; ++i) sum += estimator_.samples(codelet, place_of(id, i));
  return sum;
}

SampledEstimates::Attempts& SampledEstimates::attempts_of(unsigned codelet) {
  if (codelet >= attempts_.size()) attempts_.resize(codelet + 1);
  return attempts_[codelet];
}

/// Takes back times that nobody believes, as long as tasks can tell better ones.
void SampledEstimates::doubt(unsigned codelet, ClassSeconds& seconds) {
  if (!learns_) return;
  ClassSet single;
  for (ClassId id = 0; id < machine_.classes().size(); ++id) single[id] = samples(codelet, id) == 1;
  if (single.none()) return;
  const ClassSet doubted = ratios_.doubted(codelet, seconds, single);
  if (doubted.none()) return;
  attempts_of(codelet).doubted |= doubted;
  for (ClassId id = 0; id < machine_.classes().size(); ++id) {
    if (doubted[id]) seconds[id].reset();
  }
}

/// What it knows is other than it was.
void SampledEstimates::changed() {
  static std::atomic<std::uint64_t> versions = 0;
  version_.store(versions.fetch_add(1) + 1, std::memory_order_release);
}

const TaskEstimates& SampledEstimates::of(starpu_task& task) {
  const std::uint64_t now = version();
  const RecentEstimates::Entry* const told = told_last;
  const bool again = told != nullptr && has_features_of_buffers(task, told->key.features) && fits(*told, now, *task.cl);
  return again ? told->estimates : find(task, now);
}

/// Of a task that may be unlike the last one.
const TaskEstimates& SampledEstimates::find(starpu_task& task, std::uint64_t now) {
  static const TaskEstimates never{.never_known = ClassSet().set()};
  const TaskInput input = input_of(task, 0);
  if (!input.features) return never;
  const Features& features = *input.features;
  RecentEstimates::Entry& entry = lately.entry(features, codelet_name(*task.cl));
  told_last = &entry;
  if (fits(entry, now, *task.cl) && entry.key.features == features) return entry.estimates;
  SpeedupCache::Key key{.version = now, .features = features};
  for (ClassId id = 0; id < machine_.classes().size(); ++id) {
    key.implementations[id] = implementations(*task.cl, classes_.types[id]);
  }
  const TaskEstimates found = look_up(key, task);
  // Only now: simulated threads may be one, which is another one's while it waits.
  entry.key = key;
  entry.name = codelet_name(*task.cl);
  return entry.estimates = found;
}

/// Whether `entry` is of a task of such a codelet at this version. The codelet is looked at each time, and not known
/// again by its address: the application may change it, or make another one there.
bool SampledEstimates::fits(const RecentEstimates::Entry& entry, std::uint64_t now,
                            const starpu_codelet& codelet) const {
  if (entry.key.version != now || std::strcmp(entry.name.c_str(), codelet_text(codelet)) != 0) return false;
  return std::equal(classes_.types.begin(), classes_.types.end(), entry.key.implementations.begin(),
                    [&](starpu_worker_archtype type, unsigned mask) { return implementations(codelet, type) == mask; });
}

/// `key` is that of `task`.
TaskEstimates SampledEstimates::look_up(SpeedupCache::Key key, const starpu_task& task) {
  const RelaxedLock lock(mutex_);
  key.codelet = introduce(task);
  key.version = estimator_.version(key.codelet);
  TaskEstimates found;
  if (const TaskEstimates* const known = known_.find(key)) {
    found = *known;
  } else {
    std::array<double, kMaxDeviceClasses> over_model{};
    ClassSeconds sampled;
    for (ClassId id = 0; id < machine_.classes().size(); ++id) {
      const auto found_here = fastest(key, id);
      if (!found_here) continue;
      sampled[id] = found_here->seconds;
      over_model[id] = found_here->over_model;
    }
    doubt(key.codelet, sampled);
    collect(
        machine_, [&](ClassId id) { return sampled[id]; }, found);
    for (ClassId id = 0; id < machine_.classes().size(); ++id) {
      if (found.seconds[id]) found.over_model[id] = over_model[id];
    }
    known_.store(key, found);
    ratios_.measured(key.codelet, found.seconds);
  }
  found.never_known = key.codelet < attempts_.size() ? attempts_[key.codelet].never_known : ClassSet();
  return found;
}

Guesses SampledEstimates::guess(const starpu_task& task, const ClassSeconds& seconds) {
  const RelaxedLock lock(mutex_);
  return ratios_.guess(introduce(task), seconds);
}

void SampledEstimates::compare(const starpu_task& task, const ClassSeconds& seconds) {
  const RelaxedLock lock(mutex_);
  ratios_.measured(introduce(task), seconds);
}

/// A task of a codelet ended on a class that had no sample of it, or one that was not believed.
void SampledEstimates::attempted(unsigned codelet, ClassId id, bool learnt) {
  Attempts& attempts = attempts_of(codelet);
  if (learnt) {
    attempts.doubted.reset(id);
    tell_of(codelet);
    return;
  }
  if (++attempts.in_vain[id] != options_.knn_k) return;
  attempts.never_known.set(id);
  tell_of(codelet);
}

/// Tells the policies' adapters, which keep tasks of the codelet.
void SampledEstimates::tell_of(unsigned codelet) {
  first_sampled_.push_back(codelets_[codelet]);
  first_samples_.store(first_sampled_.size() + 1, std::memory_order_release);
}

std::vector<std::string> SampledEstimates::first_sampled(std::uint64_t since) {
  const RelaxedLock lock(mutex_);
  return {first_sampled_.begin() + static_cast<std::ptrdiff_t>(since - 1), first_sampled_.end()};
}

std::optional<Features> SampledEstimates::lesson(starpu_task& task, unsigned worker) {
  WorkerBuffer& buffer = buffers_[worker];
  if (buffer.skip == 0 || buffer.short_tasks != task.cl) {
    return input_of(task, starpu_task_get_implementation(&task)).features;
  }
  --buffer.skip;
  return std::nullopt;
}

/// Counts one more task of the codelet; how many the worker ran before, if they are few.
unsigned SampledEstimates::WorkerBuffer::run(unsigned number) {
  if (number >= runs.size()) runs.resize(number + 1);
  return runs[number] < kFewRuns ? runs[number]++ : kFewRuns;
}

void SampledEstimates::learn(const starpu_task& task, const Lesson& lesson, unsigned worker,
                             std::optional<double> seconds) {
  WorkerBuffer& buffer = buffers_[worker];
  const std::string_view name = codelet_name(*task.cl);
  if (!buffer.codelet || buffer.name != name) {
    const RelaxedLock lock(mutex_);
    buffer.codelet = introduce(task);
    buffer.name = name;
    buffer.in_a_row = 0;
    if (!has_name(*task.cl)) {
      no_name_.say(report_, [] {
        return "a codelet has neither a name nor a performance model with a symbol; all such share their estimates";
      });
    }
  }
  const bool on_cpu = classes_.types[machine_.class_of(worker)] == STARPU_CPU_WORKER;
  const unsigned runs = buffer.run(*buffer.codelet);
  const bool first = !on_cpu && runs == 0;
  buffer.samples.push_back({*buffer.codelet,
                            {.features = lesson.features,
                             .device_class = place_of(machine_.class_of(worker), lesson.features.categorical[0]),
                             .seconds = seconds.value_or(0),  // 0: no sample
                             .modelled = lesson.modelled},
                            first});
  // A CPU worker's only: what a GPU's task took is known by the end of the one before.
  if (on_cpu && seconds && *seconds < kShort && ++buffer.in_a_row > kEnough) {
    buffer.short_tasks = task.cl;
    buffer.skip = static_cast<unsigned>((buffer.random.next() >> 33) % 15);  // 7 on average
  }
  if (buffer.samples.size() >= kBuffered || buffer.taken < kTakenInAtOnce || runs < kFewRuns) flush(worker);
}

void SampledEstimates::flush(unsigned worker) {
  WorkerBuffer& buffer = buffers_[worker];
  if (buffer.samples.empty()) return;
  const RelaxedLock lock(mutex_);
  changed();
  for (const Pending& pending : buffer.samples) {
    const Sample& sample = pending.sample;
    const ClassId id = machine_.class_of(worker);
    const bool unknown = samples(pending.codelet, id) == 0 || attempts_of(pending.codelet).doubted[id];
    if (pending.first) {
      if (sample.seconds > 0) ratios_.ran_first(pending.codelet, id, sample.seconds);
      if (sample.seconds > 0 && unknown) tell_of(pending.codelet);
      continue;
    }
    const bool learnt = estimator_.learn(pending.codelet, sample);
    if (unknown) attempted(pending.codelet, id, learnt);
    if (!learnt || !profile_) continue;
    profile_->collect(codelets_[pending.codelet], machine_.classes()[id].name, sample.features, sample.seconds);
  }
  buffer.taken += static_cast<unsigned>(buffer.samples.size());
  buffer.samples.clear();
}

void SampledEstimates::save() {
  if (!has_profile_) return;
  for (unsigned worker = 0; worker < buffers_.size(); ++worker) flush(worker);
  const RelaxedLock lock(mutex_);
  if (profile_) profile_->save();
}

}  // namespace starpath
