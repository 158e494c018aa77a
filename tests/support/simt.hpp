// Runs CUDA kernel sources on the CPU: a fiber a thread, in random orders. Compile a kernel source as C++ with this
// header included before everything else (-include), and link tests/support/simt.cpp.
//
// What it keeps of CUDA's model: blocks run in any order and a few at a time. Threads of all blocks that run are
// interleaved at random at every atomic, barrier, warp operation and volatile load. Lanes of a warp are no more in step
// than other threads. Shared memory is the block's own and starts as noise.
// What CUDA leaves undefined is an Error that names the kernel, block and thread. That is a barrier that not all
// threads of the block reach, or reach at different lines; a warp operation that a lane of its mask never joins; an
// index outside a shared array; and a grid that never ends.
// One thread at a time: orders of memory operations are sequentially consistent, so missing fences are not found.
#pragma once
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>

#define STARPATH_SIMT 1

namespace starpath::simt {

struct Dim3 {
  unsigned x, y, z;
  constexpr explicit(false) Dim3(unsigned columns = 1, unsigned rows = 1, unsigned layers = 1)
      : x(columns), y(rows), z(layers) {}
  constexpr std::size_t count() const { return std::size_t{x} * y * z; }
};

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Orders depend on the seed alone. Applies to the grids run after it.
void set_seed(std::uint64_t seed);

/// Switches after which a grid counts as one that never ends. Applies to the grids run after it.
void set_patience(std::uint64_t switches);

/// Runs body once for every thread of the grid. Throws Error.
void run_grid(const char* name, Dim3 grid, Dim3 block, const std::function<void()>& body);

// Everything below is for kernels, inside run_grid.

using Where = std::source_location;

struct Place {
  Dim3 thread, block, threads, blocks;
};
/// Of the running thread.
const Place& place();

/// Ends the grid with an Error.
[[noreturn]] void fail(const std::string& what);

/// Lets another thread run.
void yield();
/// The same, but only now and then.
void preempt();

enum class Vote { none, any, all, count };
/// Waits for all threads of the block; the result of the vote over `value`.
int barrier(Vote vote, bool value, Where where);

using Lanes = std::array<std::uint64_t, 32>;
/// Waits for all lanes of the mask; what each of them brought.
Lanes meet(unsigned mask, std::uint64_t value, Where where);
unsigned lane();

/// `size` bytes of the block's shared memory, the same for every thread that asks for `id`; at first noise.
void* shared_bytes(int id, std::size_t size);

template <class T, std::size_t size>
class SharedArray {
 public:
  template <std::integral Index>
  T& operator[](Index index) {
    if (!(index >= 0 && static_cast<std::size_t>(index) < size))
      fail("index " + std::to_string(index) + " in a shared array of " + std::to_string(size));
    return items_[static_cast<std::size_t>(index)];
  }
  operator T*() { return items_; }

