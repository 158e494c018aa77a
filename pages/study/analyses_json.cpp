// Clusters, classes and patients.
#include "pages/study/analyses_json.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <memory>

#include "base/error.hpp"
#include "base/read_file.hpp"
#include "io/exports/picture.hpp"
#include "io/results/field_labels.hpp"
#include "io/slides/slide.hpp"
#include "io/study/slide_counts.hpp"
#include "pages/study/page_json.hpp"
#include "pipelines/clustering/no_structure.hpp"

namespace starpath::pages {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

constexpr int kSheetQuality = 85;

std::string sheet_uri(const fs::path& sheet) {
  const std::unique_ptr<io::Slide> picture = io::open_slide(sheet);
  const int width = static_cast<int>(picture->info().width()), height = static_cast<int>(picture->info().height());
  std::vector<Rgb> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  picture->read(0, 0, 0, {pixels.data(), width, height, width});
  return io::data_uri("image/jpeg", io::jpeg_bytes({pixels.data(), width, height, width}, kSheetQuality));
}

}  // namespace

Json clusters_json(const io::StudyClusters& clusters, const fs::path& folder, std::vector<std::string>& problems) {
  Json list = Json::array();
  for (const io::StudyCluster& cluster : clusters.clusters)
    list.push_back({{"name", cluster.name}, {"colour", colour_text(cluster.colour)}, {"nuclei", cluster.nuclei}});
  Json json = {{"list", list}, {"about", parsed_description(clusters.about)}};
  for (const Json& each : json["about"].value("sample", Json::array()))
    if (each.value("k", std::size_t{0}) == list.size())
      json["warning"] = warn_of_no_structure(each.value("silhouette", 1.0), "clusters");
  const fs::path sheet = folder / "clusters.png";
  if (fs::exists(sheet)) try {
      json["sheet"] = sheet_uri(sheet);
    } catch (const Error& error) {
      problems.emplace_back(error.what());
    }
  return json;
}

Json classes_json(const io::StudyClasses& classes) {
  Json list = Json::array();
  std::int64_t out_of_range = 0;
  for (const io::StudyClass& each : classes.classes) {
    list.push_back(
        {{"name", each.name}, {"colour", colour_text(each.colour)}, {"nuclei", each.nuclei - each.out_of_range}});
    out_of_range += each.out_of_range;
  }
  const Rgb colour = io::kOutOfRange.colour;
  list.push_back({{"name", io::kOutOfRange.title},
                  {"colour", fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b)},
                  {"nuclei", out_of_range}});
  return {{"list", list}, {"about", parsed_description(classes.about)}};
}

Json cohort_json(const io::Cohort& cohort, const fs::path& folder, std::vector<std::string>& problems) {
  Json json = parsed_description(cohort.about), patients = Json::array();
  for (const io::StudyPatient& patient : cohort.patients)
    patients.push_back({{"name", patient.name},
                        {"group", patient.group},
                        {"slides", patient.slides},
                        {"nuclei", patient.nuclei},
                        {"nuclei_per_mm2", number_json(patient.nuclei_per_mm2)},
                        {"branch", patient.branch},
                        {"place", patient.place}});
  json["patients"] = patients;
  if (const fs::path map = folder / "heatmap.svg"; fs::exists(map) && cohort.has_tree) try {
      json["heat_map"] = io::data_uri("image/svg+xml", read_file(map));
    } catch (const Error& error) {
      problems.emplace_back(error.what());
    }
  return json;
}

Json cluster_counts(const io::StudyClusters& clusters, std::int64_t slide) {
  std::vector<std::int64_t> counts(clusters.clusters.size());
  for (const io::ClusterCount& count : io::counts_of(clusters.counts, slide, 0))
    counts.at(static_cast<std::size_t>(count.cluster - 1)) = count.nuclei;
  return counts;
}

Json class_counts(const io::StudyClasses& classes, std::int64_t slide) {
  std::vector<std::int64_t> counts(classes.classes.size() + 1);
  for (const io::ClassCount& count : io::counts_of(classes.counts, slide, 0)) {
    counts.at(static_cast<std::size_t>(count.number - 1)) = count.nuclei - count.out_of_range;
    counts.back() += count.out_of_range;
  }
  return counts;
}

}  // namespace starpath::pages
