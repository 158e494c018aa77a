// The convolutions of the learned detector, with their rectification, by OpenCV's DNN module on one thread: in float32
// and in 8 bits, each as a network of its own, on 1024x1024 pixels. What else a network does (maxima, copies) is not in
// the times. Compiled where OpenCV's DNN module is installed.
#include <benchmark/benchmark.h>

#include <opencv2/core.hpp>
#include <opencv2/dnn.hpp>

#include "codelets/kernels/detector.hpp"

namespace starpath::bench {
namespace {

constexpr int kSide = 1024;

cv::Mat noise(std::initializer_list<int> sides, double least, double most) {
  cv::Mat values(std::vector<int>(sides), CV_32F);
  cv::randu(values, least, most);
  return values;
}

cv::dnn::Net convolution(const DetectorLayer& layer) {
  cv::dnn::LayerParams convolve, rectify;
  convolve.set("kernel_size", layer.kernel);
  convolve.set("pad", layer.kernel / 2);
  convolve.set("num_output", layer.out);
  convolve.set("bias_term", true);
  convolve.blobs = {noise({layer.out, layer.in, layer.kernel, layer.kernel}, -1, 1), noise({1, layer.out}, -1, 1)};
  cv::dnn::Net net;
  net.addLayerToPrev("convolve", "Convolution", convolve);
  net.addLayerToPrev("rectify", "ReLU", rectify);
  net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
  return net;
}

/// One layer after the other. Only the second run of each is timed, as the first one allocates.
void detect_by_opencv(benchmark::State& state, bool of_8_bits) {
  cv::setNumThreads(1);
  const DetectorLayers layers(DetectorChannels{{16, 32, 48, 64}});
  double multiply_adds = 0;
  for (auto _ : state) {
    state.PauseTiming();
    for (int i = 0; i < layers.count; ++i) {
      const DetectorLayer& layer = layers.all[static_cast<std::size_t>(i)];
      const int side = kSide >> layer.level;
      cv::Mat input = noise({1, layer.in, side, side}, 0, 1);
      cv::dnn::Net net = convolution(layer);
      if (of_8_bits) {
        net = net.quantize(input, CV_8S, CV_8S);
        input.convertTo(input, CV_8S, 255, -128);
      }
      net.setInput(input);
      net.forward();
      net.setInput(input);
      state.ResumeTiming();
      net.forward();
      state.PauseTiming();
      multiply_adds += static_cast<double>(layer.kernel) * layer.kernel * layer.in * layer.out * side * side;
    }
    state.ResumeTiming();
  }
  state.counters["multiply-adds"] = benchmark::Counter(multiply_adds, benchmark::Counter::kIsRate);
}

[[maybe_unused]] const bool registered = [] {
  for (const bool of_8_bits : {false, true})
    benchmark::RegisterBenchmark(of_8_bits ? "detect/OpenCV, 8 bits/16" : "detect/OpenCV, float32/16", detect_by_opencv,
                                 of_8_bits)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  return true;
}();

}  // namespace
}  // namespace starpath::bench
