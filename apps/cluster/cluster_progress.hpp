// How far a clustering is, on the terminal.
#pragma once
#include <string>

#include "apps/run/progress_report.hpp"
#include "pipelines/study_clusters/cluster_study.hpp"

namespace starpath::apps {

/// Tells progress to the report, which must outlive what is returned.
inline ClusterProgress progress_in(ProgressReport& report) {
  return {[&report](const std::string& what) { report.phase(what); }, [&report](double done) { report.share(done); }};
}

}  // namespace starpath::apps
