// The codelets: one row a kernel. The kernel's header documents its parameters. They are the task's buffers, in the
// same order; buffers of constants are read, others overwritten (kernel_codelet.hpp).
#pragma once
#include "codelets/kernels/area_average.hpp"
#include "codelets/kernels/background.hpp"
#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/colour_deconvolution.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/detector.hpp"
#include "codelets/kernels/features.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/kmeans_assign.hpp"
#include "codelets/kernels/marked_relief.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/nbia_classify.hpp"
#include "codelets/kernels/nbia_statistics.hpp"
#include "codelets/kernels/nearest_classes.hpp"
#include "codelets/kernels/normalise.hpp"
#include "codelets/kernels/nucleus_regions.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/rbc.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "codelets/kernels/select.hpp"
#include "codelets/kernels/survey.hpp"
#include "codelets/kernels/watershed.hpp"
#include "codelets/starpu/kernel_codelet.hpp"

namespace starpath::codelets {

// Survey of a slide; it begins with morph_open and recon_to_nuclei
inline starpu_codelet survey = kernel_codelet<"survey", cpu::survey, cuda::survey>();

// Segmentation
inline starpu_codelet background =
    kernel_codelet<"background", cpu::background, cuda::background, opencv::background>();
inline starpu_codelet count_background =
    kernel_codelet<"count_background", cpu::count_background, cuda::count_background>();
inline starpu_codelet rbc = kernel_codelet<"rbc", cpu::rbc, cuda::rbc>();
inline starpu_codelet morph_open =
    kernel_codelet<"morph_open", cpu::morph_open, cuda::morph_open, opencv::morph_open>();
inline starpu_codelet recon_to_nuclei =
    kernel_codelet<"recon_to_nuclei", cpu::recon_to_nuclei, cuda::recon_to_nuclei>();
inline starpu_codelet fill_holes = kernel_codelet<"fill_holes", cpu::fill_holes, cuda::fill_holes>();
inline starpu_codelet area_threshold = kernel_codelet<"area_threshold", cpu::area_threshold, cuda::area_threshold>();
inline starpu_codelet select = kernel_codelet<"select", cpu::select, cuda::select>();
inline starpu_codelet pre_watershed = kernel_codelet<"pre_watershed", cpu::pre_watershed, cuda::pre_watershed>();
inline starpu_codelet detect = kernel_codelet<"detect", cpu::detect, cuda::detect>();
inline starpu_codelet marked_relief = kernel_codelet<"marked_relief", cpu::marked_relief, cuda::marked_relief>();
inline starpu_codelet watershed = kernel_codelet<"watershed", cpu::watershed, cuda::watershed>();
inline starpu_codelet bwlabel = kernel_codelet<"bwlabel", cpu::bwlabel, cuda::bwlabel>();
inline starpu_codelet object_boxes = kernel_codelet<"object_boxes", cpu::object_boxes, cuda::object_boxes>();
inline starpu_codelet normalise = kernel_codelet<"normalise", cpu::normalise, cuda::normalise>();
inline starpu_codelet colour_deconvolution =
    kernel_codelet<"colour_deconvolution", cpu::colour_deconvolution, cuda::colour_deconvolution>();
inline starpu_codelet nucleus_regions =
    kernel_codelet<"nucleus_regions", cpu::nucleus_regions, cuda::nucleus_regions>();
inline starpu_codelet shape_features = kernel_codelet<"shape_features", cpu::shape_features, cuda::shape_features>();
inline starpu_codelet intensity_features =
    kernel_codelet<"intensity_features", cpu::intensity_features, cuda::intensity_features>();
inline starpu_codelet gradient_features =
    kernel_codelet<"gradient_features", cpu::gradient_features, cuda::gradient_features>();
inline starpu_codelet edge_features = kernel_codelet<"edge_features", cpu::edge_features, cuda::edge_features>();
inline starpu_codelet texture_features =
    kernel_codelet<"texture_features", cpu::texture_features, cuda::texture_features>();

// NBIA
inline starpu_codelet area_average =
    kernel_codelet<"area_average", cpu::area_average, cuda::area_average, opencv::area_average>();
inline starpu_codelet nbia_statistics =
    kernel_codelet<"nbia_statistics", cpu::nbia_statistics, cuda::nbia_statistics>();
inline starpu_codelet nbia_classify = kernel_codelet<"nbia_classify", cpu::nbia_classify, cuda::nbia_classify>();

// Clusters of nuclei
inline starpu_codelet kmeans_assign = kernel_codelet<"kmeans_assign", cpu::kmeans_assign, cuda::kmeans_assign>();

// Classes of nuclei
inline starpu_codelet nearest_classes =
    kernel_codelet<"nearest_classes", cpu::nearest_classes, cuda::nearest_classes>();

}  // namespace starpath::codelets
