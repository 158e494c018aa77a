// The main job: every nucleus of a slide, tile by tile, into a results file.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "io/results/result_store.hpp"
#include "io/results/tile_store.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/run/memory_need.hpp"
#include "pipelines/run/progress.hpp"
#include "pipelines/run/tile_loop.hpp"
#include "pipelines/run/tile_source.hpp"
#include "pipelines/segmentation/options.hpp"

namespace starpath {

/// What must agree for a run to be continued by another: slide, version, and every option that changes results.
io::RunKey run_key(const io::SlideInfo& slide, const SegmentationOptions& options);
/// What readers of the results want to know.
io::RunInfo run_info(const io::SlideInfo& slide, const io::WorkingSlide& grid, const SegmentationOptions& options);

/// What the working grid may have, um a pixel.
inline constexpr double kLeastWorkMpp = 0.2, kMostWorkMpp = 2;
/// Throws Error{usage} outside of that.
void check_work_mpp(double mpp);

/// Throws Error{usage} naming the option when the options make no sense for any slide: a tile smaller than the halo,
/// tiles that are too large, parameters that contradict each other, families that leave out what a parameter needs.
void check_options(const SegmentationOptions& options);
/// The same, and when they make none for this slide: a region of interest outside of it.
void check_options(const io::WorkingSlide& slide, const SegmentationOptions& options);

/// Takes the regions into the options: tiles that no region meets are left out, nuclei outside are not accepted, and
/// the survey looks at fields that regions meet. The box around them replaces options.tiling.roi, which stays where
/// the map holds only what is excluded.
void use_regions(std::shared_ptr<const io::RegionMap> regions, const io::WorkingSlide& slide,
                 SegmentationOptions& options);

/// How wide a halo must be so that tiles give the same nuclei wherever they are cut: what operations reach, and room
/// for a nucleus.
std::int64_t halo_of(const PixelParameters& parameters);
/// The one that was asked for; such a one where none was.
std::int64_t halo_of(const SegmentationOptions& options);

/// Segments every tile that `store` does not hold yet, at most options.window at a time, and commits them as they
/// finish, on a thread of its own (at most options.window wait for that). StarPU must be running. Tiles that fail are
/// tried options.attempts times, then recorded and passed over. Once `stop` is true no new tile is begun and those in
/// flight are finished. Throws Error{output} when a commit fails and Error{runtime} when StarPU has no worker for a
/// stage; tiles committed before stay.
Progress segment_slide(const io::WorkingSlide& slide, const io::TileStore& store, const SegmentationOptions& options,
                       const ProgressCallback& on_progress, const std::atomic<bool>& stop);

/// The same for the tiles that `source` gives, at most options.window of them asked for and not yet computed. Ends when
/// the source says that the work is over; what others did by then counts in the progress too.
Progress segment_tiles(const io::WorkingSlide& slide, const io::TileStore& store, const SegmentationOptions& options,
                       TileSource& source, const ProgressCallback& on_progress, const std::atomic<bool>& stop);

/// The same for the tiles that come to the loop which `make_loop` makes.
Progress segment_tiles(const io::WorkingSlide& slide, const io::TileStore& store, const SegmentationOptions& options,
                       const MakeTileLoop& make_loop, const std::atomic<bool>& stop);

/// Tiles in flight, as the options say or by default. StarPU must be running.
std::size_t window_of(const SegmentationOptions& options);

/// Before the first of several slides that are segmented at the same time with these options and `gpus_prepared`: takes
/// the GPU memory that a tile of any slide needs. StarPU must be running, and no task. Returns a line for each GPU that
/// has too little.
std::vector<std::string> prepare_gpus_for_slides(const SegmentationOptions& options);

/// Indices of the tiles that `store` does not hold finished, in row-major order.
std::vector<std::int64_t> tiles_left(const io::WorkingSlide& slide, const io::TileStore& store,
                                     const SegmentationOptions& options);

/// Of the largest tile of the slide, finished or not, or of the survey's largest field where that is more.
MemoryNeed memory_need_of(const io::WorkingSlide& slide, const SegmentationOptions& options);

struct AcceptedNuclei {
  std::int64_t nuclei = 0;
  std::int64_t left_out = 0;  // by the stain check (stain_check.hpp)
};

/// Decides which of the stored nuclei count (seams.hpp, options.regions, stain_check.hpp) and numbers them. Safe to
/// repeat.
AcceptedNuclei accept_nuclei(const io::ResultStore& store, const SegmentationOptions& options);

}  // namespace starpath
