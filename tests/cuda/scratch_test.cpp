// No CUDA kernel takes more scratch memory than GPU workers set aside for it.
#include <gtest/gtest.h>

#include <vector>

#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/features.hpp"
#include "codelets/kernels/gpu_memory.hpp"
#include "codelets/kernels/marked_relief.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/nbia_classify.hpp"
#include "codelets/kernels/nucleus_pixels.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/rbc.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"
#include "codelets/kernels/select.hpp"
#include "codelets/kernels/watershed.hpp"
#include "support/cuda/device.hpp"
#include "support/detector_network.hpp"
#include "support/nbia_samples.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(CudaScratch, IsEnoughForEveryOperation) {
  constexpr int width = 331, height = 200;
  Rng rng(test_seed());
  const auto rgb = rgb_noise(rng, width, height, 0);
  const auto mask = blobs(rng, width, height, 0);
  Image<std::uint8_t> a(width, height), b(width, height), c(width, height);
  Image<std::uint16_t> depth(width, height);
  Image<std::int32_t> labels(width, height);
  std::int32_t count = 0;
  DeviceContext context;
  context.scratch.reserve(gpu_scratch_bytes(std::int64_t{width} * height));
  const std::size_t before = context.scratch.reserved();
  const auto check = [&](const char* name) { EXPECT_EQ(context.scratch.reserved(), before) << name; };
  cuda::rbc(context, rgb.view(), kPaperPixels.red_high, kPaperPixels.red_low, 0, c.view());
  check("rbc");
  cuda::morph_open(context, rgb.view(), kMaxOpeningReach, a.view(), b.view());
  check("morph_open");
  cuda::recon_to_nuclei(context, a.view(), b.view(), kPaperPixels.reconstruction_steps, c.view());
  check("recon_to_nuclei");
  cuda::select(context, a.view(), mask.view(), b.view(), 45, kMaxLocalReach, 80, 20, c.view());
  check("select");
  cuda::pre_watershed(context, mask.view(), 30, 2, 2, 128, a.view(), depth.view());
  check("pre_watershed");
  cuda::marked_relief(context, mask.view(), b.view(), 100, 200, 3, 20, a.view(), depth.view());
  check("marked_relief");
  cuda::watershed(context, a.view(), depth.view(), b.view());
  check("watershed");
  cuda::bwlabel(context, b.view(), kPaperPixels.nucleus_min_area, kPaperPixels.nucleus_max_area, labels.view(), &count);
  check("bwlabel");
  std::vector<ObjectBox> boxes(static_cast<std::size_t>(count));
  cuda::object_boxes(context, labels.view(), boxes);
  const std::vector<std::uint8_t> wanted(boxes.size(), 1);
  Image<std::uint8_t> channels(width, kStainChannels * height);
  cuda::colour_deconvolution(context, rgb.view(), boxes, wanted, kStainAmountTable, channels.view());
  check("colour_deconvolution");
  std::vector<MaskPlace> places(boxes.size());
  std::vector<std::uint64_t> masks(mask_words(std::int64_t{width} * height));
  place_masks(boxes, wanted, width, height, masks.size(), places);
  cuda::nucleus_regions(context, labels.view(), boxes, places, masks);
  check("nucleus_regions");
  Image<double> table(kFeatureCount, std::max(1, count));
  const auto columns = [&](FeatureFamily family) {
    View<double> view = table.view();
    view.width = columns_of(family);
    return view;
  };
  cuda::shape_features(context, labels.view(), boxes, wanted, places, masks, columns(FeatureFamily::shape));
  check("shape_features");
  cuda::intensity_features(context, channels.view(), labels.view(), boxes, wanted, places, masks,
                           columns(FeatureFamily::intensity));
  check("intensity_features");
  cuda::gradient_features(context, channels.view(), labels.view(), boxes, wanted, places, masks,
                          columns(FeatureFamily::gradient));
  check("gradient_features");
  cuda::edge_features(context, channels.view(), labels.view(), boxes, wanted, places, masks,
                      columns(FeatureFamily::edges));
  check("edge_features");
  cuda::texture_features(context, channels.view(), labels.view(), boxes, wanted, places, masks,
                         columns(FeatureFamily::texture));
  check("texture_features");
}

TEST(CudaScratch, IsEnoughForADetector) {
  constexpr int width = 43, height = 21;
  Rng rng(test_seed());
  for (const DetectorChannels& channels : {DetectorChannels{{16, 24, 48, 64}}, DetectorChannels{{8, 16, 24, 0}}}) {
    const TestNetwork network = random_network(rng, channels);
    const auto rgb = rgb_noise(rng, width, height, 0);
    Image<std::uint8_t> nucleus(width, height), core(width, height);
    DeviceContext context;
    context.scratch.reserve(detector_gpu_scratch_bytes(channels, std::int64_t{width} * height));
    const std::size_t before = context.scratch.reserved();
    const auto& of = channels.of;
    cuda::detect(context, rgb.view(), network.words(), 0, 0, of[0], of[1], of[2], of[3], nucleus.view(), core.view());
    EXPECT_EQ(context.scratch.reserved(), before);
  }
}

TEST(CudaScratch, IsEnoughForAVote) {
  for (const int count : {kNbiaNeighbours, 16, 20'000}) {
    const Samples samples(count);
    DeviceContext context;
    context.scratch.reserve(nbia_gpu_scratch_bytes(static_cast<std::size_t>(count)));
    const std::size_t before = context.scratch.reserved();
    NbiaVote vote{};
    cuda::nbia_classify(context, NbiaCounts{{}, {}, 0, 1}, samples.view(), &vote);
    EXPECT_EQ(context.scratch.reserved(), before) << count;
  }
}

}  // namespace
}  // namespace starpath
