// The steps before the first nucleus is read and after the last one has its cluster.
#include "runs/clusters/clustered_study.hpp"

#include <algorithm>
#include <tuple>

#include "io/study/done_slides.hpp"
#include "runs/group_exports.hpp"
#include "runs/output_folder.hpp"

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
}

}  // namespace starpath
