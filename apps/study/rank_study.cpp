// The life of a rank in a study.
#include "apps/study/rank_study.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "apps/run/compute.hpp"
#include "apps/run/output_folder.hpp"
#include "apps/run/rank_books.hpp"
#include "apps/run/rank_life.hpp"
#include "apps/study/slide_messages.hpp"
#include "apps/study/study_books.hpp"
#include "apps/study/study_report.hpp"
#include "apps/study/study_start.hpp"
#include "apps/study/study_work.hpp"
#include "starpath_version.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;
using mpi::Job;

const std::atomic<bool> kNever{false};  // the job hears of signals, and tells every rank

/// Rank 0 says which slides there are.
mpi::Agreement agreement_of(const SegmentArguments& arguments) {
  const nlohmann::json options = {
      {"all", parameters_of_all(arguments)},  {"export", arguments.exports}, {"features", arguments.exporting.features},
      {"digits", arguments.exporting.digits}, {"resume", arguments.resume},  {"overwrite", arguments.overwrite}};
  return {version, "of a study", options.dump()};
}

/// Notes of a rank go to rank 0; who ran what is summed up here, for the end.
class NotesToManager final : public StudyNotes {
 public:
  explicit NotesToManager(Job& job) : job_(job) {}

  void begun(std::size_t slide) override { job_.tell(0, mpi::Note{begun_text(slide)}); }
  void update(std::size_t slide, const Progress& progress, const std::string& failure) override {
    if (progress.tiles_total > 0) {
      const std::lock_guard lock(mutex_);
      shares_[slide] = progress.shares;
    }
    job_.tell(0, mpi::Note{update_text(slide, progress, failure)});
  }
  void finished(std::size_t slide, const SlideOutcome& outcome) override {
    job_.tell(0, mpi::Note{finished_text(slide, outcome)});
  }

  Progress sum() const {
    Progress sum;
    for (const auto& [slide, shares] : shares_) sum.add(shares);
    return sum;
  }

 private:
  Job& job_;
  std::mutex mutex_;
  std::map<std::size_t, StageShares> shares_;
};

void work_for_manager(SegmentArguments& arguments, Job& job) {
  check_study(arguments);
  std::optional<io::OutputLock> lock;
  Outcome outcome;
  nlohmann::json devices;
  compute(arguments, outcome, [&] {
    TileSource& source = job.work(agreement_of(arguments));
    lock.emplace(arguments.out, job.rank());
    const auto introductions = job.begin("", [](int, const mpi::StreamMessage&) {});
    const std::vector<io::StudySlide> slides =
        introductions ? slides_from(introductions->at(0)) : std::vector<io::StudySlide>{};
    NotesToManager notes(job);
    StudyEvents events;
    StudyWork(arguments, slides, notes, events).work(source, kNever);
    outcome.progress = notes.sum();
    devices = devices_in_use();
  });
  outcome.traffic = {job.sent(), {}};
  job.bye(nlohmann::json{{"run", books_of(outcome)}, {"devices", devices}}.dump());
}

/// A note of another rank.
void take_note(SlideNote note, const std::string& rank, const fs::path& results, StudyBooks& books, StudyWork& work) {
  if (note.kind == SlideNote::Kind::begun) return books.begun(note.slide);
  if (note.kind == SlideNote::Kind::update) {
    if (!note.failure.empty()) note.failure += ", " + rank;
    return books.update(note.slide, note.progress, note.failure);
  }
  io::SlideSummary& summary = note.outcome.summary;
  std::error_code error;
  if (summary.state == io::SlideState::failed)
    summary.error += ", " + rank;
  else if (!fs::exists(results, error)) {
    summary = {};
    summary.state = io::SlideState::failed;
    summary.error = fmt::format("{} is not there, but {} wrote it: --out must be one folder that all nodes share",
                                results.string(), rank);
  }
  work.noted_elsewhere();
  books.finished(note.slide, note.outcome);
}

