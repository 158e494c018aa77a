// The whole segmentation of one image as a plain sequence of kernels, without StarPU: the oracle of the pipeline.
#pragma once
#include <cstdint>
#include <span>

#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/detector.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/marked_relief.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/rbc.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"
#include "codelets/kernels/select.hpp"
#include "codelets/kernels/watershed.hpp"
#include "support/images.hpp"

/// Defines starpath::<backend>::segment_image: labels of every nucleus of `rgb` (operations 2 to 10) with
/// these parameters, and how many; with a network, by the learned detector.
#define STARPATH_DEFINE_SEGMENT_IMAGE(backend)                                                                         \
  namespace starpath::backend {                                                                                        \
  inline std::int32_t segment_image(RgbView rgb, const PixelParameters& p, View<std::int32_t> labels) {                \
    using Mask = support::Image<std::uint8_t>;                                                                         \
    const int w = rgb.width, h = rgb.height;                                                                           \
    Scratch scratch;                                                                                                   \
    const KernelContext context{scratch};                                                                              \
    Mask red_cells(w, h), inverted(w, h), opened(w, h), difference(w, h), filled(w, h), seeds(w, h);                   \
    Mask selected(w, h), objects(w, h), nuclei(w, h);                                                                  \
    support::Image<std::uint16_t> depth(w, h);                                                                         \
    std::int32_t count = 0;                                                                                            \
    rbc(context, rgb, p.red_high, p.red_low, p.haematoxylin_level, red_cells.view());                                  \
    morph_open(context, rgb, p.opening_reach, inverted.view(), opened.view());                                         \
    recon_to_nuclei(context, inverted.view(), opened.view(), p.reconstruction_steps, difference.view());               \
    fill_holes(context, difference.view(), p.seed_level, filled.view());                                               \
    area_threshold(context, filled.view(), p.seed_min_area, p.seed_max_area, seeds.view());                            \
    select(context, difference.view(), seeds.view(), red_cells.view(), p.nucleus_level, p.local_reach, p.local_weight, \
           p.hole_max_area, selected.view());                                                                          \
    pre_watershed(context, selected.view(), p.clump_min_area, p.grow_steps, p.smooth_steps, p.split_depth,             \
                  objects.view(), depth.view());                                                                       \
    watershed(context, objects.view(), depth.view(), nuclei.view());                                                   \
    bwlabel(context, nuclei.view(), p.nucleus_min_area, p.nucleus_max_area, labels, &count);                           \
    return count;                                                                                                      \
  }                                                                                                                    \
  inline std::int32_t segment_image(RgbView rgb, const PixelParameters& p, std::span<const std::int32_t> network,      \
                                    View<std::int32_t> labels) {                                                       \
    using Mask = support::Image<std::uint8_t>;                                                                         \
    const int w = rgb.width, h = rgb.height;                                                                           \
    Scratch scratch;                                                                                                   \
    const KernelContext context{scratch};                                                                              \
    Mask nucleus(w, h), core(w, h), objects(w, h), nuclei(w, h);                                                       \
    support::Image<std::uint16_t> depth(w, h);                                                                         \
    std::int32_t count = 0;                                                                                            \
    detect(context, rgb, network, 0, 0, p.channels_0, p.channels_1, p.channels_2, p.channels_3, nucleus.view(),        \
           core.view());                                                                                               \
    marked_relief(context, nucleus.view(), core.view(), p.nucleus_score, p.core_score, p.seed_min_area,                \
                  p.hole_max_area, objects.view(), depth.view());                                                      \
    watershed(context, objects.view(), depth.view(), nuclei.view());                                                   \
    bwlabel(context, nuclei.view(), p.nucleus_min_area, p.nucleus_max_area, labels, &count);                           \
    return count;                                                                                                      \
  }                                                                                                                    \
  }

STARPATH_DEFINE_SEGMENT_IMAGE(reference)
STARPATH_DEFINE_SEGMENT_IMAGE(cpu)
