// Networks by ONNX Runtime, on the calling thread alone.
#include "pipelines/networks/network_instance.hpp"

#include <fmt/format.h>
#include <onnxruntime_cxx_api.h>

#include <algorithm>
#include <new>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "pipelines/networks/with_onnxruntime/counting_allocator.hpp"

namespace starpath {
namespace {

/// What all networks share. It starts no threads, and logs nothing: what matters is thrown.
class Runtime {
 public:
  static const Runtime& get() {
    static Runtime one;
    return one;
  }
  const Ort::Env& env() const { return env_; }

 private:
  Runtime() { Ort::ThrowOnError(Ort::GetApi().RegisterAllocator(env_, &allocator_)); }

  CountingAllocator allocator_;  // outlives what it serves
  Ort::Env env_{ORT_LOGGING_LEVEL_FATAL, "starpath"};
};

/// ONNX Runtime's words in one line, without its own names of files and functions.
std::string plain(std::string text) {
  static const std::regex quoting(R"~(\s+)~"), place(R"~(\S+\.(cc|h):\d+ (\S+ )?)~"), function(R"~([\w:]+\([^)]*\) )~"),
      ends("^ +| +$");
  text = std::regex_replace(text, place, "");
  text = std::regex_replace(text, function, "");
  return std::regex_replace(std::regex_replace(text, quoting, " "), ends, "");
}

std::string reason_of(const Ort::Exception& error) {
  const std::string text = plain(error.what());
  static const std::regex node(R"~(In Node, \("([^"]*)", ([^,]*),.* Error (No Op registered)?(.*)$)~");
  std::smatch found;
  if (!std::regex_search(text, found, node)) return fmt::format("{} cannot compute it: {}", network_engine(), text);
  if (found[3].matched)
    return fmt::format("{} does not know the kind of its layer '{}', {}", network_engine(), found.str(1), found.str(2));
  return fmt::format("{} cannot read its layer '{}', {}: {}", network_engine(), found.str(1), found.str(2),
                     found.str(4));
}

/// Calls function(), which calls ONNX Runtime. What it throws becomes std::bad_alloc or a std::runtime_error.
template <class Function>
auto call_onnxruntime(Function function) {
  CountingAllocator::begin_call();
  try {
    return function();
  } catch (const Ort::Exception& error) {
    if (CountingAllocator::ran_out()) throw std::bad_alloc();
    throw std::runtime_error(reason_of(error));
  }
}

Ort::SessionOptions options() {
  Ort::SessionOptions options;
  options.SetExecutionMode(ORT_SEQUENTIAL);
  options.SetInterOpNumThreads(1);
  options.SetIntraOpNumThreads(1);  // every core has a worker of StarPU
  options.AddConfigEntry("session.use_env_allocators", "1");
  options.DisableMemPattern();  // a block for each map: the C library keeps those for the next field
  return options;
}

class OnnxRuntimeNetwork final : public NetworkInstance {
 public:
  explicit OnnxRuntimeNetwork(const OnnxNetwork& network)
      : sides_(network.outline.inputs.at(0).sides),
        input_(network.outline.inputs.at(0).name),
        names_{network.description.nucleus.output, network.description.second.output} {
    const std::int64_t before = CountingAllocator::held();
    call_onnxruntime(
        [&] { session_ = Ort::Session(Runtime::get().env(), network.bytes.data(), network.bytes.size(), options()); });
    const std::int64_t most_to_load = CountingAllocator::most_held();
    const auto side = static_cast<std::size_t>(network.description.field);
    run(std::vector<float>(3 * side * side));
    bytes_ = std::max(most_to_load, CountingAllocator::most_held()) - before;
  }

  std::array<NetworkOutput, 2> run(std::span<const float> input) override {
    return call_onnxruntime([&] {
      outputs_.clear();
      // ONNX Runtime knows no tensor of constants; a network only reads it.
      const Ort::Value image = Ort::Value::CreateTensor<float>(memory_, const_cast<float*>(input.data()), input.size(),
                                                               sides_.data(), sides_.size());
      const char* const takes = input_.c_str();
      const std::array<const char*, 2> gives{names_[0].c_str(), names_[1].c_str()};
      const std::size_t count = names_[0] == names_[1] ? 1 : 2;
      outputs_ = session_.Run(Ort::RunOptions{}, &takes, &image, 1, gives.data(), count);
      return std::array{output_of(outputs_.front()), output_of(outputs_.back())};
    });
  }

  std::int64_t bytes() const override { return bytes_; }

 private:
  static NetworkOutput output_of(const Ort::Value& output) {
    const auto about = output.GetTensorTypeAndShapeInfo();
    if (about.GetElementType() != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT)
      throw std::runtime_error("an output holds no 32-bit floating-point numbers");
    const std::vector<std::int64_t> sides = about.GetShape();
    return {{sides.begin(), sides.end()}, output.GetTensorData<float>()};
  }

  const std::vector<std::int64_t> sides_;
  const std::string input_;
  const std::array<std::string, 2> names_;
  const Ort::MemoryInfo memory_ = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
  Ort::Session session_{nullptr};
  std::vector<Ort::Value> outputs_;
  std::int64_t bytes_ = 0;
};

}  // namespace

std::string network_engine() { return "ONNX Runtime " + Ort::GetVersionString(); }

std::unique_ptr<NetworkInstance> make_network_instance(const OnnxNetwork& network) {
  return std::make_unique<OnnxRuntimeNetwork>(network);
}

}  // namespace starpath
