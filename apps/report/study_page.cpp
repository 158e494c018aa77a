// The data of the page.
#include "apps/report/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "apps/cluster/colours.hpp"
#include "apps/cohort/patient_features.hpp"
#include "apps/cohort/patients.hpp"
#include "apps/report/page_files.hpp"
#include "apps/report/slide_look.hpp"
#include "apps/run/date_text.hpp"
#include "apps/run/no_structure.hpp"
#include "base/error.hpp"
#include "base/json_depth.hpp"
#include "base/read_file.hpp"
#include "io/exports/picture.hpp"
#include "io/results/field_labels.hpp"
#include "io/results/physical_units.hpp"
#include "io/slides/slide.hpp"
#include "io/study/slide_counts.hpp"
#include "io/study/study_store.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kSheetQuality = 85;
constexpr double kWhisker = 1.5;  // of the quartiles' distance, beyond which a histogram does not look

std::string colour_text(std::uint32_t colour) { return fmt::format("#{:06x}", colour); }

/// NaN is null, as JSON has none.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }
template <class Number>
Json number(const std::optional<Number>& value) {
  return value ? Json(*value) : Json();
}

Json parsed(const std::string& text) {
  if (!nests_deeply(text))
    if (Json json = Json::parse(text, nullptr, false); json.is_object()) return json;
  throw Error(ErrorKind::mismatch, "study.sqlite: is damaged (a description in it is no JSON object)");
}

const io::FeatureSummary* summary_of(const io::StudyRow& row, const std::string& feature) {
  const auto found = std::ranges::find(row.summary.features, feature, &io::FeatureSummary::feature);
  return found == row.summary.features.end() || found->nuclei == 0 ? nullptr : &*found;
}

/// How a study's features are shown: in micrometres if the resolution of every slide is known.
class Shown {
 public:
  Shown(const std::vector<io::StudyRow>& rows, const std::vector<std::string>& names,
        const std::map<std::int64_t, double>& mpps) {
    const bool physical = std::ranges::all_of(mpps, [](const auto& each) { return each.second > 0; });
    for (const std::string& name : names) features.push_back({name, name});
    for (const io::PhysicalFeature& each : io::physical_features(names))
      if (physical) {
        features[each.feature].title = each.title;
        features[each.feature].dimension = each.dimension;
      }
    for (ShownFeature& feature : features) find_ends(rows, mpps, feature);
  }

  std::vector<ShownFeature> features;

 private:
  static void find_ends(const std::vector<io::StudyRow>& rows, const std::map<std::int64_t, double>& mpps,
                        ShownFeature& feature) {
    feature.low = std::numeric_limits<double>::infinity();
    feature.high = -feature.low;
    double least_quartile = feature.low;
    for (const io::StudyRow& row : rows) {
      const auto mpp = mpps.find(row.number);
      const io::FeatureSummary* const summary = summary_of(row, feature.name);
      if (mpp == mpps.end() || summary == nullptr) continue;
      const double factor = feature.factor(mpp->second), beyond = kWhisker * (summary->q3 - summary->q1);
      least_quartile = std::min(least_quartile, summary->q1);
      feature.low = std::min(feature.low, factor * (summary->q1 - beyond));
      feature.high = std::max(feature.high, factor * (summary->q3 + beyond));
    }
    if (feature.low > feature.high) feature.low = feature.high = 0;     // of no nucleus
    if (least_quartile >= 0) feature.low = std::max(feature.low, 0.0);  // what is never below 0 has no whiskers there
    const double size = std::max(std::abs(feature.low), std::abs(feature.high));
    if (feature.high - feature.low <= 1e-9 * size) feature.high += std::max(1.0, size);  // but for rounding one value
  }
};

Json picture_json(const SlideLook& look) {
  const double wide = look.density.cell * look.density.columns, tall = look.density.cell * look.density.rows;
  const auto width = static_cast<double>(look.region.width), height = static_cast<double>(look.region.height);
  Json json = {{"width", look.region.width},
               {"height", look.region.height},
               {"density",
                {{"columns", look.density.columns},
                 {"rows", look.density.rows},
                 {"nuclei", look.density.nuclei},
                 {"cell_pixels", look.density.cell * look.density.cell},
                 {"cell_mm2", look.mpp > 0 ? number(std::pow(look.density.cell * look.mpp / 1000, 2)) : Json()},
                 {"wide", wide / width},
                 {"tall", tall / height}}}};
  if (look.problem.empty())
    json["href"] = picture_of(look.overview);
  else
    json["problem"] = look.problem;
  return json;
}

