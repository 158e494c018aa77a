// The tasks of each shape.
#include "lab/workload.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/pure/random.hpp"

namespace starpath::lab {
namespace {

/// Builds a workload task by task.
class Builder {
 public:
  Builder(const WorkloadModel& model, const LabMachine& machine, std::uint64_t seed)
      : model_(model), machine_(machine), random_(seed * 2 + 1) {
    own_.name = model.name;
    own_.window = count("window");
    for (const CodeletModel& codelet : model.codelets) {
      const auto found = std::ranges::find(own_.streams, codelet.stream);
      stream_.push_back(static_cast<unsigned>(found - own_.streams.begin()));
      if (found == own_.streams.end()) own_.streams.push_back(codelet.stream);
      own_.kinds.push_back(codelet.name);
    }
  }

  double parameter(const char* name) const { return model_.parameters.at(name); }
  unsigned count(const char* name) const { return static_cast<unsigned>(std::llround(parameter(name))); }
  SplitMix64& random() { return random_; }
  Workload& workload() { return own_; }
  Workload finish() { return std::move(own_); }

  unsigned data(double megabytes, bool owned = false) {
    own_.data.push_back({megabytes * 1e6, owned});
    return static_cast<unsigned>(own_.data.size() - 1);
  }

  /// Starts a group, whose data have a content of their own.
  void group() {
    content_ = random_.lognormal(model_.content_spread);
    known_ = content_ * random_.lognormal(model_.known_spread);
    ++own_.groups;
  }

  double seconds_on_cpu(const CodeletModel& kind) const {
    const double loss = machine_.full_cores > 1 && machine_.cpu_workers() > 1
                            ? (1 - machine_.efficiency) * (machine_.cpu_workers() - 1) / (machine_.full_cores - 1)
                            : 0;
    return kind.core_ms * 1e-3 * model_.reference_core_speed / machine_.core_speed / (1 - loss);
  }

  double seconds_on(const CodeletModel& kind, const Accelerator& device) const {
    const bool gpu = device.kind == AcceleratorKind::gpu;
    const auto speedup = gpu ? kind.gpu : kind.mic;
    if (!speedup) return HUGE_VAL;
    const double faster = device.memory_bandwidth / (gpu ? model_.reference_gpu : model_.reference_mic);
    return kind.core_ms * 1e-3 / *speedup * (1 - kind.regular + kind.regular / faster);
  }

  /// A task of the kind `work` times as long as the model's. `gains`: factors on the accelerators' times.
  WorkTask& task(unsigned kind, std::vector<Access> data, double work = 1, std::vector<double> gains = {}) {
    const CodeletModel& model = model_.codelets[kind];
    WorkTask task;
    task.codelet = stream_[kind];
    task.kind = kind;
    task.group = own_.groups - 1;
    task.data = std::move(data);
    double megabytes = 0;
    for (const Access& access : task.data) megabytes += own_.data[access.data].bytes * 1e-6;
    task.parameters = {megabytes, known_};
    const double factor = work * std::pow(content_, model.content);
    for (std::size_t c = 0; c < machine_.classes(); ++c) {
      const double own = c == 0 ? seconds_on_cpu(model) : seconds_on(model, machine_.accelerators[c - 1]);
      const double gain = c > 0 && c <= gains.size() ? gains[c - 1] : 1;
      task.seconds.push_back(own * gain * factor * random_.lognormal(model_.device_spread));
    }
    own_.tasks.push_back(std::move(task));
    return own_.tasks.back();
  }

  const LabMachine& machine() const { return machine_; }
  const WorkloadModel& model() const { return model_; }

  /// Adds up the tasks from `first` on into one: the tile as a single task.
  void merge(std::size_t first) {
    WorkTask whole = own_.tasks[first];
    for (std::size_t i = first + 1; i < own_.tasks.size(); ++i)
      for (std::size_t c = 0; c < whole.seconds.size(); ++c) {
        // Reading is the host's part of a task that runs elsewhere.
        if (!std::isfinite(whole.seconds[c])) whole.seconds[c] = whole.seconds[0];
        whole.seconds[c] += own_.tasks[i].seconds[c];
      }
    own_.tasks.resize(first);
    own_.tasks.push_back(std::move(whole));
  }

