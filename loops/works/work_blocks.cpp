// The works with independent iterations.
#include <algorithm>
#include <span>

#include "codelets/benchmarks/loops.hpp"
#include "loops/works/draw.hpp"
#include "loops/works/shared_data.hpp"
#include "loops/works/work_kinds.hpp"

namespace starpath {
namespace {

using codelets::array;
using codelets::image;

class Increment final : public BlockWork {
 public:
  explicit Increment(std::size_t n) : BlockWork(n), values_(*this, n), expected_(n) {
    for (std::size_t i = 0; i < n; ++i) values_.values[i] = expected_[i] = static_cast<std::uint32_t>(i * 2654435761U);
  }
  std::vector<LoopData> data() override { return {{.handle = values_.handle, .mode = STARPU_RW}}; }
  void run(const Device& on, void* buffers[], const LoopBlock&) const override {
    on.choose<cpu::vector_increment, cuda::vector_increment>()(on.context, array<std::uint32_t>(buffers[0]));
  }
  void run_serially() override { cpu::vector_increment(cpu_device().context, expected_); }
  bool same() const override { return values_.values == expected_; }

 private:
  SharedVector<std::uint32_t> values_;
  std::vector<std::uint32_t> expected_;
};

class BlackScholes final : public BlockWork {
 public:
  explicit BlackScholes(std::size_t n)
      : BlockWork(n),
        spot_(*this, n),
        strike_(*this, n),
        years_(*this, n),
        call_(*this, n),
        put_(*this, n),
        expected_call_(n),
        expected_put_(n) {
    Draw draw(1);
    for (std::size_t i = 0; i < n; ++i) {
      spot_.values[i] = draw(5, 30);
      strike_.values[i] = draw(1, 100);
      years_.values[i] = draw(0.25, 10);
    }
  }
  std::vector<LoopData> data() override {
    return {{.handle = spot_.handle, .mode = STARPU_R},
            {.handle = strike_.handle, .mode = STARPU_R},
            {.handle = years_.handle, .mode = STARPU_R},
            {.handle = call_.handle, .mode = STARPU_W},
            {.handle = put_.handle, .mode = STARPU_W}};
  }
  void run(const Device& on, void* buffers[], const LoopBlock&) const override {
    on.choose<cpu::black_scholes, cuda::black_scholes>()(on.context, {.spot = array<double>(buffers[0]),
                                                                      .strike = array<double>(buffers[1]),
                                                                      .years = array<double>(buffers[2]),
                                                                      .call = array<double>(buffers[3]),
                                                                      .put = array<double>(buffers[4])});
  }
  void run_serially() override {
    cpu::black_scholes(cpu_device().context, {.spot = spot_.values,
                                              .strike = strike_.values,
                                              .years = years_.values,
                                              .call = expected_call_,
                                              .put = expected_put_});
  }
  bool same() const override { return call_.values == expected_call_ && put_.values == expected_put_; }

 private:
  SharedVector<double> spot_, strike_, years_, call_, put_;
  std::vector<double> expected_call_, expected_put_;
};

// Each worker counts into bins of its own (STARPU_REDUX), which are added up at the end.
class Histogram final : public BlockWork {
 public:
  explicit Histogram(std::size_t n) : BlockWork(n), values_(*this, n), bins_(*this, 256), expected_(256, 0) {
    Draw draw(2);
    for (auto& value : values_.values) value = draw.byte();
    zero_ = codelets::with_gpu(cpu_codelet(zero_on_cpu, "starpath_loop_zero_bins"), [](void* buffers[], void*) {
      zero({codelets::gpu_context(), true}, buffers);
    });
    zero_.nbuffers = 1;
    zero_.modes[0] = STARPU_W;
    add_ = codelets::with_gpu(cpu_codelet(add_on_cpu, "starpath_loop_add_bins"), [](void* buffers[], void*) {
      add({codelets::gpu_context(), true}, buffers);
    });
    add_.nbuffers = 2;
    add_.modes[0] = static_cast<starpu_data_access_mode>(STARPU_RW | STARPU_COMMUTE);
    add_.modes[1] = STARPU_R;
    starpu_data_set_reduction_methods(bins_.handle, &add_, &zero_);
  }
  std::vector<LoopData> data() override {
    return {{.handle = values_.handle, .mode = STARPU_R},
            {.handle = bins_.handle, .mode = STARPU_REDUX, .whole = true}};
  }
  void run(const Device& on, void* buffers[], const LoopBlock&) const override {
    on.choose<cpu::value_histogram, cuda::value_histogram>()(on.context, array<std::uint8_t>(buffers[0]),
                                                             array<std::uint64_t>(buffers[1]));
  }
  void run_serially() override { cpu::value_histogram(cpu_device().context, values_.values, expected_); }
  bool same() const override { return bins_.values == expected_; }

