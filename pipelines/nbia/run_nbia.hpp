// NBIA over a slide: every field judged, coarse levels first, into a results file.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/results/field_store.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/nbia/decision.hpp"
#include "pipelines/nbia/model.hpp"
#include "pipelines/run/memory_need.hpp"
#include "pipelines/run/progress.hpp"
#include "pipelines/run/task_log.hpp"
#include "pipelines/run/tile_loop.hpp"
#include "pipelines/run/tile_source.hpp"
#include "pipelines/run/tiling.hpp"

namespace starpath {

struct NbiaOptions {
  double slide_mpp = 0;                     // overrides the file's resolution; 0 to trust it
  Rect roi = {};                            // working pixels; empty for the whole slide
  int window = 0;                           // fields in flight; 0 for four times the number of workers
  int attempts = 3;                         // for a field that cannot be read or processed
  double recalc_rate = kFreeRecalculation;  // see is_recalculated
  TaskLog* log = nullptr;                   // gets every task, when there is one
};

/// The values that must agree for a run to continue another: slide, version, model, and every option that changes
/// results.
io::RunKey nbia_run_key(const io::SlideInfo& slide, const NbiaModel& model, const NbiaOptions& options);

/// Throws Error{usage} naming the option when the options make no sense for this slide.
void check_nbia_options(const io::WorkingSlide& slide, const NbiaModel& model, const NbiaOptions& options);

/// Judges the fields that `source` gives, numbered as Field::index, and commits each as it is decided. At most
/// options.window of them are asked for and not yet decided. A field that is not decided spawns the tasks of its next
/// level. `slide` has the model's resolution. StarPU must be running. Fields that fail are tried options.attempts
/// times, then recorded and passed over. Ends when the source says that the work is over; the progress counts the work
/// of other processes by then too. Once `stop` is true no new field is begun and those in flight are finished. In
/// Progress, `found` counts fields of tissue and `tiles_skipped` those of background. Throws Error{output} when a
/// commit fails and Error{runtime} when StarPU has no worker for a task; fields committed before stay.
Progress run_nbia_fields(const io::WorkingSlide& slide, io::FieldStore& store, const NbiaModel& model,
                         const NbiaOptions& options, TileSource& source, const ProgressCallback& on_progress,
                         const std::atomic<bool>& stop);

/// The same for the fields that come to the loop which `make_loop` makes.
Progress run_nbia_fields(const io::WorkingSlide& slide, io::FieldStore& store, const NbiaModel& model,
                         const NbiaOptions& options, const MakeTileLoop& make_loop, const std::atomic<bool>& stop);

/// The memory that one field needs, at its worst level.
MemoryNeed memory_need_of(const NbiaModel& model);

/// Indices of the fields that `store` does not hold decided, in row-major order.
std::vector<std::int64_t> fields_left(const io::WorkingSlide& slide, const io::FieldStore& store,
                                      const NbiaModel& model, const NbiaOptions& options);

/// The result of a finished run for the slide.
struct NbiaSummary {
  std::map<NbiaLabel, std::int64_t> fields;  // by label; every label is there
  std::int64_t low_confidence = 0, out_of_range = 0, failed = 0;
  std::vector<std::int64_t> computed;  // fields computed at each level of the model

  /// Share of the tissue's fields; 0 without tissue.
  double share(NbiaLabel label) const;
  /// Fields that are not background.
  std::int64_t tissue() const;
  /// The share of the fields computed at `level` that were computed again at the next; 0 where none was computed.
  double recalculation_rate(std::size_t level) const;
};

/// A line for people about fields out of range, or that the model cannot tell; empty when there are no more than false
/// alarms explain (one-sided binomial test, kNbiaSignificance).
std::string range_warning(const NbiaSummary& summary, const NbiaModel& model);

NbiaSummary summarise(const std::vector<io::FieldRecord>& fields, const NbiaModel& model);

}  // namespace starpath
