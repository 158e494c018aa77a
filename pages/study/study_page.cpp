// The data of the page.
#include "pages/study/study_page.hpp"

#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/date_text.hpp"
#include "io/results/group_colours.hpp"
#include "io/results/result_store.hpp"
#include "io/study/study_store.hpp"
#include "pages/study/analyses_json.hpp"
#include "pages/study/page_files.hpp"
#include "pages/study/page_json.hpp"
#include "pages/study/slide_json.hpp"
#include "pages/study/study_columns.hpp"

namespace starpath::pages {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Page {
 public:
  Page(const fs::path& folder, const std::vector<std::string>& features,
       const std::function<void(const std::string&)>& on_slide)
      : folder_(folder),
        study_(io::StudyStore::open(folder / "study.sqlite")),
        rows_(study_.rows()),
        clusters_(study_.clusters()),
        classes_(study_.classes()),
        cohort_(study_.cohort()),
        group_column_(cohort_ ? parsed_description(cohort_->about).value("group", "group") : "group"),
        names_(study_features(rows_, features)),
        on_slide_(on_slide) {}

  StudyPage make() {
    add_slides();
    add_groups();
    if (!clusters_.clusters.empty()) data_["clusters"] = clusters_json(clusters_, folder_, page_.problems);
    if (!classes_.classes.empty()) data_["classes"] = classes_json(classes_);
    if (cohort_) data_["cohort"] = cohort_json(*cohort_, folder_, page_.problems);
    data_["runs"] = Json::array();
    for (const std::string& run : study_.runs()) data_["runs"].push_back(parsed_description(run));
    data_["study"] = {{"folder", folder_.filename().empty() ? folder_.parent_path().filename().string()
                                                            : folder_.filename().string()},
                      {"starpath", study_.version()},
                      {"date", date_text(std::time(nullptr))},
                      {"parameters", parsed_description(study_.parameters())}};
    page_.slides = rows_.size();
    page_.html = inline_page(kStudyPage, "report", data_.dump(-1, ' ', false, Json::error_handler_t::replace));
    return std::move(page_);
  }

 private:
  fs::path results_of(const io::StudyRow& row) const { return folder_ / row.slide.folder / "results.sqlite"; }

  /// Of the working pixels of each slide that is done and whose results are there; 0: not known.
  SlideResolutions resolutions() {
    SlideResolutions mpps;
    for (const io::StudyRow& row : rows_) {
      if (row.summary.state != io::SlideState::done) continue;
      if (fs::exists(results_of(row)))
        mpps[row.number] = io::ResultStore::open(results_of(row)).info().mpp;
      else
        page_.problems.push_back(results_of(row).string() +
                                 ": is not there: no picture, no distributions of this slide");
    }
    return mpps;
  }

  void add_slides() {
    const SlideResolutions mpps = resolutions();
    const std::vector<ShownFeature> shown = shown_features(rows_, names_, mpps);
    data_["features"] = Json::array();
    for (const ShownFeature& feature : shown)
      data_["features"].push_back(
          {{"title", feature.title}, {"low", feature.low}, {"high", feature.high}, {"slides", Json::array()}});
    data_["slides"] = Json::array();
    for (const io::StudyRow& row : rows_) {
      Json slide = slide_json(row, group_column_);
      std::optional<SlideLook> look;
      if (mpps.contains(row.number)) {
        on_slide_(row.slide.folder);
        look = look_at_slide(results_of(row), shown);
        slide["picture"] = picture_json(*look);
        if (!look->problem.empty()) page_.problems.push_back(row.slide.folder + ": no picture: " + look->problem);
      }
      for (std::size_t i = 0; i < shown.size(); ++i)
        data_["features"][i]["slides"].push_back(spread_json(row, shown[i], look, i));
      slide["clusters"] = cluster_counts(clusters_, row.number);
      slide["classes"] = class_counts(classes_, row.number);
      data_["slides"].push_back(std::move(slide));
    }
  }

  void add_groups() {
    std::set<std::string> names;
    for (const io::StudyRow& row : rows_)
      if (const std::string group = label_of(row.slide, group_column_); !group.empty()) names.insert(group);
    data_["groups"] = Json::array();
    for (const std::string& name : names)
      data_["groups"].push_back({{"name", name}, {"colour", colour_text(io::group_colour(data_["groups"].size()))}});
  }

  fs::path folder_;
  io::StudyStore study_;
  std::vector<io::StudyRow> rows_;
  io::StudyClusters clusters_;
  io::StudyClasses classes_;
  std::optional<io::Cohort> cohort_;
  std::string group_column_;  // that the cohort was set beside
  std::vector<std::string> names_;
  const std::function<void(const std::string&)>& on_slide_;
  Json data_;
  StudyPage page_;
};

}  // namespace

StudyPage page_of_study(const fs::path& folder, const std::vector<std::string>& features,
                        const std::function<void(const std::string& slide)>& on_slide) {
  return Page(folder, features, on_slide).make();
}

}  // namespace starpath::pages
