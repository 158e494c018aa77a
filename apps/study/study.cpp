// A study from its arguments to its exit code.
#include "apps/study/study.hpp"

#include <atomic>
#include <optional>
#include <utility>

#include "apps/run/compute.hpp"
#include "apps/run/output_folder.hpp"
#include "apps/run/record_file.hpp"
#include "apps/run/stop_signals.hpp"
#include "apps/study/rank_study.hpp"
#include "apps/study/study_books.hpp"
#include "apps/study/study_report.hpp"
#include "apps/study/study_start.hpp"
#include "apps/study/study_work.hpp"
#include "mpi/network/network.hpp"
#include "pipelines/run/tile_list.hpp"

namespace starpath::apps {
namespace {

int run_alone(SegmentArguments& arguments, std::vector<io::StudySlide> slides) {
  check_slides(arguments, slides);
  check_study(arguments);
  const auto lock = lock_output(arguments);
  std::optional<AtomicFile> record;
  open_record(arguments, record);
  const ReportStyle style = choose_style(arguments.json, arguments.quiet);
  std::optional<StudyReport> report;
  std::optional<StudyBooks> books;
  const auto open_books = [&] {
    io::StudyStore store = open_study(arguments);
    report.emplace(style, choose_folders(store, slides));
    books.emplace(arguments, slides, std::move(store), *report);
  };
  if (!arguments.overwrite) open_books();
  const std::atomic<bool>& stop = catch_stop_signals();
  Outcome outcome;
  ProgressReport hints(style, "nuclei");
  with_resume_hint(hints, [&] {
    compute(arguments, outcome, [&] {
      if (!books) open_books();  // a failed start of StarPU replaces nothing
      TileList source(books->to_do(), workflow::single_stage("slide"));
      StudyEvents events;
      StudyWork work(arguments, slides, *books, events);
      work.work(source, stop);
      arguments.log = books->take_log();
      books->conclude(work.halted(), outcome);
      books->note_run(outcome, devices_in_use());
    });
  });
  report->close();
  return tell_study(arguments, outcome, record ? &*record : nullptr);
}

}  // namespace

int run_study(SegmentArguments& arguments, const std::function<std::vector<io::StudySlide>()>& slides) {
  return mpi::launched_ranks() > 1 ? run_study_as_rank(arguments, slides) : run_alone(arguments, slides());
}

}  // namespace starpath::apps
