// The kernels of operation 11 of one backend, and their tables as one.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "codelets/kernels/features.hpp"
#include "support/images.hpp"

namespace starpath::support {

struct FeatureKernels {
  decltype(&cpu::colour_deconvolution) deconvolve;
  decltype(&cpu::nucleus_regions) regions;
  decltype(&cpu::shape_features) shape;
  std::array<decltype(&cpu::intensity_features), kFamilyCount - 1> of_channels;  // the other families, in their order
};

inline constexpr FeatureKernels kReferenceFeatures{reference::colour_deconvolution,
                                                   reference::nucleus_regions,
                                                   reference::shape_features,
                                                   {reference::intensity_features, reference::gradient_features,
                                                    reference::edge_features, reference::texture_features}};
inline constexpr FeatureKernels kCpuFeatures{
    cpu::colour_deconvolution,
    cpu::nucleus_regions,
    cpu::shape_features,
    {cpu::intensity_features, cpu::gradient_features, cpu::edge_features, cpu::texture_features}};

/// Haematoxylin, eosin and gray of a picture below each other.
inline Image<std::uint8_t> channels_of(const FeatureKernels& kernels, const Image<Rgb>& rgb,
                                       const std::vector<ObjectBox>& boxes, const std::vector<std::uint8_t>& wanted,
                                       const StainAmountTable& stains) {
  Image<std::uint8_t> channels(rgb.width(), kStainChannels * rgb.height(), 3);
  TestContext context;
  kernels.deconvolve(context, rgb.view(), boxes, wanted, stains, channels.view());
  EXPECT_TRUE(channels.padding_intact());
  return channels;
}

/// The masks of objects, in so many words.
struct Masks {
  std::vector<MaskPlace> places;
  std::vector<std::uint64_t> words;
};
inline Masks masks_of(const FeatureKernels& kernels, const Image<std::int32_t>& labels,
                      const std::vector<ObjectBox>& boxes, const std::vector<std::uint8_t>& wanted, std::size_t words) {
  Masks masks{std::vector<MaskPlace>(boxes.size()), std::vector<std::uint64_t>(words, ~std::uint64_t{0})};
  place_masks(boxes, wanted, labels.width(), labels.height(), words, masks.places);
  TestContext context;
  kernels.regions(context, labels.view(), boxes, masks.places, masks.words);
  return masks;
}

/// A family's table with `nothing` in what was not written.
inline Image<double> family_rows(const FeatureKernels& kernels, FeatureFamily family,
                                 const Image<std::uint8_t>& channels, const Image<std::int32_t>& labels,
                                 const std::vector<ObjectBox>& boxes, const std::vector<std::uint8_t>& wanted,
                                 const Masks& masks, double nothing) {
  Image<double> table(columns_of(family), static_cast<int>(boxes.size()), 3, nothing);
  TestContext context;
  if (family == FeatureFamily::shape)
    kernels.shape(context, labels.view(), boxes, wanted, masks.places, masks.words, table.view());
  else
    kernels.of_channels[static_cast<std::size_t>(family) - 1](context, channels.view(), labels.view(), boxes, wanted,
                                                              masks.places, masks.words, table.view());
  EXPECT_TRUE(table.padding_intact());
  return table;
}

/// All features of all objects, in the order of kFeatureNames. Objects have masks while there is room in `words`.
inline Image<double> all_rows(const FeatureKernels& kernels, const Image<Rgb>& rgb, const Image<std::int32_t>& labels,
                              const std::vector<ObjectBox>& boxes, const std::vector<std::uint8_t>& wanted,
                              const StainAmountTable& stains, double nothing, std::size_t words) {
  const Image<std::uint8_t> channels = channels_of(kernels, rgb, boxes, wanted, stains);
  const Masks masks = masks_of(kernels, labels, boxes, wanted, words);
  std::vector<Image<double>> tables;
  for (std::size_t family = 0; family < kFamilyCount; ++family)
    tables.push_back(
        family_rows(kernels, static_cast<FeatureFamily>(family), channels, labels, boxes, wanted, masks, nothing));
  Image<double> all(kFeatureCount, static_cast<int>(boxes.size()));
  for (int y = 0; y < all.height(); ++y)
    for (int x = 0; x < kFeatureCount; ++x) {
      const auto [family, column] = kFeaturePlaces[static_cast<std::size_t>(x)];
      all.at(x, y) = tables[static_cast<std::size_t>(family)].at(column, y);
    }
  return all;
}

}  // namespace starpath::support
