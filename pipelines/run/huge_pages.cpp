// StarPU's hooks for main memory: map, advise, pin; and back.
#include "pipelines/run/huge_pages.hpp"

#include <starpu.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace starpath {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

struct Piece {
  std::size_t bytes;
  bool pinned;
};

std::mutex pieces_mutex;
std::unordered_map<void*, Piece> pieces;  // by address: starpu_free() is told no more

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// `bytes`, whole pages, from the beginning of a huge page on; nullptr without so much memory.
void* map_huge(std::size_t bytes) {
  void* const mapped = mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(mapped);
  const std::size_t before =
      round_up(reinterpret_cast<std::uintptr_t>(begin), kHugePage) - reinterpret_cast<std::uintptr_t>(begin);
  if (before > 0) munmap(begin, before);
  munmap(begin + before + bytes, kHugePage - before);
  madvise(begin + before, bytes, MADV_HUGEPAGE);  // small pages do as well
  return begin + before;
}

int take(unsigned, void** memory, std::size_t wanted, int flags) {
  const std::size_t bytes = round_up(wanted, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  // As StarPU does: without a CUDA device there is nobody to pin it.
  const bool pinned = (flags & STARPU_MALLOC_PINNED) != 0 && starpu_cuda_worker_get_count() > 0;
  *memory = map_huge(bytes);
  if (*memory == nullptr) return -ENOMEM;
  if (pinned && starpu_memory_pin(*memory, bytes) != 0) {
    munmap(*memory, bytes);
    *memory = nullptr;
    return -ENOMEM;
  }
  const std::lock_guard lock(pieces_mutex);
  pieces[*memory] = {bytes, pinned};
  return 0;
}

int give_back(unsigned, void* memory, std::size_t, int) {
  std::unique_lock lock(pieces_mutex);
  const auto piece = pieces.extract(memory);
  lock.unlock();
  if (piece.empty()) return -EINVAL;  // taken before: it stays until the process ends
  if (piece.mapped().pinned) starpu_memory_unpin(memory, piece.mapped().bytes);
  return munmap(memory, piece.mapped().bytes);
}

}  // namespace

HugePages::HugePages() { starpu_malloc_set_hooks(take, give_back); }
HugePages::~HugePages() { starpu_malloc_set_hooks(nullptr, nullptr); }

}  // namespace starpath