/// What rank 0 knows of the other ranks once they are gone.
void add_ranks(const std::vector<mpi::RankResult>& ranks, Outcome& outcome, nlohmann::json& devices) {
  for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
    const nlohmann::json books = nlohmann::json::parse(ranks[rank].books);
    add_books(nlohmann::json::parse(books["run"].get<std::string>()), outcome);
    add_devices(books["devices"], devices);
  }
}

/// The study on rank 0.
class Managed {
 public:
  Managed(SegmentArguments& arguments, std::vector<io::StudySlide> slides)
      : arguments_(arguments), slides_(checked(arguments, std::move(slides))), lock_(lock_output(arguments)) {
    if (!arguments.overwrite) open_books();
  }

  void work(Job& job) {
    TileSource* source = nullptr;
    const auto manage = [&] {
      source = &job.manage(agreement_of(arguments_), books_->to_do(), 0, workflow::single_stage("slide"));
    };
    if (books_) manage();
    compute(arguments_, outcome_, [&] {
      if (!books_) {
        job.wait_for_ranks(agreement_of(arguments_));  // a failed start of StarPU anywhere replaces nothing
        open_books();
        manage();
      }
      const auto events = std::make_shared<StudyEvents>();  // other ranks may tell something after this ends
      StudyWork work(arguments_, slides_, *books_, *events);
      job.begin(slides_text(slides_), [this, events, &job, &work](int from, const auto& message) {
        if (const auto* note = std::get_if<mpi::Note>(&message))
          events->push([this, &work, rank = job.name_of(from), text = note->text] {
            SlideNote told = note_from(text);
            const fs::path results = fs::path(arguments_.out) / slides_.at(told.slide).folder / "results.sqlite";
            take_note(std::move(told), rank, results, *books_, work);
          });
      });
      work.work(*source, kNever);
      books_->conclude(work.halted(), outcome_);
      devices_ = devices_in_use();
    });
    outcome_.traffic = {job.sent(), {}};
    add_ranks(job.finish(), outcome_, devices_);
  }

  int conclude() {
    books_->note_run(outcome_, devices_);
    report_->close();
    return tell_study(arguments_, outcome_, nullptr);
  }

 private:
  static std::vector<io::StudySlide> checked(SegmentArguments& arguments, std::vector<io::StudySlide> slides) {
    check_slides(arguments, slides);
    check_study(arguments);
    return slides;
  }

  void open_books() {
    io::StudyStore store = open_study(arguments_);
    report_.emplace(choose_style(arguments_.json, arguments_.quiet), choose_folders(store, slides_));
    books_.emplace(arguments_, slides_, std::move(store), *report_);
  }

  SegmentArguments& arguments_;
  std::vector<io::StudySlide> slides_;
  const std::unique_ptr<io::OutputLock> lock_;
  std::optional<StudyReport> report_;
  std::optional<StudyBooks> books_;
  Outcome outcome_;
  nlohmann::json devices_;
};

int manage_and_conclude(SegmentArguments& arguments, const std::function<std::vector<io::StudySlide>()>& slides,
                        std::unique_ptr<Job> job) {
  ProgressReport hints(choose_style(arguments.json, arguments.quiet), "nuclei");
  int code = 0;
  std::optional<Managed> study;
  with_failures_told(*job, [&] {
    study.emplace(arguments, slides());
    with_resume_hint(hints, [&] { study->work(*job); });
  });
  job.reset();
  with_resume_hint(hints, [&] { code = study->conclude(); });
  return code;
}

}  // namespace

int run_study_as_rank(SegmentArguments& arguments, const std::function<std::vector<io::StudySlide>()>& slides) {
  auto job = join_job(arguments, mpi::MpiUse::alone);
  if (job->rank() == 0) return manage_and_conclude(arguments, slides, std::move(job));
  arguments.quiet = true;
  return run_as_worker_rank(*job, [&] { work_for_manager(arguments, *job); });
}

}  // namespace starpath::apps
