// gpu_bench: CPU and GPU time of each operation on the benchmark tile, checked to give the same bytes.
#include <cuda_runtime.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/gpu/measure.hpp"
#include "bench/gpu/nbia_sweep.hpp"
#include "bench/gpu/operations.hpp"
#include "bench/kernels/tile.hpp"
#include "codelets/kernels/gpu_memory.hpp"
#include "support/cuda/device.hpp"

namespace starpath::bench {
namespace {

/// Milliseconds of what `work` queues on the stream: the median of `rounds`, after one that does not count.
template <class Work>
double queued_ms(cudaStream_t stream, int rounds, Work work) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<double> times;
  for (int i = 0; i <= rounds; ++i) {
    check(cudaEventRecord(begin, stream), "cudaEventRecord");
    work();
    check(cudaEventRecord(end, stream), "cudaEventRecord");
    check(cudaEventSynchronize(end), "the operation");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    if (i > 0) times.push_back(ms);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return median(times);
}

/// GB/s of copies: within the device (read and written bytes), and between pinned host memory and the device.
struct Copies {
  double device, in, out;
};

Copies measure_copies(cudaStream_t stream) {
  constexpr std::size_t bytes = std::size_t{256} << 20;
  void *a = support::device_allocate(bytes), *b = support::device_allocate(bytes), *host = nullptr;
  check(cudaMallocHost(&host, bytes), "pinned memory");
  const auto rate = [&](double moved, void* to, const void* from) {
    const double ms =
        queued_ms(stream, 9, [&] { check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copy"); });
    return moved / ms * 1e-6;
  };
  const auto size = static_cast<double>(bytes);
  const Copies copies{rate(2 * size, b, a), rate(size, a, host), rate(size, host, a)};
  cudaFreeHost(host);
  support::device_free(a);
  support::device_free(b);
  return copies;
}

/// The table of operations, of one alone if it is named, for people and as members of `result`. False when results
/// differ.
bool tell_operations(const KernelContext& context, const Copies& copies, const std::string& only,
                     nlohmann::json& result) {
  const auto stream = static_cast<cudaStream_t>(context.stream);
  fmt::print("| operation | CPU core ms | GPU ms | transfer ms | speedup | GB/s | of a copy | same bytes |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  bool all_equal = true;
  double whole = 0;
  for (const Operation& operation : operations()) {
    if (!only.empty() && operation.name != only) continue;
    const double cpu = wall_ms(3, operation.cpu);
    const double gpu = queued_ms(stream, 9, [&] { operation.gpu(context); });
    const auto in = static_cast<double>(operation.bytes_in), out = static_cast<double>(operation.bytes_out);
    const double transfer = in / copies.in * 1e-6 + out / copies.out * 1e-6, rate = (in + out) / gpu * 1e-6;
    const bool equal = operation.equal();
    all_equal = all_equal && equal;
    if (operation.segmentation) whole += gpu;
    fmt::print("| {} | {:.2f} | {:.3f} | {:.3f} | {:.1f} | {:.1f} | {:.1f} % | {} |\n", operation.name, cpu, gpu,
               transfer, cpu / gpu, rate, 100 * rate / copies.device, equal ? "yes" : "NO");
    std::fflush(stdout);
    result["operations"].push_back({{"name", operation.name},
                                    {"cpu_ms", cpu},
                                    {"gpu_ms", gpu},
                                    {"transfer_ms", transfer},
                                    {"speedup", cpu / gpu},
                                    {"gb_per_s", rate},
                                    {"same_bytes", equal}});
  }
  if (!only.empty()) return all_equal;
  fmt::print("\nall operations of the segmentation of one tile: {:.1f} ms on the device\n", whole);
  result["tile_ms"] = whole;
  return all_equal;
}

bool tell_sweep(nlohmann::json& result) {
  fmt::print(
      "\nNBIA by tile size, a tile, copies included:\n\n"
      "| side | CPU core ms | GPU ms, copies in turn | GPU ms, copies beside | streams | speedup in turn | beside | "
      "same "
      "votes |\n|---|---|---|---|---|---|---|---|\n");
  bool all_equal = true;
  for (const SweepRow& row : sweep_nbia()) {
    all_equal = all_equal && row.equal;
    fmt::print("| {} | {:.4f} | {:.4f} | {:.4f} | {} | {:.1f} | {:.1f} | {} |\n", row.side, row.cpu_ms, row.in_turn_ms,
               row.beside_ms, row.streams, row.cpu_ms / row.in_turn_ms, row.cpu_ms / row.beside_ms,
               row.equal ? "yes" : "NO");
    result["nbia_sweep"].push_back({{"side", row.side},
                                    {"cpu_ms", row.cpu_ms},
                                    {"in_turn_ms", row.in_turn_ms},
                                    {"beside_ms", row.beside_ms},
                                    {"streams", row.streams},
                                    {"same_votes", row.equal}});
  }
  return all_equal;
}

int run(const std::string& json_file, const std::string& only) {
  int devices = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess || devices == 0) {
    fmt::print(stderr, "gpu_bench: there is no CUDA device here ({}): nothing was measured\n",
               error == cudaSuccess ? "none found" : cudaGetErrorString(error));
    return 77;
  }
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  Scratch scratch(support::device_memory());
  constexpr std::int64_t pixels = std::int64_t{kTileSide} * kTileSide;
  scratch.reserve(
      std::max(gpu_scratch_bytes(pixels), detector_gpu_scratch_bytes(DetectorChannels{{16, 32, 48, 64}}, pixels)));
  const KernelContext context{scratch, stream};
  const Copies copies = measure_copies(stream);

  nlohmann::json result = {{"device", device.name},
                           {"tile", kTileSide},
                           {"copy_gb_per_s", copies.device},
                           {"copy_in_gb_per_s", copies.in},
                           {"copy_out_gb_per_s", copies.out}};
  fmt::print("device: {}; copies {:.0f} GB/s within it, {:.1f} GB/s in, {:.1f} GB/s out; tile {}x{}\n\n", device.name,
             copies.device, copies.in, copies.out, kTileSide, kTileSide);
  bool all_equal = tell_operations(context, copies, only, result);
  if (only.empty()) all_equal = tell_sweep(result) && all_equal;
  if (!json_file.empty()) std::ofstream(json_file) << result.dump(2) << '\n';
  return all_equal ? 0 : 1;
}

}  // namespace
}  // namespace starpath::bench

int main(int argc, char** argv) {
  CLI::App app(
      "Measures each operation on a GPU against one CPU core, on a tile of 4096x4096 pixels, and NBIA on tiles of 32 "
      "to 4096 pixels, with copies in turn and beside the kernels; compares their results. Exits 77 where there is no "
      "GPU, 1 when results differ.");
  std::string json_file, only;
  app.add_option("--json", json_file, "write the numbers to this file too");
  app.add_option("--only", only, "measure this operation alone, for a profiler");
  CLI11_PARSE(app, argc, argv);
  try {
    return starpath::bench::run(json_file, only);
  } catch (const std::exception& error) {
    fmt::print(stderr, "gpu_bench: {}\n", error.what());
    return 1;
  }
}
