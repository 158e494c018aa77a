// anthill-2010, Figure 7 and Table 2: the vector incrementer on a modelled GPU, with fixed numbers of CUDA streams and
// with the number that the policies' AdaptiveWindow finds while it runs. Prints JSON. A batch of events is copied in,
// computed and copied out, each event on a stream of its own (Algorithm 1). Kernels run one after the other. Copies
// pass one link in one direction at a time: all inputs of a batch, then its outputs, each once its kernel has ended.
// The next batch begins when the last output is home. Nothing is fitted: the link's share is the paper's 7:3, the time
// of an integer that of Table 2's best, which sets the unit of the plot and enters no claim.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <string>

#include "lab/machine.hpp"
#include "sched_policies/core/adaptive_window.hpp"

namespace starpath::bench::anthill {
namespace {

constexpr double kIntegers = 360e6;               // section 6.2
constexpr double kComputing = 16.15 / kIntegers;  // seconds an integer: Table 2, chunks of 1M, whose copies are hidden
constexpr double kOneWay = kComputing * 3 / 7 / 2;  // "a computation to communication ratio of 7:3", half either way
constexpr double kBytesOfInteger = 4;

struct Chunk {
  const char* name;
  double integers;
};
constexpr Chunk kChunks[] = {{"100K", 1e5}, {"500K", 5e5}, {"1M", 1e6}};  // Figure 7

class Incrementer {
 public:
  Incrementer(const lab::Accelerator& gpu, double integers)
      : copy_(gpu.latency + integers * kOneWay),
        compute_(gpu.latency + integers * kComputing),
        chunks_(static_cast<std::size_t>(std::lround(kIntegers / integers))),
        most_(std::max<std::size_t>(1, static_cast<std::size_t>(gpu.memory_bytes / (kBytesOfInteger * integers)))) {}

  /// Events whose chunks the memory holds.
  std::size_t most() const { return most_; }

  /// Seconds of the whole vector with so many streams.
  double with_fixed(std::size_t streams) const {
    const std::size_t rest = chunks_ % streams;
    return static_cast<double>(chunks_ / streams) * batch(streams) + (rest > 0 ? batch(rest) : 0);
  }

  /// The same with as many streams as the window says at the beginning of each batch.
  double with(AdaptiveWindow& window) const {
    double seconds = 0;
    for (std::size_t left = chunks_; left > 0;) {
      const std::size_t events = std::min(window.size(), left);
      const double took = batch(events);
      seconds += took;
      left -= events;
      window.observe(static_cast<double>(events) / took);
    }
    return seconds;
  }

 private:
  double batch(std::size_t events) const {
    double kernel = 0, link = static_cast<double>(events) * copy_;
    for (std::size_t event = 1; event <= events; ++event) {
      kernel = std::max(kernel, static_cast<double>(event) * copy_) + compute_;
      link = std::max(link, kernel) + copy_;
    }
    return link;
  }

  const double copy_, compute_;
  const std::size_t chunks_, most_;
};

std::string figures_of(const lab::Accelerator& gpu, const Chunk& chunk) {
  const Incrementer incrementer(gpu, chunk.integers);
  std::string fixed;
  for (std::size_t streams = 1; streams <= incrementer.most(); streams *= 2)
    fixed += fmt::format("{}\"{}\": {}", streams > 1 ? ", " : "", streams, incrementer.with_fixed(streams));
  AdaptiveWindow window(incrementer.most());
  const double adaptive = incrementer.with(window);
  return fmt::format("\"{}\": {{\"fixed\": {{{}}}, \"adaptive\": {}, \"found\": {}}}", chunk.name, fixed, adaptive,
                     window.size());
}

void print() {
  const lab::LabMachine machine = lab::read_machine(
      lab::ModelFile(lab::find_model(std::filesystem::path(STARPATH_LAB_MODELS), "machine", "anthill")));
  std::string all;
  for (const Chunk& chunk : kChunks) all += (all.empty() ? "" : ",\n ") + figures_of(machine.accelerators.at(0), chunk);
  fmt::print("{{{}}}\n", all);
}

}  // namespace
}  // namespace starpath::bench::anthill

int main() {
  try {
    starpath::bench::anthill::print();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "reproduce_copies: {}\n", error.what());
    return 1;
  }
}
