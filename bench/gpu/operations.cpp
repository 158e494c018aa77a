// Buffers and calls of each operation. Inputs are what the CPU kernels make of the benchmark tile.
#include "bench/gpu/operations.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "bench/gpu/nbia_samples.hpp"
#include "bench/kernels/stages.hpp"
#include "codelets/kernels/area_average.hpp"
#include "codelets/kernels/background.hpp"
#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/detector.hpp"
#include "codelets/kernels/features.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/marked_relief.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/nbia_statistics.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/rbc.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"
#include "codelets/kernels/select.hpp"
#include "codelets/kernels/watershed.hpp"
#include "support/cuda/device.hpp"
#include "support/detector_network.hpp"

namespace starpath::bench {
namespace {

bool same_box(const ObjectBox& a, const ObjectBox& b) {
  const auto all = [](const ObjectBox& x) {
    return std::tie(x.x0, x.y0, x.x1, x.y1, x.area, x.first_x, x.first_y, x.sum_x, x.sum_y);
  };
  return all(a) == all(b);
}

/// A buffer on both sides. Copies share it.
template <class T>
struct Both {
  std::shared_ptr<std::vector<T>> host;
  std::shared_ptr<support::DeviceArray<T>> device;
  int width, height;

  /// An input: the host's contents are copied once.
  Both(const T* from, int columns, int rows)
      : host(std::make_shared<std::vector<T>>(from, from + std::ptrdiff_t{columns} * rows)),
        device(std::make_shared<support::DeviceArray<T>>(*host)),
        width(columns),
        height(rows) {}
  explicit Both(View<const T> image) : Both(image.data, image.width, image.height) {}
  /// A result.
  Both(int columns, int rows)
      : Both(std::vector<T>(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)).data(), columns, rows) {
  }

