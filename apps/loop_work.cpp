#include "apps/loop_work.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>

#include "base/error.hpp"
#include "codelets/kernels/loop_benchmarks.hpp"

namespace starpath::apps {
namespace {

Context context() {
  thread_local Scratch scratch;
  return Context{scratch};
}

/// A vector that StarPU may use until release().
template <class T>
class Shared {
 public:
  explicit Shared(std::size_t n) : values(n) {
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(values.data()),
                                static_cast<std::uint32_t>(n), sizeof(T));
  }
  void release() {
    if (handle) starpu_data_unregister(handle);
    handle = nullptr;
  }
  ~Shared() { release(); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  std::vector<T> values;
  starpu_data_handle_t handle = nullptr;
};

template <class T>
std::span<T> span_of(void* buffer) {
  return {reinterpret_cast<T*>(STARPU_VECTOR_GET_PTR(buffer)), STARPU_VECTOR_GET_NX(buffer)};
}

class Increment final : public LoopWork {
 public:
  explicit Increment(std::size_t n) : values_(n), expected_(n) {
    for (std::size_t i = 0; i < n; ++i) values_.values[i] = expected_[i] = static_cast<std::uint32_t>(i * 2654435761U);
  }
  std::vector<LoopData> data() override { return {{.handle = values_.handle, .mode = STARPU_RW}}; }
  void run(void* buffers[], const LoopBlock&) const override {
    cpu::vector_increment(context(), span_of<std::uint32_t>(buffers[0]));
  }
  void release() override { values_.release(); }
  void run_serially() override { cpu::vector_increment(context(), expected_); }
  bool same() const override { return values_.values == expected_; }

 private:
  Shared<std::uint32_t> values_;
  std::vector<std::uint32_t> expected_;
};

class BlackScholes final : public LoopWork {
 public:
  explicit BlackScholes(std::size_t n)
      : spot_(n), strike_(n), years_(n), call_(n), put_(n), expected_call_(n), expected_put_(n) {
    std::mt19937 random(1);
    const auto draw = [&](double low, double high) {
      return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
    };
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
  void run(void* buffers[], const LoopBlock&) const override {
    cpu::black_scholes(context(), {.spot = span_of<double>(buffers[0]),
                                   .strike = span_of<double>(buffers[1]),
                                   .years = span_of<double>(buffers[2]),
                                   .call = span_of<double>(buffers[3]),
                                   .put = span_of<double>(buffers[4])});
  }
  void release() override {
    for (auto* each : {&spot_, &strike_, &years_, &call_, &put_}) each->release();
  }
  void run_serially() override {
    cpu::black_scholes(context(), {.spot = spot_.values,
                                   .strike = strike_.values,
                                   .years = years_.values,
                                   .call = expected_call_,
                                   .put = expected_put_});
  }
  bool same() const override { return call_.values == expected_call_ && put_.values == expected_put_; }

 private:
  Shared<double> spot_, strike_, years_, call_, put_;
  std::vector<double> expected_call_, expected_put_;
};

// Each worker counts into bins of its own (STARPU_REDUX), which are added up at the end.
class Histogram final : public LoopWork {
 public:
  explicit Histogram(std::size_t n) : values_(n), bins_(256), expected_(256, 0) {
    std::mt19937 random(2);
    for (auto& value : values_.values) value = static_cast<std::uint8_t>(random() >> 24);
    starpu_codelet_init(&zero_);
    zero_.cpu_funcs[0] = [](void* buffers[], void*) {
      for (auto& bin : span_of<std::uint64_t>(buffers[0])) bin = 0;
    };
    zero_.nbuffers = 1;
    zero_.modes[0] = STARPU_W;
    zero_.name = "starpath_loop_zero_bins";
    starpu_codelet_init(&add_);
    add_.cpu_funcs[0] = [](void* buffers[], void*) {
      const auto into = span_of<std::uint64_t>(buffers[0]);
      const auto from = span_of<std::uint64_t>(buffers[1]);
      for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
    };
    add_.nbuffers = 2;
    add_.modes[0] = static_cast<starpu_data_access_mode>(STARPU_RW | STARPU_COMMUTE);
    add_.modes[1] = STARPU_R;
    add_.name = "starpath_loop_add_bins";
    starpu_data_set_reduction_methods(bins_.handle, &add_, &zero_);
  }
  std::vector<LoopData> data() override {
    return {{.handle = values_.handle, .mode = STARPU_R},
            {.handle = bins_.handle, .mode = STARPU_REDUX, .whole = true}};
  }
  void run(void* buffers[], const LoopBlock&) const override {
    cpu::value_histogram(context(), span_of<std::uint8_t>(buffers[0]), span_of<std::uint64_t>(buffers[1]));
  }
  void release() override {
    values_.release();
    bins_.release();
  }
  void run_serially() override { cpu::value_histogram(context(), values_.values, expected_); }
  bool same() const override { return bins_.values == expected_; }

