// The works of anthill-2010 Table 1 that are not among the loops of hdss-2013.
#include "codelets/benchmarks/estimator.hpp"
#include "loops/works/draw.hpp"
#include "loops/works/shared_data.hpp"
#include "loops/works/work_kinds.hpp"

namespace starpath {
namespace {

using codelets::array;
using codelets::image;

// A time step over n rows of tissue. Some rows are excited.
class Heart final : public BlockWork {
 public:
  explicit Heart(std::size_t rows)
      : BlockWork(rows),
        before_(*this, rows, kWidth),
        recovery_(*this, rows, kWidth),
        next_(*this, rows, kWidth),
        expected_next_(rows * kWidth) {
    Draw draw(7);
    for (float& value : before_.values) value = static_cast<float>(draw(0, 1));
    for (float& value : recovery_.values) value = static_cast<float>(draw(0, 2));
    expected_recovery_ = recovery_.values;
  }
  std::vector<LoopData> data() override {
    return {{.handle = before_.handle, .mode = STARPU_R, .halo = 1},
            {.handle = recovery_.handle, .mode = STARPU_RW},
            {.handle = next_.handle, .mode = STARPU_W}};
  }
  void run(const Device& on, void* buffers[], const LoopBlock& block) const override {
    on.choose<cpu::heart_step, cuda::heart_step>()(on.context, {.potential = image<const float>(buffers[0]),
                                                                .first = block.begin > 0 ? 1 : 0,
                                                                .recovery = image<float>(buffers[1]),
                                                                .next = image<float>(buffers[2])});
  }
  void run_serially() override {
    cpu::heart_step(cpu_device().context, {.potential = before_.view(),
                                           .first = 0,
                                           .recovery = {expected_recovery_.data(), kWidth, next_.height, kWidth},
                                           .next = {expected_next_.data(), kWidth, next_.height, kWidth}});
  }
  bool same() const override { return next_.values == expected_next_ && recovery_.values == expected_recovery_; }

 private:
  static constexpr int kWidth = 2048;
  SharedMatrix<float> before_, recovery_, next_;
  std::vector<float> expected_next_, expected_recovery_;
};

// The 8 nearest of 20,000 points in 16 dimensions to each of n queries.
class NearestPoints final : public BlockWork {
 public:
  explicit NearestPoints(std::size_t queries)
      : BlockWork(queries),
        queries_(*this, queries * kDimensions),
        points_(*this, kPoints * kDimensions),
        nearest_(*this, queries * kNeighbours),
        expected_(queries * kNeighbours) {
    Draw draw(8);
    for (auto* values : {&queries_.values, &points_.values})
      for (float& value : *values) value = static_cast<float>(draw(0, 1));
  }
  std::vector<LoopData> data() override {
    return {{.handle = queries_.handle, .mode = STARPU_R},
            {.handle = points_.handle, .mode = STARPU_R, .whole = true},
            {.handle = nearest_.handle, .mode = STARPU_W}};
  }
  void run(const Device& on, void* buffers[], const LoopBlock&) const override {
    search(on, array<const float>(buffers[0]), array<const float>(buffers[1]), array<Neighbour>(buffers[2]));
  }
  void run_serially() override { search(cpu_device(), queries_.values, points_.values, expected_); }
  bool same() const override { return nearest_.values == expected_; }

 private:
  static constexpr std::size_t kPoints = 20'000, kDimensions = 16, kNeighbours = 8;
  static void search(const Device& on, std::span<const float> queries, std::span<const float> from,
                     std::span<Neighbour> nearest) {
    on.choose<cpu::nearest_neighbours, cuda::nearest_neighbours>()(
        on.context,
        {.queries = queries, .points = from, .dimensions = kDimensions, .nearest = nearest, .k = kNeighbours});
  }
  SharedVector<float> queries_, points_;
  SharedVector<Neighbour> nearest_;
  std::vector<Neighbour> expected_;
};

// Frequent sets among n items in 16,384 transactions. Each item is in 15 to 40 % of them.
class FrequentSets final : public BlockWork {
 public:
  explicit FrequentSets(std::size_t items)
      : BlockWork(items), transactions_(*this, items * kWords), counts_(*this, items), expected_(items) {
    Draw draw(9);
    for (std::size_t item = 0; item < items; ++item) {
      const double often = 0.15 + 0.25 * draw(0, 1);
      for (std::size_t t = 0; t < kWords * 64; ++t)
        if (draw(0, 1) < often) transactions_.values[item * kWords + t / 64] |= std::uint64_t{1} << t % 64;
    }
  }
  std::vector<LoopData> data() override {
    return {{.handle = transactions_.handle, .mode = STARPU_R, .whole = true},
            {.handle = counts_.handle, .mode = STARPU_W}};
  }
  void run(const Device& on, void* buffers[], const LoopBlock& block) const override {
    search(on, array<const std::uint64_t>(buffers[0]), block.begin, array<ItemCount>(buffers[1]));
  }
  void run_serially() override { search(cpu_device(), transactions_.values, 0, expected_); }
  bool same() const override { return counts_.values == expected_; }

 private:
  static constexpr std::size_t kWords = 256;
  static void search(const Device& on, std::span<const std::uint64_t> transactions, std::size_t first,
                     std::span<ItemCount> counts) {
    on.choose<cpu::frequent_items, cuda::frequent_items>()(
        on.context, {.transactions = transactions, .words = kWords, .least_support = 700, .longest = 4}, first, counts);
  }
  SharedVector<std::uint64_t> transactions_;
  SharedVector<ItemCount> counts_;
  std::vector<ItemCount> expected_;
};

}  // namespace

std::vector<LoopWorkName> estimator_works() {
  return {
      {"heart", "a step of heart tissue, n rows of 2,048 elements", 8'000, make_work<Heart>},
      {"knn", "the 8 nearest of 20,000 points to n queries", 4'000, make_work<NearestPoints>},
      {"eclat", "frequent sets among n items", 100, make_work<FrequentSets>},
  };
}

}  // namespace starpath
