// The steps before the first nucleus is read and after the last one has its cluster.
#include "runs/clusters/clustered_study.hpp"

#include <algorithm>
#include <tuple>

#include "io/study/done_slides.hpp"
#include "runs/clusters/contact_sheet.hpp"
#include "runs/group_exports.hpp"
#include "runs/output_folder.hpp"
#include "runs/write_exports.hpp"

namespace starpath {
namespace {

std::unique_ptr<io::OutputLock> lock_study(const RunRequest& run) {
  io::check_is_study(run.out);
  return lock_output(run);
}

}  // namespace

ClusteredStudy::ClusteredStudy(const RunRequest& run, const ClusterRequest& arguments)
    : lock_(lock_study(run)),
      store_(io::StudyStore::change(arguments.study / "study.sqlite")),
      plan_(plan_clusters(arguments.study, store_, arguments.features, arguments.k, warnings_)) {
  for (const ClusteredSlide& slide : plan_.slides) check_group_exports(slide.results, run.exports);
}

void ClusteredStudy::put(ClusterOutcome outcome) {
  std::ranges::sort(outcome.clusters.counts, {},
                    [](const io::ClusterCount& count) { return std::tuple(count.slide, count.region, count.cluster); });
  store_.put_clusters(outcome.clusters);
  found_ = std::move(outcome);
  found_->warnings.insert(found_->warnings.begin(), warnings_.begin(), warnings_.end());
}

FilesAtEnd ClusteredStudy::write_files(const RunRequest& run, bool contact_sheet, RunListener& listener,
                                       const std::atomic<bool>& stop) {
  const std::filesystem::path sheet = std::filesystem::path(run.out) / "clusters.png";
  if (contact_sheet) {
    listener.phase("writing " + sheet.string());
    write_contact_sheet(sheet, plan_.slides, found_->clusters.clusters, found_->typical.chosen(), found_->warnings);
  } else {
    remove_contact_sheet(sheet, found_->warnings);  // it shows the clusters of an earlier call
  }
  std::vector<std::filesystem::path> results;
  for (const auto& slide : plan_.slides) results.push_back(slide.results);
  FilesAtEnd end = write_group_exports(results, run.exports, threads_after(run.session), listener, stop);
  if (contact_sheet) end.written.insert(end.written.begin(), sheet);
  return end;
}

}  // namespace starpath
