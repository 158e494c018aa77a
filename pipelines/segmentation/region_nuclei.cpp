// A run into a folder that goes.
#include "pipelines/segmentation/region_nuclei.hpp"

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "io/results/nucleus_store.hpp"
#include "pipelines/segmentation/segment_slide.hpp"

namespace starpath {

std::vector<io::NucleusRecord> nuclei_of_region(const io::Slide& slide, const io::WorkingSlide& grid,
                                                const SegmentationOptions& options, const std::atomic<bool>& stop) {
  const TemporaryFolder folder;
  const io::ResultStore store = io::ResultStore::create(
      folder.path() / "results.sqlite", run_key(slide.info(), options), run_info(slide.info(), grid, options));
  std::string failures;
  segment_slide(
      grid, io::TileStore(store), options,
      [&](const Progress&, const std::string& failure) {
        if (failures.empty()) failures = failure;
      },
      stop);
  if (!failures.empty()) throw Error(ErrorKind::input, failures);
  accept_nuclei(store, options);
  std::vector<io::NucleusRecord> nuclei;
  io::NucleusStore(store).for_each_nucleus(
      false, [&](std::int64_t, const io::NucleusRecord& nucleus) { nuclei.push_back(nucleus); });
  return nuclei;
}

}  // namespace starpath
