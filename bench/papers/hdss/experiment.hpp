// The machines and loops of hdss-2013 as rate curves.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loops/dispatcher.hpp"
#include "loops/rivals.hpp"
#include "loops/schedule_list.hpp"
#include "support/loop_simulation.hpp"
#include "support/rival_weights.hpp"

namespace starpath::bench::hdss {

using loops::simulation::Outcome;
using loops::simulation::Processor;

/// What Axel knows of a machine.
struct DataSheets {
  loops::DataSheet device, core;
};
/// C2050: 1,030 GFLOPS behind PCIe 2.0 x16. Opteron 6200: 2.3 GHz, taken to do 4 operations a cycle; 51.2 GB/s of
/// memory for 16 cores.
inline constexpr DataSheets kGpuSheets{{1.03e6, 8e3}, {9.2e3, 3.2e3}};
/// Virtex 4 LX200 of SGI's RASC: 96 multiply-adders of 500 MHz behind NUMAlink 4, 3.2 GB/s each way. Itanium 2
/// Montecito: 1.6 GHz, 4 operations a cycle; a bus of 8.5 GB/s for two cores.
inline constexpr DataSheets kFpgaSheets{{9.6e4, 3.2e3}, {6.4e3, 4.25e3}};

/// A row of Table I. Iterations: Figures 1 and 6 for Black-Scholes and Histogram, 750 MB (GPU) or 250 MB (FPGA) of
/// 4-byte elements for the others.
struct Application {
  const char* name;
  std::size_t iterations;
  double cpu_seconds;     // on one core
  double device_seconds;  // on the accelerator alone, in one block
  std::size_t rows = 0;   // of a wavefront; 0: independent iterations
  const DataSheets* sheets = &kGpuSheets;
};

inline constexpr Application kGpuApplications[] = {{"Blackscholes", 67'000'000, 169.8, 4.7},
                                                   {"Histogram", 210'000'000, 133.4, 1.82},
                                                   {"BoxFilter", 187'500'000, 346.1, 4.25},
                                                   {"Heat2D", 187'500'000, 592.7, 124.6, 15'000},
                                                   {"StrMatch", 187'500'000, 447.5, 91.4, 15'000}};
inline constexpr Application kFpgaApplications[] = {{"Blackscholes", 12'500'000, 246.8, 15.0, 0, &kFpgaSheets},
                                                    {"Histogram", 62'500'000, 155.2, 25.1, 0, &kFpgaSheets}};

/// How the accelerator's rate grows with the block: a ln(x) + b from `at_1024` of the full rate at 1,024 iterations to
/// the full rate at `stable`; flat from there. The text states where Histogram is stable (2.7 million, section 4.4);
/// the curves of Figure 8 are not in it, so the rate at 1,024 is our assumption, and varied on the page.
struct Curve {
  double at_1024 = 0.1;
  double stable = 2.7e6;
};

inline Processor core(const Application& application, double noise = 0) {
  const double rate = static_cast<double>(application.iterations) / application.cpu_seconds / 1e6;
  return {.a = 0, .b = rate, .lowest = rate, .noise = noise};
}

inline Processor accelerator(const Application& application, const Curve& curve, double noise = 0) {
  const double n = static_cast<double>(application.iterations);
  const double stable = std::min(curve.stable, n);
  const double full = n / application.device_seconds / 1e6;
  const double a = full * (1 - curve.at_1024) / std::log(stable / 1024);
  return {.a = a,
          .b = full - a * std::log(stable),
          .lowest = full * curve.at_1024 / 8,
          .saturation = stable,
          .noise = noise};
}

/// The accelerator first, then threads - 1 cores.
inline std::vector<Processor> machine(const Application& application, unsigned threads, const Curve& curve,
                                      double noise = 0) {
  std::vector<Processor> processors(threads, core(application, noise));
  processors[0] = accelerator(application, curve, noise);
  return processors;
}

/// Cores that are slower by `loss` of a machine's `full` threads when that many run.
inline std::vector<Processor> losing(std::vector<Processor> processors, double loss, unsigned full) {
  for (std::size_t i = 1; i < processors.size(); ++i) {
    processors[i].b *= 1 - loss * static_cast<double>(processors.size()) / full;
    processors[i].lowest = processors[i].b;
  }
  return processors;
}

/// Seconds when every processor always ran at its full rate and all ended together (Figure 14).
inline double ideal_seconds(const Application& application, unsigned threads) {
  return 1 / (1 / application.device_seconds + (threads - 1) / application.cpu_seconds);
}

/// Eight strides a processor up to 64, then four.
inline std::size_t wavefront_stride(const Application& application, std::size_t processors) {
  const std::size_t strides = std::max(4 * processors, std::min<std::size_t>(8 * processors, 64));
  return std::max<std::size_t>(1, application.iterations / application.rows / strides);
}

/// "hdss" is the paper's, with tiles of one stride in wavefronts (section 3.3). "hdss, lanes" is ours: lanes, and the
/// growth of 100 that they were tuned with.
inline constexpr std::string_view kSchedules[] = {"hdss",  "linear", "exponential", "gss",
                                                  "qilin", "axel",   "hdss, lanes"};

/// The blocks of Qilin's training, the same for every figure: as all schedules it begins with 1,024, and it grows by as
/// much, until 30 % of the loop have run (section 4.3).
inline std::vector<double> qilin_training(std::size_t iterations) {
  std::vector<double> blocks;
  double left = 0.3 * static_cast<double>(iterations);
  for (double block = 1024; block <= left; block += 1024) {
    blocks.push_back(block);
    left -= block;
  }
  return blocks;
}

inline double qilin_weight(const Processor& processor, std::size_t iterations) {
  std::vector<loops::TrainingPoint> points;
  for (const double block : qilin_training(iterations)) points.push_back({block, processor.microseconds(block)});
  return loops::qilin_weight(points);
}

inline std::unique_ptr<loops::Schedule> make_schedule(std::string_view name, const Application& application,
                                                      const std::vector<Processor>& processors, double guided_share,
                                                      double growth) {
  loops::LoopSetup setup{.iterations = application.iterations, .processors = {}};
  setup.guided_share = guided_share;
  setup.growth = name == "hdss, lanes" ? 100 : growth;
  setup.processors.assign(processors.size(), {.initial_block = 1024, .block_factor = 128});
  std::vector<double> weights;
  if (name == "qilin") {
    for (const Processor& processor : processors) weights.push_back(qilin_weight(processor, application.iterations));
  } else if (name == "axel") {
    weights.assign(processors.size(), loops::axel_weight(application.sheets->core, 100, 4));
    weights[0] = loops::axel_weight(application.sheets->device, 100, 4);
  }
  if (!weights.empty()) return std::make_unique<loops::Static>(setup, weights);
  return loops::make_schedule(name == "hdss, lanes" ? "hdss" : name, setup);
}

inline Outcome run(std::string_view schedule, const Application& application, const std::vector<Processor>& processors,
                   double guided_share = 1, unsigned seed = 1, double growth = loops::LoopSetup{}.growth) {
  auto made = make_schedule(schedule, application, processors, guided_share, growth);
  if (application.rows > 0) {
    const std::size_t columns = application.iterations / application.rows;
    loops::WavefrontDispatcher dispatcher({.rows = application.rows,
                                           .columns = columns,
                                           .stride = wavefront_stride(application, processors.size()),
                                           .dependencies = {{1, 0}, {0, 1}}},
                                          std::move(made), schedule == "hdss" ? loops::Lanes::off : loops::Lanes::on);
    return loops::simulation::run(dispatcher, processors, seed);
  }
  loops::Dispatcher dispatcher(application.iterations, std::move(made));
  return loops::simulation::run(dispatcher, processors, seed);
}

}  // namespace starpath::bench::hdss
