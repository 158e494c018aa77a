// Workflows drawn at random in the shapes of published scientific ones: many codelets, with few tasks each.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/pure/random.hpp"
#include "support/random_dag.hpp"

namespace starpath {

/// Tasks on a machine, and the size of each task's input, which its time on every class is in proportion to but for
/// some noise. Costs hold no estimates.
struct DrawnWorkflow {
  Machine machine;
  des::Dag dag;
  std::vector<double> sizes;
};

/// Draws one workflow. Shapes follow Montage, Epigenomics, CyberShake, LIGO Inspiral, SIPHT (Juve et al., Future
/// Generation Computer Systems 29, 2013) and 1000Genome, and layers at random. An accelerator runs a codelet 1 to 40
/// times as fast as a core, drawn on a logarithmic scale; one codelet in eight runs on cores alone.
class WorkflowDrawing {
 public:
  explicit WorkflowDrawing(std::uint64_t seed) : random_(seed) {}

  DrawnWorkflow draw() {
    constexpr std::array<unsigned, 3> kCores = {4, 9, 15};
    machine_ = des::machine(kCores[below(3)], {1 + static_cast<unsigned>(below(3))});
    const std::size_t width = 4 + below(28);
    switch (below(7)) {
      case 0:
        montage(width);
        break;
      case 1:
        epigenomics(width);
        break;
      case 2:
        cybershake(width);
        break;
      case 3:
        inspiral(width);
        break;
      case 4:
        sipht(width);
        break;
      case 5:
        genomes(width);
        break;
      default:
        layers(width);
        break;
    }
    return {machine_, std::move(dag_), std::move(sizes_)};
  }

 private:
  using Tasks = std::vector<std::size_t>;
  struct Codelet {
    double seconds = 0, speedup = 0;  // of a task of size 1 on a core; of an accelerator
    bool on_accelerators = false;
  };

  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(random_.uniform() * static_cast<double>(bound));
  }
  double between(double low, double high) { return low * std::pow(high / low, random_.uniform()); }

  CodeletId codelet() {
    codelets_.push_back({between(0.5, 50), between(1, 40), random_.uniform() >= 0.125});
    return static_cast<CodeletId>(codelets_.size() - 1);
  }

  std::size_t task(CodeletId codelet, std::span<const std::size_t> after) {
    const Codelet& kind = codelets_[codelet];
    const std::size_t number = dag_.jobs.size();
    des::Job& job = dag_.jobs.emplace_back();
    job.codelet = codelet;
    sizes_.push_back(random_.lognormal(0.4));
    for (WorkerId worker = 0; worker < machine_.workers(); ++worker) {
      if (kind.on_accelerators || machine_.kind_of(worker) == DeviceKind::cpu) job.workers.insert(worker);
    }
    for (const DeviceClass& device : machine_.classes()) {
      const double speedup = device.kind == DeviceKind::cpu ? 1 : kind.speedup;
      job.seconds.push_back(kind.seconds * sizes_.back() / speedup * random_.lognormal(0.1));
    }
    for (const std::size_t before : after) dag_.jobs[before].successors.push_back(number);
    job.predecessors = after.size();
    return number;
  }
  std::size_t one(std::span<const std::size_t> after) { return task(codelet(), after); }
  /// As many as there are `after`, each after one of them.
  Tasks each(std::span<const std::size_t> after) {
    const CodeletId kind = codelet();
    Tasks tasks;
    for (const std::size_t before : after) tasks.push_back(task(kind, {&before, 1}));
    return tasks;
  }
  Tasks many(std::size_t count, std::span<const std::size_t> after) {
    const CodeletId kind = codelet();
    Tasks tasks;
    while (tasks.size() < count) tasks.push_back(task(kind, after));
    return tasks;
  }
  /// One for each `size` of them.
  Tasks groups(std::span<const std::size_t> after, std::size_t size) {
    const CodeletId kind = codelet();
    Tasks tasks;
    for (std::size_t i = 0; i < after.size(); i += size) {
      tasks.push_back(task(kind, after.subspan(i, std::min(size, after.size() - i))));
    }
    return tasks;
  }