/// `column`: of the list, which holds groups.
Json slide_json(const io::StudyRow& row, const std::string& column) {
  const io::SlideSummary& summary = row.summary;
  Json labels = Json::object(), regions = Json::array();
  for (const auto& [name, value] : row.slide.labels) labels[name] = value;
  for (const io::RegionSummary& region : summary.regions)
    regions.push_back({{"name", region.name},
                       {"class", region.class_name},
                       {"nuclei", region.nuclei},
                       {"mm2", region.area_mm2 > 0 ? number(region.area_mm2) : Json()}});
  return {{"folder", row.slide.folder},
          {"path", row.slide.path},
          {"patient", row.slide.patient},
          {"group", label_of(row.slide, column)},
          {"labels", labels},
          {"state", io::name_of(summary.state)},
          {"error", summary.error},
          {"warnings", summary.warnings},
          {"nuclei", number(summary.nuclei)},
          {"analysed_mm2", number(summary.analysed_mm2)},
          {"nuclei_per_mm2", number(summary.nuclei_per_mm2)},
          {"median_area_um2", number(summary.median_area_um2)},
          {"tiles", number(summary.tiles)},
          {"tiles_failed", number(summary.tiles_failed)},
          {"mpp", number(summary.mpp)},
          {"mpp_source", summary.mpp_source},
          {"seconds", summary.seconds},
          {"regions", regions}};
}

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
        group_column_(cohort_ ? parsed(cohort_->about).value("group", "group") : "group"),
        names_(study_features(rows_, features)),
        on_slide_(on_slide) {}

  StudyPage make() {
    add_slides();
    add_groups();
    add_clusters();
    add_classes();
    add_cohort();
    data_["runs"] = Json::array();
    for (const std::string& run : study_.runs()) data_["runs"].push_back(parsed(run));
    data_["study"] = {{"folder", folder_.filename().empty() ? folder_.parent_path().filename().string()
                                                            : folder_.filename().string()},
                      {"starpath", study_.version()},
                      {"date", date_text(std::time(nullptr))},
                      {"parameters", parsed(study_.parameters())}};
    page_.slides = rows_.size();
    page_.html = inline_page(kStudyPage, "report", data_.dump(-1, ' ', false, Json::error_handler_t::replace));
    return std::move(page_);
  }

 private:
  fs::path results_of(const io::StudyRow& row) const { return folder_ / row.slide.folder / "results.sqlite"; }

  /// Of the working pixels of each slide that is done and whose results are there; 0: not known.
  std::map<std::int64_t, double> resolutions() {
    std::map<std::int64_t, double> mpps;
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
    const std::map<std::int64_t, double> mpps = resolutions();
    const Shown shown(rows_, names_, mpps);
    data_["features"] = Json::array();
    for (const ShownFeature& feature : shown.features)
      data_["features"].push_back(
          {{"title", feature.title}, {"low", feature.low}, {"high", feature.high}, {"slides", Json::array()}});
    data_["slides"] = Json::array();
    for (const io::StudyRow& row : rows_) {
      Json slide = slide_json(row, group_column_);
      std::optional<SlideLook> look;
      if (mpps.contains(row.number)) {
        on_slide_(row.slide.folder);
        look = look_at_slide(results_of(row), shown.features);
        slide["picture"] = picture_json(*look);
        if (!look->problem.empty()) page_.problems.push_back(row.slide.folder + ": no picture: " + look->problem);
      }
      for (std::size_t i = 0; i < shown.features.size(); ++i)
        data_["features"][i]["slides"].push_back(spread_json(row, shown.features[i], look, i));
      slide["clusters"] = cluster_counts(row.number);
      slide["classes"] = class_counts(row.number);
      data_["slides"].push_back(std::move(slide));
    }
  }

  static Json spread_json(const io::StudyRow& row, const ShownFeature& feature, const std::optional<SlideLook>& look,
                          std::size_t place) {
    const io::FeatureSummary* const summary = summary_of(row, feature.name);
    if (!look || summary == nullptr) return nullptr;
    const double factor = feature.factor(look->mpp);
    return {{"mean", factor * summary->mean},           {"q1", factor * summary->q1},
            {"median", factor * summary->median},       {"q3", factor * summary->q3},
            {"counts", look->histograms[place].counts}, {"outside", look->histograms[place].outside}};
  }

  Json cluster_counts(std::int64_t slide) const {
    std::vector<std::int64_t> counts(clusters_.clusters.size());
    for (const io::ClusterCount& count : io::counts_of(clusters_.counts, slide, 0))
      counts.at(static_cast<std::size_t>(count.cluster - 1)) = count.nuclei;
    return counts;
  }

  /// Of each class the nuclei in range, then those out of range.
  Json class_counts(std::int64_t slide) const {
    std::vector<std::int64_t> counts(classes_.classes.size() + 1);
    for (const io::ClassCount& count : io::counts_of(classes_.counts, slide, 0)) {
      counts.at(static_cast<std::size_t>(count.number - 1)) = count.nuclei - count.out_of_range;
      counts.back() += count.out_of_range;
    }
    return counts;
  }

  void add_groups() {
    std::set<std::string> names;
    for (const io::StudyRow& row : rows_)
      if (const std::string group = label_of(row.slide, group_column_); !group.empty()) names.insert(group);
    data_["groups"] = Json::array();
    for (const std::string& name : names)
      data_["groups"].push_back({{"name", name}, {"colour", colour_text(cluster_colour(data_["groups"].size()))}});
  }

  void add_clusters() {
    if (clusters_.clusters.empty()) return;
    Json list = Json::array();
    for (const io::StudyCluster& cluster : clusters_.clusters)
      list.push_back({{"name", cluster.name}, {"colour", colour_text(cluster.colour)}, {"nuclei", cluster.nuclei}});
    data_["clusters"] = {{"list", list}, {"about", parsed(clusters_.about)}};
    for (const Json& each : data_["clusters"]["about"].value("sample", Json::array()))
      if (each.value("k", std::size_t{0}) == list.size())
        data_["clusters"]["warning"] = warn_of_no_structure(each.value("silhouette", 1.0), "clusters");
    const fs::path sheet = folder_ / "clusters.png";
    if (!fs::exists(sheet)) return;
    try {
      const std::unique_ptr<io::Slide> picture = io::open_slide(sheet);
      const int width = static_cast<int>(picture->info().width()), height = static_cast<int>(picture->info().height());
      std::vector<Rgb> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
      picture->read(0, 0, 0, {pixels.data(), width, height, width});
      data_["clusters"]["sheet"] =
          io::data_uri("image/jpeg", io::jpeg_bytes({pixels.data(), width, height, width}, kSheetQuality));
    } catch (const Error& error) {
      page_.problems.emplace_back(error.what());
    }
  }

  /// Names and colours are those of exports.
  void add_classes() {
    if (classes_.classes.empty()) return;
    Json list = Json::array();
    std::int64_t out_of_range = 0;
    for (const io::StudyClass& each : classes_.classes) {
      list.push_back(
          {{"name", each.name}, {"colour", colour_text(each.colour)}, {"nuclei", each.nuclei - each.out_of_range}});
      out_of_range += each.out_of_range;
    }
    const Rgb colour = io::kOutOfRange.colour;
    list.push_back({{"name", io::kOutOfRange.title},
                    {"colour", fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b)},
                    {"nuclei", out_of_range}});
    data_["classes"] = {{"list", list}, {"about", parsed(classes_.about)}};
  }

  void add_cohort() {
    if (!cohort_) return;
    Json json = parsed(cohort_->about), patients = Json::array();
    for (const io::StudyPatient& patient : cohort_->patients)
      patients.push_back({{"name", patient.name},
                          {"group", patient.group},
                          {"slides", patient.slides.size()},
                          {"nuclei", patient.nuclei},
                          {"nuclei_per_mm2", number(patient.nuclei_per_mm2())},
                          {"branch", patient.branch},
                          {"place", patient.place}});
    json["patients"] = patients;
    if (const fs::path map = folder_ / "heatmap.svg"; fs::exists(map) && !cohort_->tree.empty()) try {
        json["heat_map"] = io::data_uri("image/svg+xml", read_file(map));
      } catch (const Error& error) {
        page_.problems.emplace_back(error.what());
      }
    data_["cohort"] = std::move(json);
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

}  // namespace starpath::apps
