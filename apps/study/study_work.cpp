// Threads over slides.
#include "apps/study/study_work.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/run/date_text.hpp"
#include "apps/run/machine_in_use.hpp"
#include "apps/run/words.hpp"
#include "apps/terminal.hpp"
#include "io/exports/exports.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "sched_policies/starpu/device_classes.hpp"
#include "starpath_version.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

/// Whether nothing is left to do for a slide: it and what was said of it are as they were, and every file is there.
bool is_finished(const SegmentArguments& arguments, const io::StudySlide& slide, const io::StudyRow& before) {
  if (before.summary.state != io::SlideState::done || before.slide.mpp != slide.mpp || before.slide.roi != slide.roi ||
      before.slide.exclude != slide.exclude ||
      before.summary.file_state != state_of_files(slide.path, slide.roi, slide.exclude))
    return false;
  const fs::path folder = fs::path(arguments.out) / slide.folder;
  std::error_code error;
  const auto is_there = [&](const io::Export<io::Nuclei>& each) {
    return std::ranges::find(arguments.exports, each.name) == arguments.exports.end() ||
           fs::exists(folder / each.file, error);
  };
  return fs::exists(folder / "results.sqlite", error) && std::ranges::all_of(io::kNucleiExports, is_there);
}

void join_log(const TaskLog& slide, TaskLog& all) {
  if (slide.begun == 0) return;
  all.begun = all.begun == 0 ? slide.begun : std::min(all.begun, slide.begun);
  all.ended = std::max(all.ended, slide.ended);
  all.tasks.insert(all.tasks.end(), slide.tasks.begin(), slide.tasks.end());
}

}  // namespace

StudyWork::StudyWork(const SegmentArguments& arguments, const std::vector<io::StudySlide>& slides, io::StudyStore store,
                     StudyReport& report)
    : arguments_(arguments), slides_(slides), report_(report), store_(std::move(store)) {
  const std::vector<io::StudyRow> before = store_.rows();
  numbers_ = store_.take(slides_);
  for (std::size_t i = 0; i < slides_.size(); ++i) {
    const auto row = std::ranges::find(before, numbers_[i], &io::StudyRow::number);
    if (row != before.end() && is_finished(arguments_, slides_[i], *row))
      report_.resumed(i, row->summary);
    else
      to_do_.push_back(i);
  }
}

void StudyWork::work(const std::atomic<bool>& stop) {
  for (const std::string& note : prepare_gpus_for_slides(arguments_.options)) print_error("starpath: {}\n", note);
  const std::size_t size = window_of(arguments_.options);
  SlideTurns* listener = nullptr;
  TileWindow window(size, [&] { listener->look(); });
  SlideTurns turns(to_do_.size(), window, size, starpu_worker_get_count());
  listener = &turns;
  std::atomic<std::size_t> at_work = turns.most();
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < turns.most(); ++i)
    threads.emplace_back([&] {
      work_on_slides(window, turns);
      --at_work;
    });
  while (at_work > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // how soon a signal is noticed
    if (stop) halt_ = true;
    if (!halt_) continue;
    turns.stop();
    window.stop();
  }
  threads.clear();
  if (failure_) std::rethrow_exception(failure_);
}

void StudyWork::work_on_slides(TileWindow& window, SlideTurns& turns) {
  while (const auto next = turns.next()) {
    SlideTurn turn(turns);
    try {
      run(to_do_[*next], window, turn);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      halt_ = true;
    }
  }
}

void StudyWork::run(std::size_t slide, TileWindow& window, SlideTurn& turn) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    store_.begun(numbers_[slide]);
  }
  SlideOutcome outcome;
  const auto fail = [&](const std::string& why) {
    outcome.summary.state = io::SlideState::failed;
    outcome.summary.error = why;
  };
  const auto on_progress = [&](const Progress& progress, const std::string& failure) {
    report_.update(slide, progress, failure);
  };
  try {
    outcome = segment_study_slide(arguments_for(arguments_, slides_[slide]), window, turn, on_progress, halt_);
  } catch (const std::bad_alloc&) {
    fail("out of memory: use a smaller --window or --tile");
  } catch (const std::exception& error) {
    fail(error.what());
  }
  outcome.summary.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  keep(slide, outcome);
}

void StudyWork::keep(std::size_t slide, const SlideOutcome& outcome) {
  {
    const std::lock_guard lock(mutex_);
    join_log(outcome.log, log_);
    failed_exports_.insert(failed_exports_.end(), outcome.failed_exports.begin(), outcome.failed_exports.end());
    store_.finished(numbers_[slide], outcome.summary);
  }
  report_.finished(slide, outcome.summary);
}

void StudyWork::conclude(Outcome& outcome) const {
  outcome.progress = report_.sum();
  outcome.progress.interrupted = halt_;
  std::map<io::SlideState, std::int64_t> slides;
  std::int64_t nuclei = 0;
  const std::vector<io::StudyRow> rows = store_.rows();
  for (const std::int64_t number : numbers_) {
    const io::SlideSummary& summary = std::ranges::find(rows, number, &io::StudyRow::number)->summary;
    ++slides[summary.state];
    nuclei += summary.nuclei.value_or(0);
  }
  outcome.failed_exports = failed_exports_;
  outcome.files = {fs::path(arguments_.out) / "study.sqlite"};
  outcome.found =
      fmt::format("{} nuclei in {}", grouped(nuclei), plural(static_cast<std::int64_t>(numbers_.size()), "slide"));
  outcome.found_json = {{"nuclei", nuclei},
                        {"slides", numbers_.size()},
                        {"slides_failed", slides[io::SlideState::failed]},
                        {"slides_incomplete", slides[io::SlideState::incomplete]}};
}

void StudyWork::note_run(const Outcome& outcome) {
  const Progress& progress = outcome.progress;
  if (progress.shares.empty()) return;
  const Machine machine = machine_in_use();
  nlohmann::json devices = nlohmann::json::array(), shares;
  for (const std::string& name : class_names(machine)) devices.push_back({{"name", name}, {"workers", 0}});
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
    nlohmann::json& workers = devices[machine.class_of(worker)]["workers"];
    workers = workers.get<int>() + 1;
  }
  for (const auto& [kind, stages] : progress.shares)
    for (const auto& [stage, share] : stages)
      shares[kind][stage] = {{"tasks", share.tasks}, {"seconds", share.seconds}};
  const nlohmann::json about = {{"ended", date_text(std::time(nullptr))},
                                {"starpath", version},
                                {"policy", outcome.policy},
                                {"devices", devices},
                                {"slides", to_do_.size()},
                                {"tiles", progress.tiles_done - progress.tiles_resumed},
                                {"seconds", progress.seconds},
                                {"interrupted", progress.interrupted},
                                {"shares", shares}};
  store_.add_run(about.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace starpath::apps