 private:
  static void zero(const Device& on, void* buffers[]) {
    on.choose<cpu::zero_bins, cuda::zero_bins>()(on.context, array<std::uint64_t>(buffers[0]));
  }
  static void add(const Device& on, void* buffers[]) {
    on.choose<cpu::add_bins, cuda::add_bins>()(on.context, array<std::uint64_t>(buffers[0]),
                                               array<const std::uint64_t>(buffers[1]));
  }
  static void zero_on_cpu(void* buffers[], void*) { zero(cpu_device(), buffers); }
  static void add_on_cpu(void* buffers[], void*) { add(cpu_device(), buffers); }
  SharedVector<std::uint8_t> values_;
  SharedVector<std::uint64_t> bins_;
  std::vector<std::uint64_t> expected_;
  starpu_codelet zero_, add_;
};

// An iteration is a row.
class BoxFilter final : public BlockWork {
 public:
  explicit BoxFilter(std::size_t rows)
      : BlockWork(rows), in_(*this, rows, kWidth), out_(*this, rows, kWidth), expected_(out_.values.size()) {
    Draw draw(3);
    for (auto& pixel : in_.values) pixel = draw.byte();
  }
  std::vector<LoopData> data() override {
    return {{.handle = in_.handle, .mode = STARPU_R, .halo = kRadius}, {.handle = out_.handle, .mode = STARPU_W}};
  }
  void run(const Device& on, void* buffers[], const LoopBlock& block) const override {
    const auto first = static_cast<int>(std::min<std::size_t>(block.begin, kRadius));
    on.choose<cpu::box_filter, cuda::box_filter>()(on.context, image<const std::uint8_t>(buffers[0]), first,
                                                   image<std::uint8_t>(buffers[1]), kRadius);
  }
  void run_serially() override {
    cpu::box_filter(cpu_device().context, in_.view(), 0, {expected_.data(), kWidth, out_.height, kWidth}, kRadius);
  }
  bool same() const override { return out_.values == expected_; }

 private:
  static constexpr int kWidth = 4096;
  static constexpr int kRadius = 16;
  SharedMatrix<std::uint8_t> in_, out_;
  std::vector<std::uint8_t> expected_;
};

class NBody final : public BlockWork {
 public:
  explicit NBody(std::size_t n) : BlockWork(n), bodies_(*this, n), out_(*this, n), expected_(n) {
    Draw any(4);
    const auto draw = [&] { return static_cast<float>(any(-1, 1)); };
    for (Body& body : bodies_.values) body = {draw(), draw(), draw(), draw() + 1};
  }
  std::vector<LoopData> data() override {
    return {{.handle = bodies_.handle, .mode = STARPU_R, .whole = true}, {.handle = out_.handle, .mode = STARPU_W}};
  }
  void run(const Device& on, void* buffers[], const LoopBlock& block) const override {
    on.choose<cpu::n_body, cuda::n_body>()(on.context, array<const Body>(buffers[0]), block.begin, kSoftening,
                                           array<Acceleration>(buffers[1]));
  }
  void run_serially() override { cpu::n_body(cpu_device().context, bodies_.values, 0, kSoftening, expected_); }
  bool same() const override { return out_.values == expected_; }

 private:
  static constexpr float kSoftening = 0.01F;
  SharedVector<Body> bodies_;
  SharedVector<Acceleration> out_;
  std::vector<Acceleration> expected_;
};

}  // namespace

std::vector<LoopWorkName> block_works() {
  return {
      {"increment", "adds 1 to each of n integers", 50'000'000, make_work<Increment>},
      {"blackscholes", "prices n European options", 5'000'000, make_work<BlackScholes>},
      {"histogram", "counts n bytes into 256 bins", 200'000'000, make_work<Histogram>},
      {"boxfilter", "mean of 33 x 33 pixels, n rows of 4,096", 10'000, make_work<BoxFilter>},
      {"nbody", "acceleration of n bodies by each other", 30'000, make_work<NBody>},
  };
}

}  // namespace starpath
