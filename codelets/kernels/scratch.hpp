// Scratch memory of kernels: kept between calls, so that kernels on the steady path never ask the system for memory.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace starpath {

/// Where scratch memory comes from. allocate(self, bytes) returns nullptr when there is no more; results are aligned to
/// 64 bytes.
struct MemorySource {
  void* (*allocate)(void* self, std::size_t bytes);
  void (*release)(void* self, void* data, std::size_t bytes);
  void* self = nullptr;
};

namespace detail {
inline void* allocate_host(void*, std::size_t bytes) { return std::aligned_alloc(64, bytes); }
inline void release_host(void*, void* data, std::size_t) { std::free(data); }
}  // namespace detail

/// Host memory.
inline MemorySource host_memory() { return {detail::allocate_host, detail::release_host}; }

/// A stack of memory blocks. A block from take() stays valid until the Mark that was open then ends; on a GPU, until
/// the work that was queued before that on the worker's CUDA stream has run. Contents are unspecified. Not thread-safe:
/// each worker has one. take() and reserve() throw std::bad_alloc.
class Scratch {
 public:
  explicit Scratch(MemorySource source = host_memory()) : source_(source) {}
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// Bytes that the source has given.
  std::size_t reserved() const;
  /// Afterwards `bytes` in one piece can be taken without asking the source, as long as nothing else is taken.
  void reserve(std::size_t bytes);
  template <class T>
  std::span<T> take(std::size_t count);

  /// Gives back, when it ends, everything taken since it began. Every kernel opens one first.
  class Mark {
   public:
    explicit Mark(Scratch& scratch) : scratch_(scratch), block_(scratch.block_), used_(scratch.used_) {}
    ~Mark() {
      scratch_.block_ = block_;
      scratch_.used_ = used_;
    }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;

   private:
    Scratch& scratch_;
    std::size_t block_, used_;
  };

 private:
  struct Block {
    std::byte* data;
    std::size_t size;
  };
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kMinBlock = std::size_t{1} << 20;

  void* take_bytes(std::size_t bytes);
  void add_block(std::size_t size);

  MemorySource source_;
  std::vector<Block> blocks_;
  std::size_t block_ = 0, used_ = 0;  // the block in use, and how much of it
};

inline Scratch::~Scratch() {
  for (const Block& block : blocks_) source_.release(source_.self, block.data, block.size);
}

inline std::size_t Scratch::reserved() const {
  std::size_t bytes = 0;
  for (const Block& block : blocks_) bytes += block.size;
  return bytes;
}

inline void Scratch::reserve(std::size_t bytes) {
  const Mark mark(*this);
  take<std::byte>(bytes);
}

template <class T>
std::span<T> Scratch::take(std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {static_cast<T*>(take_bytes(count * sizeof(T))), count};
}

inline void* Scratch::take_bytes(std::size_t bytes) {
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  while (block_ < blocks_.size() && used_ + bytes > blocks_[block_].size) {
    ++block_;
    used_ = 0;
  }
  if (block_ == blocks_.size()) add_block(bytes > kMinBlock ? bytes : kMinBlock);
  void* result = blocks_[block_].data + used_;
  used_ += bytes;
  return result;
}

inline void Scratch::add_block(std::size_t size) {
  blocks_.reserve(blocks_.size() + 1);
  auto* data = static_cast<std::byte*>(source_.allocate(source_.self, size));
  if (data == nullptr) throw std::bad_alloc();
  blocks_.push_back({data, size});
  used_ = 0;
}

}  // namespace starpath