  View<T> cpu() const { return {host->data(), width, height, width}; }
  View<T> gpu() const { return {device->data(), width, height, width}; }
  std::size_t bytes() const { return host->size() * sizeof(T); }
  bool equal() const {
    const std::vector<T> found = device->get();
    if constexpr (std::is_same_v<T, ObjectBox>)  // it has padding
      return std::equal(found.begin(), found.end(), host->begin(), same_box);
    else
      return std::memcmp(found.data(), host->data(), bytes()) == 0;
  }
};

using Gray = Both<std::uint8_t>;

/// A buffer that kernels take as a span, or as a pointer or reference to its one element.
template <class T>
struct Array : Both<T> {
  explicit Array(const Both<T>& buffer) : Both<T>(buffer) {}
  std::span<T> cpu() const { return *this->host; }
  std::span<T> gpu() const { return this->device->span(); }
};
template <class T>
struct Element : Both<T> {
  explicit Element(const Both<T>& buffer) : Both<T>(buffer) {}
  T* cpu() const { return this->host->data(); }
  T* gpu() const { return this->device->data(); }
};

template <class T>
struct Constant : Both<T> {
  explicit Constant(const T& value) : Both<T>(&value, 1, 1) {}
  const T& cpu() const { return *this->host->data(); }
  const T& gpu() const { return *this->device->data(); }
};

/// A parameter of type int.
struct Number {
  int value;
  int cpu() const { return value; }
  int gpu() const { return value; }
  std::size_t bytes() const { return 0; }
};

/// kernel(context, inputs..., outputs...) on both sides.
template <auto on_cpu, auto on_gpu, class... Inputs, class... Outputs>
Operation operation(const char* name, const std::tuple<Inputs...>& inputs, const std::tuple<Outputs...>& outputs,
                    bool segmentation = true) {
  const auto buffers = std::tuple_cat(inputs, outputs);
  const auto bytes = [](const auto&... each) { return (std::size_t{0} + ... + each.bytes()); };
  return {name,
          std::apply(bytes, inputs),
          std::apply(bytes, outputs),
          [=] { std::apply([](const auto&... each) { on_cpu(context(), each.cpu()...); }, buffers); },
          [=](const KernelContext& c) { std::apply([&](const auto&... each) { on_gpu(c, each.gpu()...); }, buffers); },
          [=] { return std::apply([](const auto&... each) { return (each.equal() && ...); }, outputs); },
          segmentation};
}

/// Of the whole tile as one field, reduced to 512x512 pixels.
void append_nbia(const Both<Rgb>& rgb, std::vector<Operation>& list) {
  const Both<Rgb> reduced(512, 512);
  const Element<NbiaCounts> counts(Both<NbiaCounts>(1, 1));
  list.push_back(
      operation<cpu::area_average, cuda::area_average>("area_average", std::tuple(rgb), std::tuple(reduced), false));
  list.push_back(operation<cpu::nbia_statistics, cuda::nbia_statistics>("nbia_statistics", std::tuple(rgb),
                                                                        std::tuple(counts), false));
  NbiaCounts counted;
  cpu::nbia_statistics(context(), rgb.cpu(), &counted);
  const Both<NbiaCounts> known(&counted, 1, 1);
  const Both<NbiaVote> vote(1, 1);
  const auto samples = std::make_shared<BothSamples>();
  list.push_back(
      {"nbia_classify", known.bytes(), vote.bytes(),
       [=] { cpu::nbia_classify(context(), *known.cpu().data, samples->host.view(), vote.cpu().data); },
       [=](const KernelContext& c) { cuda::nbia_classify(c, *known.gpu().data, samples->device(), vote.gpu().data); },
       [=] { return vote.equal(); }, false});
}

/// The learned detector with a network at random, and the relief of scores of what is dark. A run has these in the
/// place of operations 2 to 8.
void append_detector(const Both<Rgb>& rgb, std::vector<Operation>& list) {
  std::mt19937_64 random(1);
  const support::TestNetwork network = support::random_network(random, DetectorChannels{{16, 32, 48, 64}});
  const support::TestNetwork dark = support::darkness_network();
  Plane<std::uint8_t> dark_nucleus(rgb.width, rgb.height), dark_core(rgb.width, rgb.height);
  cpu::detect(context(), rgb.cpu(), dark.words(), 0, 0, 8, 8, 8, 0, dark_nucleus.view(), dark_core.view());
  const Gray nucleus(std::as_const(dark_nucleus).view()), core(std::as_const(dark_core).view());
  const Gray out(rgb.width, rgb.height), second(rgb.width, rgb.height), objects(rgb.width, rgb.height);
  const Both<std::uint16_t> deep(rgb.width, rgb.height);
  const Array<std::int32_t> words(Both<std::int32_t>(network.numbers().data(), network.layers.words(), 1));
  list.push_back(operation<cpu::detect, cuda::detect>(
      "detect", std::tuple(rgb, words, Number{0}, Number{0}, Number{8}, Number{24}, Number{48}, Number{64}),
      std::tuple(out, second), false));
  list.push_back(operation<cpu::marked_relief, cuda::marked_relief>(
      "marked_relief", std::tuple(nucleus, core, Number{128}, Number{118}, Number{11}, Number{20}),
      std::tuple(objects, deep), false));
}

/// Operations on pixels: what comes before there are objects.
void append_pixels(const Both<Rgb>& rgb, std::vector<Operation>& list) {
  const PixelParameters& p = kPaperPixels;
  const Gray inverted(stages().inverted.view()), opened(stages().opened.view());
  const Gray out(rgb.width, rgb.height), second(rgb.width, rgb.height);
  list.push_back(operation<cpu::background, cuda::background>("background", std::tuple(rgb, Number{p.background_level}),
                                                              std::tuple(out)));
  list.push_back(operation<cpu::rbc, cuda::rbc>(
      "rbc", std::tuple(rgb, Number{p.red_high}, Number{p.red_low}, Number{p.haematoxylin_level}), std::tuple(out)));
  list.push_back(operation<cpu::morph_open, cuda::morph_open>("morph_open", std::tuple(rgb, Number{p.opening_reach}),
                                                              std::tuple(out, second)));
  list.push_back(operation<cpu::recon_to_nuclei, cuda::recon_to_nuclei>(
      "recon_to_nuclei", std::tuple(inverted, opened, Number{p.reconstruction_steps}), std::tuple(out)));
}

void append_objects(std::vector<Operation>& list) {
  const PixelParameters& p = kPaperPixels;
  const ObjectStages& made = object_stages();
  const Gray difference(stages().difference.view()), filled(made.filled.view()), seeds(made.seeds.view());
  const Gray red(made.rbc.view()), selected(made.selected.view()), objects(made.objects.view());
  const Both<std::uint16_t> depth(made.depth.view());
  const int w = difference.width, h = difference.height;
  const Gray out(w, h), nuclei(made.nuclei.view());
  const Both<std::uint16_t> deep(w, h);
  const Both<std::int32_t> labels(w, h);
  const Element<std::int32_t> count(Both<std::int32_t>(1, 1));
  list.push_back(operation<cpu::fill_holes, cuda::fill_holes>(
      "fill_holes", std::tuple(difference, Number{p.seed_level}), std::tuple(out)));
  list.push_back(operation<cpu::area_threshold, cuda::area_threshold>(
      "area_threshold", std::tuple(filled, Number{p.seed_min_area}, Number{p.seed_max_area}), std::tuple(out)));
  list.push_back(operation<cpu::select, cuda::select>(
      "select",
      std::tuple(difference, seeds, red, Number{p.nucleus_level}, Number{p.local_reach}, Number{p.local_weight},
                 Number{p.hole_max_area}),
      std::tuple(out)));
  list.push_back(operation<cpu::pre_watershed, cuda::pre_watershed>(
      "pre_watershed",
      std::tuple(selected, Number{p.clump_min_area}, Number{p.grow_steps}, Number{p.smooth_steps},
                 Number{p.split_depth}),
      std::tuple(out, deep)));
  list.push_back(operation<cpu::watershed, cuda::watershed>("watershed", std::tuple(objects, depth), std::tuple(out)));
  list.push_back(operation<cpu::bwlabel, cuda::bwlabel>(
      "bwlabel", std::tuple(nuclei, Number{p.nucleus_min_area}, Number{p.nucleus_max_area}),
      std::tuple(labels, count)));
}

void append_measurements(const Both<Rgb>& rgb, std::vector<Operation>& list) {
  const ObjectStages& made = object_stages();
  const auto n = static_cast<std::size_t>(made.count);
  const Both<std::int32_t> labels(made.labels.view());
  std::vector<ObjectBox> measured(n);
  cpu::object_boxes(context(), labels.cpu(), measured);
  const std::vector<std::uint8_t> all(n, 1);
  const Array<ObjectBox> boxes(Both<ObjectBox>(made.count, 1)), known(Both<ObjectBox>(measured.data(), made.count, 1));
  const Array<std::uint8_t> wanted(Gray(all.data(), made.count, 1));
  // Both sides hold all pixels at first: the CPU's kernel changes those alone that an object sees.
  Plane<std::uint8_t> whole(rgb.width, kStainChannels * rgb.height);
  const ObjectBox everything{0, 0, rgb.width, rgb.height, 1, 0, 0, 0, 0};
  const std::uint8_t is_wanted = 1;
  cpu::colour_deconvolution(context(), rgb.cpu(), {&everything, 1}, {&is_wanted, 1}, kStainAmountTable, whole.view());
  const Gray channels(std::as_const(whole).view());
  list.push_back(
      operation<cpu::object_boxes, cuda::object_boxes>("object_boxes", std::tuple(labels), std::tuple(boxes)));
  const auto table = [&](FeatureFamily family) { return std::tuple(Both<double>(columns_of(family), made.count)); };
  list.push_back(operation<cpu::colour_deconvolution, cuda::colour_deconvolution>(
      "colour_deconvolution", std::tuple(rgb, known, wanted, Constant(kStainAmountTable)), std::tuple(channels)));
  std::vector<MaskPlace> found(n);
  place_masks(measured, all, rgb.width, rgb.height, mask_words(labels.cpu().pixels()), found);
  const Array<MaskPlace> places(Both<MaskPlace>(found.data(), made.count, 1));
  const Array<std::uint64_t> masks(Both<std::uint64_t>(static_cast<int>(mask_words(labels.cpu().pixels())), 1));
  list.push_back(operation<cpu::nucleus_regions, cuda::nucleus_regions>(
      "nucleus_regions", std::tuple(labels, known, places), std::tuple(masks)));
  list.push_back(operation<cpu::shape_features, cuda::shape_features>(
      "shape_features", std::tuple(labels, known, wanted, places, masks), table(FeatureFamily::shape)));
  const auto inputs = std::tuple(channels, labels, known, wanted, places, masks);
  list.push_back(operation<cpu::intensity_features, cuda::intensity_features>("intensity_features", inputs,
                                                                              table(FeatureFamily::intensity)));
  list.push_back(operation<cpu::gradient_features, cuda::gradient_features>("gradient_features", inputs,
                                                                            table(FeatureFamily::gradient)));
  list.push_back(
      operation<cpu::edge_features, cuda::edge_features>("edge_features", inputs, table(FeatureFamily::edges)));
  list.push_back(operation<cpu::texture_features, cuda::texture_features>("texture_features", inputs,
                                                                          table(FeatureFamily::texture)));
}

}  // namespace

std::vector<Operation> operations() {
  const Both<Rgb> rgb(tile().view());
  std::vector<Operation> list;
  append_pixels(rgb, list);
  append_objects(list);
  append_measurements(rgb, list);
  append_detector(rgb, list);
  append_nbia(rgb, list);
  return list;
}

}  // namespace starpath::bench
