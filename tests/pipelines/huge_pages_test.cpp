// Main memory of StarPU in huge pages: where it lies, that tasks use it, that it is given back.
#include "pipelines/run/huge_pages.hpp"

#include <gtest/gtest.h>
#include <starpu.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "pipelines/run/starpu_session.hpp"

namespace starpath {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kBytes = 3 * kHugePage + 5;  // no whole number of pages

bool begins_a_huge_page(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory) % kHugePage == 0; }

bool is_mapped(void* memory) {
  unsigned char resident = 0;
  return mincore(memory, 1, &resident) == 0 || errno != ENOMEM;
}

void fill(void* buffers[], void*) {
  auto* const bytes = reinterpret_cast<std::byte*>(STARPU_VECTOR_GET_PTR(buffers[0]));
  std::fill_n(bytes, STARPU_VECTOR_GET_NX(buffers[0]), begins_a_huge_page(bytes) ? std::byte{7} : std::byte{0});
}

class HugePagesTest : public testing::Test {
 protected:
  const HugePages pages_;  // outlives StarPU
  const StarpuSession session_{{.policy = "eager", .cpus = 2, .gpus = 0}};
};

TEST_F(HugePagesTest, MemoryBeginsOneAndIsWhole) {
  void* memory = nullptr;
  ASSERT_EQ(starpu_malloc_flags(&memory, kBytes, STARPU_MALLOC_PINNED), 0);
  EXPECT_TRUE(begins_a_huge_page(memory));
  auto* const bytes = static_cast<std::byte*>(memory);
  std::fill_n(bytes, kBytes, std::byte{1});
  EXPECT_EQ(std::count(bytes, bytes + kBytes, std::byte{1}), static_cast<std::ptrdiff_t>(kBytes));
  starpu_free_flags(memory, kBytes, STARPU_MALLOC_PINNED);
}

TEST_F(HugePagesTest, AllOfItIsGivenBackWithAndWithoutItsSize) {
  for (const bool told : {true, false}) {
    void* memory = nullptr;
    ASSERT_EQ(starpu_malloc_flags(&memory, kBytes, STARPU_MALLOC_PINNED), 0);
    auto* const last = static_cast<std::byte*>(memory) + 3 * kHugePage;
    ASSERT_TRUE(is_mapped(memory) && is_mapped(last));
    EXPECT_EQ(starpu_free_flags(memory, told ? kBytes : 0, STARPU_MALLOC_PINNED), 0);
    EXPECT_FALSE(is_mapped(memory) || is_mapped(last)) << "told its size: " << told;
  }
}

TEST_F(HugePagesTest, DataOfTasksLieThere) {
  starpu_codelet codelet{};
  codelet.cpu_funcs[0] = fill;
  codelet.nbuffers = 1;
  codelet.modes[0] = STARPU_W;
  for (int round = 0; round < 2; ++round) {
    starpu_data_handle_t data = nullptr;
    starpu_vector_data_register(&data, -1, 0, kBytes, 1);
    ASSERT_EQ(starpu_task_insert(&codelet, STARPU_W, data, 0), 0);
    starpu_data_acquire(data, STARPU_R);
    const auto* const bytes = static_cast<const std::byte*>(starpu_data_get_local_ptr(data));
    EXPECT_EQ(std::count(bytes, bytes + kBytes, std::byte{7}), static_cast<std::ptrdiff_t>(kBytes));
    starpu_data_release(data);
    starpu_data_unregister(data);
  }
}

TEST(HugePages, MemoryThatThereCannotBeIsAnAnswer) {
  const HugePages pages;
  const StarpuSession session({.policy = "eager", .cpus = 1, .gpus = 0});
  void* memory = nullptr;
  EXPECT_EQ(starpu_malloc_flags(&memory, SIZE_MAX / 2, 0), -ENOMEM);
  EXPECT_EQ(memory, nullptr);
}

}  // namespace
}  // namespace starpath
