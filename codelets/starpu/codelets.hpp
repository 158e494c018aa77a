// The codelets of the segmentation, one an operation of DESIGN 5.1. Buffers in the order given; cl_arg is the tile's
// TaskStatus.
#pragma once
#include <starpu.h>

namespace starpath::codelets {

extern starpu_codelet background;        // R rgb, W mask
extern starpu_codelet count_background;  // R mask, W counts of cells; cl_arg is a CountBackgroundArgs
extern starpu_codelet rbc;               // R rgb, W mask
extern starpu_codelet morph_open;        // R rgb, W inverted, W opened
extern starpu_codelet recon_to_nuclei;   // R inverted, R opened, W difference
extern starpu_codelet fill_holes;        // R difference, W filled
extern starpu_codelet area_threshold;    // R filled, W seeds
extern starpu_codelet select;            // R difference, R seeds, R rbc, W selected
extern starpu_codelet pre_watershed;     // R selected, W objects, W depth
extern starpu_codelet watershed;         // R objects, R depth, W nuclei
extern starpu_codelet bwlabel;           // R nuclei, W labels, W count
extern starpu_codelet object_boxes;      // R labels, W boxes
extern starpu_codelet features;          // R rgb, R labels, R boxes, R wanted, W table

}  // namespace starpath::codelets
