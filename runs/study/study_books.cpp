// Rows of study.sqlite, lines for people.
#include "runs/study/study_books.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <optional>
#include <set>

#include "base/date_text.hpp"
#include "base/error.hpp"
#include "base/words.hpp"
#include "io/exports/exports.hpp"
#include "io/results/result_store.hpp"
#include "runs/study/study_slide.hpp"
#include "sched_policies/starpu/device_classes.hpp"
#include "sched_policies/starpu/machine_in_use.hpp"
#include "starpath_version.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

/// Whether the results say from where they count. Those that do not are of a version that knew no bounds of slides:
/// they are compared with the slide, not taken as they are.
bool says_origin(const fs::path& results) {
  try {
    return io::ResultStore::open(results).info().origin.has_value();
  } catch (const Error&) {
    return false;
  }
}

/// Whether nothing is left to do for a slide: it and what was said of it are as they were, and every file is there.
bool is_finished(const SegmentRequest& request, const io::StudySlide& slide, const io::StudyRow& before) {
  if (before.summary.state != io::SlideState::done || before.slide.mpp != slide.mpp || before.slide.roi != slide.roi ||
      before.slide.exclude != slide.exclude ||
      before.summary.file_state != state_of_files(slide.path, slide.roi, slide.exclude))
    return false;
  const fs::path folder = fs::path(request.out) / slide.folder;
  std::error_code error;
  const auto is_there = [&](const io::Export<io::Nuclei>& each) {
    return std::ranges::find(request.exports, each.name) == request.exports.end() ||
           fs::exists(folder / each.file, error);
  };
  return fs::exists(folder / "results.sqlite", error) && std::ranges::all_of(io::kNucleiExports, is_there) &&
         says_origin(folder / "results.sqlite");
}

void join_log(const TaskLog& slide, TaskLog& all) {
  if (slide.begun == 0) return;
  all.begun = all.begun == 0 ? slide.begun : std::min(all.begun, slide.begun);
  all.ended = std::max(all.ended, slide.ended);
  all.tasks.insert(all.tasks.end(), slide.tasks.begin(), slide.tasks.end());
}

}  // namespace

nlohmann::json devices_in_use() {
  const Machine machine = machine_in_use();
  nlohmann::json devices = nlohmann::json::array();
  for (const std::string& name : class_names(machine)) devices.push_back({{"name", name}, {"workers", 0}});
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
    nlohmann::json& workers = devices[machine.class_of(worker)]["workers"];
    workers = workers.get<int>() + 1;
  }
  return devices;
}

void add_devices(const nlohmann::json& others, nlohmann::json& devices) {
  for (const nlohmann::json& other : others) {
    const auto known = std::ranges::find_if(devices, [&](const auto& each) { return each["name"] == other["name"]; });
    if (known == devices.end())
      devices.push_back(other);
    else
      (*known)["workers"] = (*known)["workers"].get<int>() + other["workers"].get<int>();
  }
}

StudyBooks::StudyBooks(const SegmentRequest& request, const std::vector<io::StudySlide>& slides, io::StudyStore store,
                       StudyReport& report)
    : request_(request), slides_(slides), report_(report), store_(std::move(store)), writer_(store_) {
  std::map<std::string, io::StudyRow> before;
  for (io::StudyRow& row : store_.rows()) before.emplace(row.slide.folder, std::move(row));
  std::vector<io::StudySlide> taken;
  std::error_code error;
  for (std::size_t i = 0; i < slides_.size(); ++i) {
    const auto row = before.find(slides_[i].folder);
    const bool finished = row != before.end() && is_finished(request_, slides_[i], row->second);
    if (finished)
      report_.resumed(i, row->second.summary);
    else
      to_do_.push_back(static_cast<std::int64_t>(i));
    if (!finished && row != before.end() && row->second.summary.state == io::SlideState::done &&
        fs::exists(fs::path(request_.out) / slides_[i].folder / "results.sqlite", error))
      standing_.emplace(i, row->second.summary);
    else
      taken.push_back(slides_[i]);
  }
  const std::vector<std::int64_t> numbers = store_.take(taken);
  auto next = numbers.begin();
  for (std::size_t i = 0; i < slides_.size(); ++i)
    numbers_.push_back(standing_.contains(i) ? before.at(slides_[i].folder).number : *next++);
}

