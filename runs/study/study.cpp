// The steps of a study.
#include "runs/study/study.hpp"

#include <memory>
#include <utility>

#include "io/study/folder_names.hpp"
#include "pipelines/study/slide_list.hpp"
#include "runs/kept_files.hpp"
#include "runs/segmentation/pipeline.hpp"
#include "runs/study/rank_slides.hpp"
#include "runs/study/study_start.hpp"
#include "runs/study/study_work.hpp"
#include "starpath_version.hpp"

namespace starpath {

mpi::Agreement StudyRun::open(Role role) {
  Paths inputs = files_read(request_);
  inputs.emplace_back(asked_.list);
  check_record(request_, inputs);
  if (role == Role::manager)
    slides_ = checked_slides(request_, asked_slides(asked_, [this](const std::string& line) {
                               if (!request_.quiet || line.starts_with("warning: ")) listener_.note(line);
                             }));
  check_study(request_);
  const nlohmann::json options = {
      {"all", parameters_of_all(request_)},  {"export", request_.exports}, {"features", request_.exporting.features},
      {"digits", request_.exporting.digits}, {"resume", request_.resume},  {"overwrite", request_.overwrite}};
  return {version, "of a study", options.dump()};
}

std::vector<std::int64_t> StudyRun::open_results() {
  io::StudyStore store = open_study(request_);
  std::vector<io::StudySlide> known;
  for (const io::StudyRow& row : store.rows()) known.push_back(row.slide);
  io::name_folders(slides_, known);
  std::vector<std::string> names;
  for (const io::StudySlide& slide : slides_) names.push_back(slide.folder);
  report_.emplace(listener_, std::move(names));
  return books_.emplace(request_, slides_, std::move(store), *report_).to_do();
}

Computed StudyRun::compute(TileSource& slides, const ProgressCallback&, const std::atomic<bool>& stop, mpi::Job* job) {
  if (!books_) return work_on_slides(request_, slides, listener_, stop, *job);
  const auto events = std::make_shared<StudyEvents>();  // other ranks may tell something after this ends
  StudyWork work(request_, slides_, *books_, listener_, *events);
  if (job != nullptr) hear_of_slides(request_.out, slides_, events, *books_, work, *job);
  work.work(slides, stop);
  Computed computed = books_->sum();
  computed.progress.interrupted = work.halted();
  devices_ = devices_in_use();
  return computed;
}

void StudyRun::take_over(const std::vector<RankPart>& parts, RunListener&) {
  for (const RankPart& part : parts) add_devices(part.more, devices_);
}

Conclusion StudyRun::conclude(const RunWork& work, const Ending&) {
  books_->note_run(work, devices_);
  report_->close();
  return books_->conclude(work.progress.interrupted);
}

}  // namespace starpath