 private:
  Shared<std::uint8_t> values_;
  Shared<std::uint64_t> bins_;
  std::vector<std::uint64_t> expected_;
  starpu_codelet zero_, add_;
};

// An iteration is a row.
class BoxFilter final : public LoopWork {
 public:
  explicit BoxFilter(std::size_t rows)
      : height_(static_cast<int>(rows)), in_(rows * width), out_(in_.size()), expected_(in_.size()) {
    std::mt19937 random(3);
    for (auto& pixel : in_) pixel = static_cast<std::uint8_t>(random() >> 24);
    register_rows(in_, in_handle_);
    register_rows(out_, out_handle_);
  }
  ~BoxFilter() override { release(); }
  std::vector<LoopData> data() override {
    return {{.handle = in_handle_, .mode = STARPU_R, .halo = radius}, {.handle = out_handle_, .mode = STARPU_W}};
  }
  void run(void* buffers[], const LoopBlock& block) const override {
    const auto first = static_cast<int>(std::min<std::size_t>(block.begin, radius));
    cpu::box_filter(context(), view<const std::uint8_t>(buffers[0]), first, view<std::uint8_t>(buffers[1]), radius);
  }
  void release() override {
    for (auto* handle : {&in_handle_, &out_handle_}) {
      if (*handle) starpu_data_unregister(*handle);
      *handle = nullptr;
    }
  }
  void run_serially() override {
    cpu::box_filter(context(), {in_.data(), width, height_, width}, 0, {expected_.data(), width, height_, width},
                    radius);
  }
  bool same() const override { return out_ == expected_; }

 private:
  static constexpr int width = 4096;
  static constexpr int radius = 16;

  void register_rows(std::vector<std::uint8_t>& pixels, starpu_data_handle_t& handle) const {
    starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(pixels.data()), width, width,
                                static_cast<std::uint32_t>(height_), 1);
  }
  template <class T>
  static View<T> view(void* buffer) {
    return {reinterpret_cast<T*>(STARPU_MATRIX_GET_PTR(buffer)), static_cast<int>(STARPU_MATRIX_GET_NX(buffer)),
            static_cast<int>(STARPU_MATRIX_GET_NY(buffer)), static_cast<std::ptrdiff_t>(STARPU_MATRIX_GET_LD(buffer))};
  }

  int height_;
  std::vector<std::uint8_t> in_, out_, expected_;
  starpu_data_handle_t in_handle_ = nullptr, out_handle_ = nullptr;
};

class NBody final : public LoopWork {
 public:
  explicit NBody(std::size_t n) : bodies_(n), out_(n), expected_(n) {
    std::mt19937 random(4);
    const auto draw = [&] { return static_cast<float>(static_cast<double>(random()) / 4294967296.0 * 2 - 1); };
    for (Body& body : bodies_.values) body = {draw(), draw(), draw(), draw() + 1};
  }
  std::vector<LoopData> data() override {
    return {{.handle = bodies_.handle, .mode = STARPU_R, .whole = true}, {.handle = out_.handle, .mode = STARPU_W}};
  }
  void run(void* buffers[], const LoopBlock& block) const override {
    cpu::n_body(context(), span_of<const Body>(buffers[0]), block.begin, softening, span_of<Acceleration>(buffers[1]));
  }
  void release() override {
    bodies_.release();
    out_.release();
  }
  void run_serially() override { cpu::n_body(context(), bodies_.values, 0, softening, expected_); }
  bool same() const override { return out_.values == expected_; }

 private:
  static constexpr float softening = 0.01F;
  Shared<Body> bodies_;
  Shared<Acceleration> out_;
  std::vector<Acceleration> expected_;
};

template <class Work>
std::unique_ptr<LoopWork> make(std::size_t iterations) {
  return std::make_unique<Work>(iterations);
}

}  // namespace

const std::vector<LoopWorkName>& loop_work_names() {
  static const std::vector<LoopWorkName> names = {
      {"increment", "adds 1 to each of n integers", 50'000'000, make<Increment>},
      {"blackscholes", "prices n European options", 5'000'000, make<BlackScholes>},
      {"histogram", "counts n bytes into 256 bins", 200'000'000, make<Histogram>},
      {"boxfilter", "mean of 33 x 33 pixels, n rows of 4,096", 10'000, make<BoxFilter>},
      {"nbody", "acceleration of n bodies by each other", 30'000, make<NBody>},
  };
  return names;
}

const LoopWorkName& find_loop_work(std::string_view name) {
  std::string known;
  for (const LoopWorkName& each : loop_work_names()) {
    if (name == each.name) return each;
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  throw Error(ErrorKind::usage, "unknown loop: " + std::string(name) + "; there are: " + known);
}

}  // namespace starpath::apps