  void montage(std::size_t width) {
    const Tasks projected = many(width, {});
    const CodeletId difference = codelet();
    Tasks differences;
    for (std::size_t i = 0; i + 1 < width; ++i) {
      for (const std::size_t step : {1, 3}) {
        if (i + step < width) differences.push_back(task(difference, std::array{projected[i], projected[i + step]}));
      }
    }
    const std::size_t fit = one(differences);
    const std::size_t model = one({&fit, 1});
    const CodeletId background = codelet();
    Tasks corrected;
    for (const std::size_t image : projected) corrected.push_back(task(background, std::array{image, model}));
    const std::size_t table = one(corrected);
    const std::size_t sum = one({&table, 1});
    one({&sum, 1});
  }
  void epigenomics(std::size_t width) {
    const Tasks lanes = many(1 + below(4), {});
    Tasks tasks;
    const CodeletId filter = codelet();
    for (std::size_t i = 0; i < width; ++i) tasks.push_back(task(filter, {&lanes[i % lanes.size()], 1}));
    for (int step = 0; step < 3; ++step) tasks = each(tasks);
    const Tasks merged = groups(tasks, 8);
    const std::size_t all = one(merged);
    const std::size_t index = one({&all, 1});
    one({&index, 1});
  }
  void cybershake(std::size_t width) {
    const Tasks tensors = many(2 + below(4), {});
    const CodeletId synthesis = codelet();
    Tasks seismograms;
    for (std::size_t i = 0; i < 2 * width; ++i)
      seismograms.push_back(task(synthesis, {&tensors[i % tensors.size()], 1}));
    const Tasks peaks = each(seismograms);
    one(seismograms);
    one(peaks);
  }
  void inspiral(std::size_t width) {
    Tasks tasks = each(many(width, {}));
    tasks = each(groups(tasks, 5));
    Tasks again;
    const CodeletId second = codelet();
    for (std::size_t i = 0; i < width; ++i) again.push_back(task(second, {&tasks[i % tasks.size()], 1}));
    groups(again, 5);
  }
  void sipht(std::size_t width) {
    const std::size_t matched = one(many(width, {}));
    Tasks found;
    for (int kind = 0; kind < 4; ++kind) found.push_back(one({}));
    const std::size_t candidates = one(found);
    Tasks compared = {matched};
    for (int kind = 0; kind < 7; ++kind) compared.push_back(one({&candidates, 1}));
    one(compared);
  }
  void genomes(std::size_t width) {
    Tasks merged, sifted;
    const CodeletId individuals = codelet(), merge = codelet(), sift = codelet();
    for (std::size_t chromosome = 0; chromosome < 1 + width / 8; ++chromosome) {
      Tasks parts;
      for (int part = 0; part < 6; ++part) parts.push_back(task(individuals, {}));
      merged.push_back(task(merge, parts));
      sifted.push_back(task(sift, {}));
    }
    const CodeletId overlap = codelet(), frequency = codelet();
    for (std::size_t i = 0; i < merged.size(); ++i) {
      for (int population = 0; population < 4; ++population) {
        task(overlap, std::array{merged[i], sifted[i]});
        task(frequency, std::array{merged[i], sifted[i]});
      }
    }
  }
  void layers(std::size_t width) {
    std::vector<CodeletId> kinds(6 + below(14));
    for (CodeletId& kind : kinds) kind = codelet();
    Tasks before;
    for (std::size_t layer = 0; layer < 5; ++layer) {
      Tasks tasks;
      for (std::size_t i = 0; i < width; ++i) {
        Tasks reads;
        for (std::size_t r = 0; r < 2 && !before.empty(); ++r) reads.push_back(before[below(before.size())]);
        if (reads.size() == 2 && reads[0] == reads[1]) reads.pop_back();
        tasks.push_back(task(kinds[below(kinds.size())], reads));
      }
      before = std::move(tasks);
    }
  }

  SplitMix64 random_;
  Machine machine_ = des::machine(1, {});
  std::vector<Codelet> codelets_;
  des::Dag dag_;
  std::vector<double> sizes_;
};

}  // namespace starpath
