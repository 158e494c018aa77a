// Up the tree, and down again.
#include "mpi/transport/sum_tree.hpp"

#include <cstddef>
#include <vector>

namespace starpath::mpi {
namespace {

/// Values in main memory as StarPU data. After its end they are here, because transfers that were under way have ended.
class Shown {
 public:
  explicit Shown(std::span<std::int64_t> values) {
    starpu_vector_data_register(&handle_, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(values.data()),
                                static_cast<std::uint32_t>(values.size()), sizeof(std::int64_t));
  }
  ~Shown() { starpu_data_unregister(handle_); }
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;

  starpu_data_handle_t handle() const { return handle_; }

 private:
  starpu_data_handle_t handle_ = nullptr;
};

}  // namespace

void SumTree::sum(std::span<std::int64_t> values) {
  if (values.empty()) return;
  const BufferId up = next_tag_++, down = next_tag_++;
  std::vector<int> children;
  for (const int child : {2 * rank_ + 1, 2 * rank_ + 2})
    if (child < ranks_) children.push_back(child);
  for (const int child : children) {
    std::vector<std::int64_t> theirs(values.size());
    {
      const Shown shown(theirs);
      transport_.receive(shown.handle(), child, up, [] {});
    }
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += theirs[i];
  }
  const Shown shown(values);
  if (rank_ > 0) {
    const int parent = (rank_ - 1) / 2;
    transport_.send(shown.handle(), parent, up);
    transport_.receive(shown.handle(), parent, down, [] {});
  }
  for (const int child : children) transport_.send(shown.handle(), child, down);
}

}  // namespace starpath::mpi