void StudyBooks::begun(std::size_t slide) {
  if (!standing_.contains(slide)) writer_.push({numbers_[slide]});
}

void StudyBooks::update(std::size_t slide, const Progress& progress, const std::string& failure) {
  report_.update(slide, progress, failure);
}

void StudyBooks::finished(std::size_t slide, const SlideOutcome& outcome) {
  {
    const std::lock_guard lock(mutex_);
    join_log(outcome.log, log_);
    failed_exports_.insert(failed_exports_.end(), outcome.failed_exports.begin(), outcome.failed_exports.end());
  }
  const auto before = standing_.find(slide);
  const bool stands = before != standing_.end(), failed = outcome.summary.state == io::SlideState::failed;
  if (stands && (failed || outcome.summary.error == kInterrupted)) {
    if (failed) {
      const std::lock_guard lock(mutex_);
      ++kept_;
      kept_refused_ += outcome.refused;
    }
    return report_.kept(slide, before->second, outcome.summary.error);
  }
  writer_.push({numbers_[slide], outcome.summary, stands ? std::optional(slides_[slide]) : std::nullopt},
               [this, slide, summary = outcome.summary] { report_.finished(slide, summary); });
}

Computed StudyBooks::sum() {
  writer_.flush();
  const std::lock_guard lock(mutex_);
  return {.progress = report_.sum(), .log = std::move(log_)};
}

void StudyBooks::note_run(const RunWork& work, const nlohmann::json& devices) {
  const Progress& progress = work.progress;
  if (progress.shares.empty()) return;
  const nlohmann::json about = {{"ended", date_text(std::time(nullptr))},
                                {"starpath", version},
                                {"policy", work.session.policy},
                                {"devices", devices},
                                {"slides", to_do_.size()},
                                {"tiles", progress.tiles_done - progress.tiles_resumed},
                                {"seconds", progress.seconds},
                                {"interrupted", progress.interrupted},
                                {"shares", shares_json(progress.shares)}};
  store_.add_run(about.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

Conclusion StudyBooks::conclude(bool interrupted) {
  std::map<io::SlideState, std::int64_t> slides;
  std::int64_t nuclei = 0;
  const std::set<std::int64_t> of_this_run(numbers_.begin(), numbers_.end());
  for (const io::StudyRow& row : store_.rows()) {
    if (!of_this_run.contains(row.number)) continue;
    ++slides[row.summary.state];
    nuclei += row.summary.nuclei.value_or(0);
  }
  const std::int64_t failed = slides[io::SlideState::failed], all = std::ssize(numbers_);
  Conclusion told;
  told.database = fs::path(request_.out) / "study.sqlite";
  told.found = fmt::format("{} nuclei in {}", grouped(nuclei), plural(all, "slide"));
  told.found_json = {{"nuclei", nuclei},        {"slides", all},
                     {"slides_failed", failed}, {"slides_incomplete", slides[io::SlideState::incomplete]},
                     {"slides_kept", kept_},    {"slides_kept_refused", kept_refused_}};
  told.exports.failed = failed_exports_;
  if (interrupted || failed + kept_ == 0) return told;
  const bool only_refused = failed == 0 && kept_ == kept_refused_;
  told.shortfall = {failed == 0
                        ? ""
                        : fmt::format("{} of {} slides failed (listed above and in study.sqlite, table slides); "
                                      "try them again with --resume",
                                      failed, all),
                    only_refused ? ErrorKind::mismatch : ErrorKind::tiles_failed};
  return told;
}

}  // namespace starpath
