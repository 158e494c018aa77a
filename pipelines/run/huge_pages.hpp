// Main memory that is pinned for GPUs in a fraction of the time.
#pragma once

namespace starpath {

/// While it lives, StarPU takes main memory for data in pages of 2 MiB, where the system has them, and pins it if
/// StarPU wants it pinned. Otherwise the CUDA driver makes pinned memory for StarPU (cudaHostAlloc), for one thread at
/// a time, which takes several times as long (bench/results/gpu.md). Not for a StarPU that tells NUMA nodes apart:
/// there, memory lies near the thread that writes it first. Begins before StarPU has data, ends after StarPU. One at a
/// time in a process.
class HugePages {
 public:
  HugePages();
  ~HugePages();
  HugePages(const HugePages&) = delete;
  HugePages& operator=(const HugePages&) = delete;
};

}  // namespace starpath