 private:
  T items_[size];
};

template <class T, std::size_t size, int id>
SharedArray<T, size>& shared() {
  static_assert(std::is_trivially_copyable_v<T>);
  return *static_cast<SharedArray<T, size>*>(shared_bytes(id, sizeof(SharedArray<T, size>)));
}

template <class T>
std::uint64_t to_bits(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The types that CUDA has atomics for.
template <class T>
concept Atomic = std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, unsigned long long> ||
    std::same_as<T, long long>;

template <class T, class Change>
T change(T* p, Change how) {
  preempt();
  const T old = *p;
  *p = how(old);
  return old;
}

/// What lane `source` brought, if it took part; otherwise the own value, which CUDA leaves undefined for a lane
/// outside the mask.
template <class T>
T shuffle(unsigned mask, T value, int source, int width, Where where) {
  const Lanes lanes = meet(mask, to_bits(value), where);
  const int own = static_cast<int>(lane()), first = own / width * width;
  if (source < first || source >= first + width) return value;
  if ((mask >> source & 1U) == 0) fail("a shuffle reads lane " + std::to_string(source) + ", which is not in its mask");
  return from_bits<T>(lanes[static_cast<std::size_t>(source)]);
}

}  // namespace starpath::simt

// CUDA's own words.
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define threadIdx (::starpath::simt::place().thread)
#define blockIdx (::starpath::simt::place().block)
#define blockDim (::starpath::simt::place().threads)
#define gridDim (::starpath::simt::place().blocks)

using dim3 = starpath::simt::Dim3;

inline void __syncthreads(starpath::simt::Where where = starpath::simt::Where::current()) {
  starpath::simt::barrier(starpath::simt::Vote::none, false, where);
}
inline int __syncthreads_or(int value, starpath::simt::Where where = starpath::simt::Where::current()) {
  return starpath::simt::barrier(starpath::simt::Vote::any, value != 0, where);
}
inline int __syncthreads_and(int value, starpath::simt::Where where = starpath::simt::Where::current()) {
  return starpath::simt::barrier(starpath::simt::Vote::all, value != 0, where);
}
inline int __syncthreads_count(int value, starpath::simt::Where where = starpath::simt::Where::current()) {
  return starpath::simt::barrier(starpath::simt::Vote::count, value != 0, where);
}
inline void __syncwarp(unsigned mask = ~0U, starpath::simt::Where where = starpath::simt::Where::current()) {
  starpath::simt::meet(mask, 0, where);
}
inline void __threadfence() {}
inline void __threadfence_block() {}

inline unsigned __ballot_sync(unsigned mask, int value,
                              starpath::simt::Where where = starpath::simt::Where::current()) {
  const auto lanes = starpath::simt::meet(mask, value != 0 ? 1 : 0, where);
  unsigned votes = 0;
  for (unsigned i = 0; i < 32; ++i) votes |= (mask >> i & 1U) != 0 && lanes[i] != 0 ? 1U << i : 0U;
  return votes;
}
inline int __any_sync(unsigned mask, int value, starpath::simt::Where where = starpath::simt::Where::current()) {
  return __ballot_sync(mask, value, where) != 0;
}
inline int __all_sync(unsigned mask, int value, starpath::simt::Where where = starpath::simt::Where::current()) {
  return __ballot_sync(mask, value, where) == mask;
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32,
              starpath::simt::Where where = starpath::simt::Where::current()) {
  const int own = static_cast<int>(starpath::simt::lane());
  return starpath::simt::shuffle(mask, value, own / width * width + (source % width + width) % width, width, where);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 starpath::simt::Where where = starpath::simt::Where::current()) {
  return starpath::simt::shuffle(mask, value, static_cast<int>(starpath::simt::lane()) - static_cast<int>(delta), width,
                                 where);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   starpath::simt::Where where = starpath::simt::Where::current()) {
  return starpath::simt::shuffle(mask, value, static_cast<int>(starpath::simt::lane()) + static_cast<int>(delta), width,
                                 where);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32,
                  starpath::simt::Where where = starpath::simt::Where::current()) {
  return starpath::simt::shuffle(mask, value, static_cast<int>(starpath::simt::lane()) ^ lanes, width, where);
}

template <starpath::simt::Atomic T>
T atomicAdd(T* p, std::type_identity_t<T> value) {
  using Bits = std::make_unsigned_t<T>;  // wraps around
  return starpath::simt::change(
      p, [=](T old) { return static_cast<T>(static_cast<Bits>(old) + static_cast<Bits>(value)); });
}
template <starpath::simt::Atomic T>
T atomicSub(T* p, std::type_identity_t<T> value) {
  using Bits = std::make_unsigned_t<T>;
  return starpath::simt::change(
      p, [=](T old) { return static_cast<T>(static_cast<Bits>(old) - static_cast<Bits>(value)); });
}
template <starpath::simt::Atomic T>
T atomicMin(T* p, std::type_identity_t<T> value) {
  return starpath::simt::change(p, [=](T old) { return value < old ? value : old; });
}
template <starpath::simt::Atomic T>
T atomicMax(T* p, std::type_identity_t<T> value) {
  return starpath::simt::change(p, [=](T old) { return value > old ? value : old; });
}
template <starpath::simt::Atomic T>
T atomicAnd(T* p, std::type_identity_t<T> value) {
  return starpath::simt::change(p, [=](T old) { return old & value; });
}
template <starpath::simt::Atomic T>
T atomicOr(T* p, std::type_identity_t<T> value) {
  return starpath::simt::change(p, [=](T old) { return old | value; });
}
template <starpath::simt::Atomic T>
T atomicXor(T* p, std::type_identity_t<T> value) {
  return starpath::simt::change(p, [=](T old) { return old ^ value; });
}
template <starpath::simt::Atomic T>
T atomicExch(T* p, std::type_identity_t<T> value) {
  return starpath::simt::change(p, [=](T) { return value; });
}
template <starpath::simt::Atomic T>
T atomicCAS(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  return starpath::simt::change(p, [=](T old) { return old == expected ? value : old; });
}

inline int __popc(unsigned bits) { return std::popcount(bits); }
inline int __popcll(unsigned long long bits) { return std::popcount(bits); }
inline int __ffs(int bits) { return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned>(bits)) + 1; }
inline int __clz(int bits) { return std::countl_zero(static_cast<unsigned>(bits)); }
