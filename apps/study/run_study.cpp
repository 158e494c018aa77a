#include "apps/study/run_study.hpp"

#include "apps/run/run_summary.hpp"
#include "runs/study/study.hpp"

namespace starpath::apps {

int run_study(const SegmentRequest& request, const io::SlidesAsked& asked) {
  ProgressReport report(choose_style(request.json, request.quiet), "nuclei");
  StudyRun study(request, asked, report);
  return run_and_tell(request, study, report);
}

}  // namespace starpath::apps
