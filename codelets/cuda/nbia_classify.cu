// NBIA's classifier: one block a vote. Logarithms and distances by all threads; each sum of doubles by one thread, in
// the order that all devices share.
#include <limits>

#include "codelets/cuda/warp.hpp"
#include "codelets/kernels/nbia_classify.hpp"

namespace starpath::cuda {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kMatrix = kNbiaLevels * kNbiaLevels, kFeaturesAMatrix = 5;
constexpr int kFeatureCount = static_cast<int>(kNbiaFeatureCount);
constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

/// NLog2N from a table.
struct KnownLogs {
  const double* logs;
  STARPATH_HD double operator()(std::size_t at, std::uint64_t) const { return logs[at]; }
};

/// The smallest of the block's values. All its threads call this, and get it.
__device__ std::int64_t block_min(std::int64_t value, std::int64_t* of_warps) {
  value = warp_min(static_cast<long long>(value));
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();
  for (int w = 0; w < kWarps; ++w) value = of_warps[w] < value ? of_warps[w] : value;
  __syncthreads();
  return value;
}

/// Of the keys of this thread's samples, the smallest above `last`, or none.
__device__ std::int64_t next_key(const std::int64_t* keys, int count, std::int64_t last) {
  std::int64_t next = kNone;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kThreads)
    if (keys[i] > last && keys[i] < next) next = keys[i];
  return next;
}

/// `keys`: one a sample.
__global__ void __launch_bounds__(kThreads)
    classify_kernel(const NbiaCounts* counts, NbiaSamples samples, std::int64_t* keys, NbiaVote* vote) {
  STARPATH_SHARED(double, logs, 3 * kMatrix);
  STARPATH_SHARED(double, features, kFeatureCount);
  STARPATH_SHARED(int, z, kFeatureCount);
  STARPATH_SHARED(std::int64_t, of_warps, kWarps);
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32;
  if (nbia_background(*counts)) {
    if (thread == 0) *vote = kNbiaGlass;
    return;
  }
  for (int i = thread; i < 3 * kMatrix; i += kThreads)
    logs[i] = n_log2_n(symmetric_count(counts->pairs[i / kMatrix], static_cast<std::size_t>(i % kMatrix)));
  __syncthreads();
  if (warp < 3 && thread % 32 == 0) {
    const auto values = cooccurrence_features(counts->pairs[warp], KnownLogs{&logs[0] + warp * kMatrix});
    for (int i = 0; i < kFeaturesAMatrix; ++i)
      features[warp * kFeaturesAMatrix + i] = values[static_cast<std::size_t>(i)];
  } else if (warp == 3 && thread % 32 == 0) {
    const auto values = pattern_features(counts->lbp);
    for (int i = 0; i < kLbpBins; ++i) features[3 * kFeaturesAMatrix + i] = values[static_cast<std::size_t>(i)];
  }
  __syncthreads();
  if (thread < kFeatureCount) z[thread] = nbia_z(features[thread], samples.mean[thread], samples.deviation[thread]);
  __syncthreads();
  for (int i = thread; i < samples.count; i += kThreads) {
    std::int64_t distance = 0;
    for (int f = 0; f < kFeatureCount; ++f) {
      const int difference = z[f] - samples.z[std::ptrdiff_t{f} * samples.count + i];
      distance += difference * difference;
    }
    keys[i] = distance << 32 | i;
  }
  std::int64_t next = next_key(keys, samples.count, -1);
  int rich = 0;
  std::int64_t distances = 0;
  for (int k = 0; k < kNbiaNeighbours; ++k) {
    const std::int64_t nearest = block_min(next, of_warps);
    if (next == nearest) next = next_key(keys, samples.count, nearest);
    rich += samples.labels[nearest & 0xffffffff] == NbiaLabel::stroma_rich ? 1 : 0;
    distances += nearest >> 32;
  }
  if (thread == 0) *vote = nbia_vote(rich, distances);
}

}  // namespace

void nbia_classify(const KernelContext& context, const NbiaCounts& counts, const NbiaSamples& samples, NbiaVote* vote) {
  const Scratch::Mark mark(context.scratch);
  std::int64_t* const keys = context.scratch.take<std::int64_t>(static_cast<std::size_t>(samples.count)).data();
  launch(context, "nbia_classify", dim3(1), dim3(kThreads), classify_kernel, &counts, samples, keys, vote);
}

}  // namespace starpath::cuda
