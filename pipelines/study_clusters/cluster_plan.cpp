// From study.sqlite to slides with nuclei.
#include "pipelines/study_clusters/cluster_plan.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "base/words.hpp"

namespace starpath {

namespace fs = std::filesystem;

ClusterPlan plan_clusters(const fs::path& study, const io::StudyStore& store, const std::vector<std::string>& features,
                          int k, std::vector<std::string>& warnings) {
  ClusterPlan plan{clustered_slides(study, store.rows(), warnings), {}};
  if (plan.nuclei() == 0)
    throw Error(ErrorKind::input, fmt::format("{}: holds no nuclei to cluster ({} done)", study.string(),
                                              plural(std::ssize(plan.slides), "slide")));
  if (k > plan.nuclei())
    throw Error(ErrorKind::usage, fmt::format("--k {} is more than the {} nuclei of the study", k, plan.nuclei()));
  plan.features = feature_names(plan.slides, features);
  return plan;
}

std::string plan_text(const ClusterPlan& plan, const fs::path& study) {
  nlohmann::json slides = nlohmann::json::array();
  for (const ClusteredSlide& slide : plan.slides) {
    const std::string results = slide.results.lexically_relative(study).string();
    if (!is_utf8(results))  // of a study before names were checked
      throw Error(ErrorKind::input, fmt::format("{}: its name is not UTF-8, and ranks tell each other names as text; "
                                                "cluster without mpirun",
                                                slide.results.string()));
    slides.push_back({slide.number, results, slide.nuclei});
  }
  return nlohmann::json{{"slides", slides}, {"features", plan.features}}.dump();
}

ClusterPlan plan_from(const std::string& text, const fs::path& study) {
  const nlohmann::json json = nlohmann::json::parse(text);
  ClusterPlan plan{{}, json["features"]};
  for (const auto& slide : json["slides"])
    plan.slides.push_back({slide.at(0), study / slide.at(1).get<std::string>(), slide.at(2), plan.nuclei()});
  return plan;
}

}  // namespace starpath
