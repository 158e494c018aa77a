// Main memory that is pinned for GPUs in a fraction of the time.
#pragma once

namespace starpath {

/// While it lives, StarPU takes main memory for data in pages of 2 MiB, where the system has them, and pins it if it
/// wants it pinned. Pinned memory that the CUDA driver makes (cudaHostAlloc), which StarPU takes otherwise, is made for
/// one thread at a time and takes several times as long (bench/results/gpu.md). Not for a StarPU that tells NUMA nodes
/// apart: memory lies near who writes it first. Begins before StarPU has data, ends after StarPU. One at a time in a
/// process.
class HugePages {
 public:
  HugePages();
  ~HugePages();
  HugePages(const HugePages&) = delete;
  HugePages& operator=(const HugePages&) = delete;
};

}  // namespace starpath
