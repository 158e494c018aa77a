// The slides of a study on the ranks of a job: a rank other than 0 computes and notes, rank 0 hears of it.
#pragma once
#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "io/study/study_store.hpp"
#include "mpi/job/job.hpp"
#include "runs/run_steps.hpp"
#include "runs/segmentation/pipeline.hpp"
#include "runs/study/study_books.hpp"
#include "runs/study/study_work.hpp"

namespace starpath {

/// Computes the slides that rank 0 gives, and tells it what comes of them. StarPU is running.
Computed work_on_slides(const SegmentRequest& request, TileSource& source, RunListener& listener,
                        const std::atomic<bool>& stop, mpi::Job& job);

/// Rank 0 introduces the slides to the other ranks. From then on `events` bring what they note into the books and the
/// work, which need to live only as long as the events are run; the slides as long as the job.
void hear_of_slides(const std::string& out, const std::vector<io::StudySlide>& slides,
                    const std::shared_ptr<StudyEvents>& events, StudyBooks& books, StudyWork& work, mpi::Job& job);

}  // namespace starpath
