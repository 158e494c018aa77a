// Buffers and calls of each operation. Inputs are what the CPU kernels make of the benchmark tile.
#include "bench/gpu/operations.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>

#include "bench/gpu/nbia_samples.hpp"
#include "bench/kernels/stages.hpp"
#include "codelets/kernels/area_average.hpp"
#include "codelets/kernels/background.hpp"
#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/features.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/nbia_statistics.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/rbc.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "codelets/kernels/select.hpp"
#include "codelets/kernels/watershed.hpp"
#include "tests/cuda/device.hpp"

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

/// Of the whole tile as one field, reduced to 512x512 pixels.
void append_nbia(const Both<Rgb>& rgb, std::vector<Operation>& list) {
  const Both<Rgb> reduced(512, 512);
  const Both<NbiaCounts> counts(1, 1);
  list.push_back({"area_average", rgb.bytes(), reduced.bytes(),
                  [=] { cpu::area_average(context(), rgb.cpu(), reduced.cpu()); },
                  [=](const KernelContext& c) { cuda::area_average(c, rgb.gpu(), reduced.gpu()); },
                  [=] { return reduced.equal(); }, false});
  list.push_back({"nbia_statistics", rgb.bytes(), counts.bytes(),
                  [=] { cpu::nbia_statistics(context(), rgb.cpu(), counts.cpu().data); },
                  [=](const KernelContext& c) { cuda::nbia_statistics(c, rgb.gpu(), counts.gpu().data); },
                  [=] { return counts.equal(); }, false});
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

}  // namespace

std::vector<Operation> operations() {
  const Stages& early = stages();
  const ObjectStages& late = object_stages();
  const Both<Rgb> rgb(tile().view());
  const Gray inverted(early.inverted.view()), opened(early.opened.view()), difference(early.difference.view());
  const Gray filled(late.filled.view()), seeds(late.seeds.view()), red(late.rbc.view()), selected(late.selected.view());
  const Gray objects(late.objects.view()), nuclei(late.nuclei.view());
  const Both<std::uint16_t> depth(late.depth.view());
  const Both<std::int32_t> labels(late.labels.view());
  const int w = rgb.width, h = rgb.height;
  const Gray out(w, h), second(w, h);
  const Both<std::uint16_t> deep(w, h);
  const Both<std::int32_t> named(w, h), count(1, 1);
  const auto n = static_cast<std::size_t>(late.count);
  const Both<ObjectBox> boxes(late.count, 1), known([&] {
    std::vector<ObjectBox> made(n);
    cpu::object_boxes(context(), labels.cpu(), made);
    return Both<ObjectBox>(made.data(), late.count, 1);
  }());
  const std::vector<std::uint8_t> all(n, 1);
  const Gray wanted(all.data(), late.count, 1);
  const Both<double> table(feature_count, late.count);

  std::vector<Operation> list;
  list.push_back({"background", rgb.bytes(), out.bytes(), [=] { cpu::background(context(), rgb.cpu(), out.cpu()); },
                  [=](const KernelContext& c) { cuda::background(c, rgb.gpu(), out.gpu()); },
                  [=] { return out.equal(); }});
  list.push_back({"rbc", rgb.bytes(), out.bytes(), [=] { cpu::rbc(context(), rgb.cpu(), out.cpu()); },
                  [=](const KernelContext& c) { cuda::rbc(c, rgb.gpu(), out.gpu()); }, [=] { return out.equal(); }});
  list.push_back({"morph_open", rgb.bytes(), 2 * out.bytes(),
                  [=] { cpu::morph_open(context(), rgb.cpu(), out.cpu(), second.cpu()); },
                  [=](const KernelContext& c) { cuda::morph_open(c, rgb.gpu(), out.gpu(), second.gpu()); },
                  [=] { return out.equal() && second.equal(); }});
  list.push_back({"recon_to_nuclei", 2 * inverted.bytes(), out.bytes(),
                  [=] { cpu::recon_to_nuclei(context(), inverted.cpu(), opened.cpu(), out.cpu()); },
                  [=](const KernelContext& c) { cuda::recon_to_nuclei(c, inverted.gpu(), opened.gpu(), out.gpu()); },
                  [=] { return out.equal(); }});
  list.push_back(
      {"fill_holes", difference.bytes(), out.bytes(), [=] { cpu::fill_holes(context(), difference.cpu(), out.cpu()); },
       [=](const KernelContext& c) { cuda::fill_holes(c, difference.gpu(), out.gpu()); }, [=] { return out.equal(); }});
  list.push_back(
      {"area_threshold", filled.bytes(), out.bytes(), [=] { cpu::area_threshold(context(), filled.cpu(), out.cpu()); },
       [=](const KernelContext& c) { cuda::area_threshold(c, filled.gpu(), out.gpu()); }, [=] { return out.equal(); }});
  list.push_back({"select", 3 * difference.bytes(), out.bytes(),
                  [=] { cpu::select(context(), difference.cpu(), seeds.cpu(), red.cpu(), out.cpu()); },
                  [=](const KernelContext& c) { cuda::select(c, difference.gpu(), seeds.gpu(), red.gpu(), out.gpu()); },
                  [=] { return out.equal(); }});
  list.push_back({"pre_watershed", selected.bytes(), out.bytes() + deep.bytes(),
                  [=] { cpu::pre_watershed(context(), selected.cpu(), out.cpu(), deep.cpu()); },
                  [=](const KernelContext& c) { cuda::pre_watershed(c, selected.gpu(), out.gpu(), deep.gpu()); },
                  [=] { return out.equal() && deep.equal(); }});
  list.push_back({"watershed", objects.bytes() + depth.bytes(), out.bytes(),
                  [=] { cpu::watershed(context(), objects.cpu(), depth.cpu(), out.cpu()); },
                  [=](const KernelContext& c) { cuda::watershed(c, objects.gpu(), depth.gpu(), out.gpu()); },
                  [=] { return out.equal(); }});
  list.push_back({"bwlabel", nuclei.bytes(), named.bytes(),
                  [=] { cpu::bwlabel(context(), nuclei.cpu(), named.cpu(), count.cpu().data); },
                  [=](const KernelContext& c) { cuda::bwlabel(c, nuclei.gpu(), named.gpu(), count.gpu().data); },
                  [=] { return named.equal() && count.equal(); }});
  list.push_back({"object_boxes", labels.bytes(), boxes.bytes(),
                  [=] {
                    cpu::object_boxes(context(), labels.cpu(), {boxes.cpu().data, n});
                  },
                  [=](const KernelContext& c) {
                    cuda::object_boxes(c, labels.gpu(), {boxes.gpu().data, n});
                  },
                  [=] { return boxes.equal(); }});
  list.push_back(
      {"features", rgb.bytes() + labels.bytes() + known.bytes(), table.bytes(),
       [=] {
         cpu::features(context(), rgb.cpu(), labels.cpu(), {known.cpu().data, n}, {wanted.cpu().data, n}, table.cpu());
       },
       [=](const KernelContext& c) {
         cuda::features(c, rgb.gpu(), labels.gpu(), {known.gpu().data, n}, {wanted.gpu().data, n}, table.gpu());
       },
       [=] { return table.equal(); }});
  append_nbia(rgb, list);
  return list;
}

}  // namespace starpath::bench