 private:
  const WorkloadModel& model_;
  const LabMachine& machine_;
  SplitMix64 random_;
  Workload own_;
  std::vector<unsigned> stream_;
  double content_ = 1, known_ = 1;
};

constexpr AccessMode kRead = AccessMode::read, kWrite = AccessMode::write, kReadWrite = AccessMode::read_write;

void nbia(Builder& build) {
  for (unsigned i = 0; i < build.count("tiles"); ++i) {
    build.group();
    const unsigned verdict = build.data(16e-6, true);  // the program.s
    build.task(0, {{build.data(build.parameter("low_MB")), kRead}, {verdict, kWrite}});
    if (build.random().uniform() >= build.parameter("recalc_rate")) continue;
    build.task(1, {{verdict, kRead}, {build.data(build.parameter("high_MB")), kRead}, {build.data(16e-6), kWrite}});
  }
}

/// Between the smallest and the largest side a task's time grows with its pixels, from the time of `small` to that of
/// `large`.
void nbia_sizes(Builder& build) {
  constexpr double kLeast = 32, kMost = 512, kBytesAPixel = 12;
  const CodeletModel &small = build.model().codelets[0], &large = build.model().codelets[1];
  for (unsigned i = 0; i < build.count("tiles"); ++i) {
    build.group();
    const double fixed = build.parameter("side"), drawn = kLeast + (kMost - kLeast) * build.random().uniform();
    const double side = fixed > 0 ? fixed : drawn;
    const auto between = [&](double least, double most) {
      return least + (most - least) * (side * side - kLeast * kLeast) / (kMost * kMost - kLeast * kLeast);
    };
    const double work = between(build.seconds_on_cpu(small), build.seconds_on_cpu(large)) / build.seconds_on_cpu(small);
    std::vector<double> gains;
    for (const Accelerator& device : build.machine().accelerators)
      gains.push_back(between(build.seconds_on(small, device), build.seconds_on(large, device)) /
                      (build.seconds_on(small, device) * work));
    build.task(0, {{build.data(kBytesAPixel * side * side * 1e-6), kRead}, {build.data(16e-6), kWrite}}, work, gains);
  }
}

/// The stage graph of one tile: DESIGN's operations 1 to 11, the features in four tasks. Sizes in bytes a pixel: an
/// image has 3, a mask or gray image 1, labels and distances 4.
void segmentation_tile(Builder& build) {
  enum { read, background, rbc, open, recon, fill, area, select, pre, ws, label, colour, pixel, gradient, edge };
  const double plane = build.parameter("tile_MB") / 3;
  const auto mask = [&] { return build.data(plane); };
  const auto wide = [&] { return build.data(4 * plane); };
  const unsigned tile = build.data(3 * plane), no_tissue = mask(), red = mask(), opened = mask(), diff = mask(),
                 filled = mask(), seeds = mask(), chosen = mask(), distance = wide(), cut = mask(), labels = wide(),
                 stains = build.data(3 * plane), rows = build.data(1);
  build.task(read, {{tile, kWrite}});
  build.task(background, {{tile, kRead}, {no_tissue, kWrite}});
  build.task(rbc, {{tile, kRead}, {red, kWrite}});
  build.task(open, {{tile, kRead}, {opened, kWrite}});
  build.task(recon, {{tile, kRead}, {opened, kRead}, {diff, kWrite}});
  build.task(fill, {{diff, kRead}, {filled, kWrite}});
  build.task(area, {{filled, kRead}, {seeds, kWrite}});
  build.task(select, {{no_tissue, kRead}, {red, kRead}, {diff, kRead}, {seeds, kRead}, {chosen, kWrite}});
  build.task(pre, {{chosen, kRead}, {distance, kWrite}});
  build.task(ws, {{chosen, kRead}, {distance, kRead}, {cut, kWrite}});
  build.task(label, {{cut, kRead}, {labels, kWrite}});
  build.task(colour, {{tile, kRead}, {stains, kWrite}});
  for (const unsigned kind : {pixel, gradient, edge})
    build.task(kind, {{stains, kRead}, {labels, kRead}, {kind == pixel ? rows : build.data(1), kWrite}});
}

void segmentation(Builder& build) {
  const bool monolithic = build.count("monolithic") != 0;
  for (unsigned i = 0; i < build.count("tiles"); ++i) {
    build.group();
    if (!monolithic) {
      segmentation_tile(build);
      continue;
    }
    Workload& own = build.workload();
    const std::size_t first = own.tasks.size(), kept = own.data.size();
    segmentation_tile(build);
    build.merge(first);
    own.data.resize(kept);
    own.tasks.back().data = {{build.data(build.parameter("tile_MB")), kRead}, {build.data(3), kWrite}};
  }
}

void independent(Builder& build) {
  const double least = build.parameter("least_speedup"), most = build.parameter("most_speedup");
  const CodeletModel& model = build.model().codelets[0];
  for (unsigned i = 0; i < build.count("tasks"); ++i) {
    build.group();
    // Speedups over the model's: drawn once for GPUs, once for MICs.
    const double gpu = least + (most - least) * build.random().uniform();
    const double mic = least + (most - least) * build.random().uniform();
    std::vector<double> gains, known;
    for (const Accelerator& device : build.machine().accelerators) {
      const bool is_gpu = device.kind == AcceleratorKind::gpu;
      gains.push_back((is_gpu ? model.gpu : model.mic).value_or(1) / (is_gpu ? gpu : mic));
    }
    const unsigned data = build.data(build.parameter("data_MB"));
    WorkTask& task = build.task(0, {{data, kReadWrite}}, 1, gains);
    // What a program could know of its task: two properties that make devices differ.
    task.parameters.push_back(gpu);
    task.parameters.push_back(mic);
  }
}

void chains(Builder& build) {
  for (unsigned i = 0; i < build.count("chains"); ++i) {
    build.group();
    const unsigned data = build.data(build.parameter("data_MB"));
    for (unsigned step = 0; step < build.count("length"); ++step) build.task((i + step) % 3, {{data, kReadWrite}});
  }
}

void cholesky(Builder& build) {
  enum { potrf, trsm, syrk, gemm };
  const unsigned n = build.count("blocks");
  std::vector<std::vector<unsigned>> block(n);
  for (unsigned row = 0; row < n; ++row)
    for (unsigned column = 0; column <= row; ++column) block[row].push_back(build.data(build.parameter("block_MB")));
  // A priority is higher the earlier the column and the closer to it a task is, so that the next factor is early.
  const auto task = [&](unsigned kind, unsigned step, unsigned row, std::vector<Access> data) {
    build.task(kind, std::move(data)).priority = static_cast<int>(3 * n - step - 2 * row);
  };
  for (unsigned k = 0; k < n; ++k) {
    build.group();
    task(potrf, k, k, {{block[k][k], kReadWrite}});
    for (unsigned i = k + 1; i < n; ++i) task(trsm, k, i, {{block[k][k], kRead}, {block[i][k], kReadWrite}});
    for (unsigned i = k + 1; i < n; ++i) {
      task(syrk, k, i, {{block[i][k], kRead}, {block[i][i], kReadWrite}});
      for (unsigned j = k + 1; j < i; ++j)
        task(gemm, k, i, {{block[i][k], kRead}, {block[j][k], kRead}, {block[i][j], kReadWrite}});
    }
  }
}

/// Each task writes data of its own and reads what random earlier ones wrote.
void random_dag(Builder& build) {
  enum { any, core };
  const auto chance = [&] { return build.random().uniform(); };
  std::vector<unsigned> written;
  for (unsigned i = 0; i < build.count("tasks"); ++i) {
    build.group();
    std::vector<Access> data;
    const auto edges = static_cast<unsigned>(2 * build.parameter("edges_per_task") * chance());
    for (unsigned edge = 0; edge < edges && i > 0; ++edge) {
      const unsigned read = written[static_cast<std::size_t>(chance() * i)];
      if (std::ranges::find(data, read, &Access::data) == data.end()) data.push_back({read, kRead});
    }
    written.push_back(build.data(build.parameter("data_MB") * chance()));
    data.push_back({written.back(), kWrite});
    build.task(chance() < build.parameter("cores_only") ? core : any, std::move(data));
  }
}

void vector_increment(Builder& build) {
  const double chunk = build.parameter("chunk");
  for (double left = build.parameter("integers"); left > 0; left -= chunk) {
    build.group();
    const double own = std::min(left, chunk);
    build.task(0, {{build.data(4e-6 * own), kReadWrite}}, own * 1e-6);
  }
}

}  // namespace

Workload make_workload(const WorkloadModel& model, const LabMachine& machine, std::uint64_t seed) {
  Builder build(model, machine, seed);
  if (model.shape == "nbia") nbia(build);
  if (model.shape == "nbia-sizes") nbia_sizes(build);
  if (model.shape == "segmentation") segmentation(build);
  if (model.shape == "independent") independent(build);
  if (model.shape == "chains") chains(build);
  if (model.shape == "cholesky") cholesky(build);
  if (model.shape == "random-dag") random_dag(build);
  if (model.shape == "vector-increment") vector_increment(build);
  return build.finish();
}

std::vector<std::vector<unsigned>> dependencies(const Workload& workload) {
  constexpr unsigned kNobody = ~0u;
  struct State {
    unsigned writer = kNobody;
    std::vector<unsigned> readers;
  };
  std::vector<State> states(workload.data.size());
  std::vector<std::vector<unsigned>> after(workload.tasks.size());
  for (unsigned i = 0; i < workload.tasks.size(); ++i) {
    std::vector<unsigned>& own = after[i];
    for (const Access& access : workload.tasks[i].data) {
      State& state = states[access.data];
      if (access.mode == AccessMode::read || state.readers.empty()) {
        if (state.writer != kNobody) own.push_back(state.writer);
      }
      if (access.mode == AccessMode::read) {
        state.readers.push_back(i);
        continue;
      }
      own.insert(own.end(), state.readers.begin(), state.readers.end());
      state = {i, {}};
    }
    std::ranges::sort(own);
    const auto repeated = std::ranges::unique(own);
    own.erase(repeated.begin(), repeated.end());
  }
  return after;
}

std::vector<BoundTask> bound_tasks(const Workload& workload) {
  const auto after = dependencies(workload);
  std::vector<BoundTask> tasks;
  for (std::size_t i = 0; i < workload.tasks.size(); ++i) tasks.push_back({workload.tasks[i].seconds, after[i]});
  return tasks;
}

}  // namespace starpath::lab
