// Findings in words, and the size of nuclei.
#include "runs/segmentation/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/words.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/slides/working_slide.hpp"

namespace starpath {
namespace {

// Of sections: a lymphocyte of 5 um has 20 um2 and often less of it in the section; nuclei of most tumours have less
// than 100.
constexpr double kLeastMedian = 8, kMostMedian = 120;
constexpr std::size_t kFewest = 50;

/// Empty for a size that nuclei of tissue have.
std::string size_warning(std::optional<double> median) {
  if (!median || (*median >= kLeastMedian && *median <= kMostMedian)) return "";
  return fmt::format(
      "the median nucleus has {:.3g} um2; nuclei of tissue have {} to {}. Is the resolution right (--mpp), "
      "or is this no haematoxylin?",
      *median, kLeastMedian, kMostMedian);
}

/// How many nuclei each region has.
void describe_regions(const SegmentFindings& findings, Conclusion& told) {
  if (findings.regions.empty()) return;
  const double mm2 = std::pow(findings.level0_mpp, 2) * 1e-6;  // of a level-0 pixel
  nlohmann::json listed = nlohmann::json::array();
  for (const io::RegionRecord& region : findings.regions) {
    nlohmann::json row = {{"region", region.name}, {"class", region.class_name}, {"nuclei", region.nuclei}};
    std::string line = fmt::format("{}: {}", region.name, nuclei_text(region.nuclei));
    if (const double area = region.pixels * mm2; area > 0) {
      row["area_mm2"] = area;
      row["nuclei_per_mm2"] = static_cast<double>(region.nuclei) / area;
      line += fmt::format(" on {:.3g} mm2, {:.0f} a mm2", area, static_cast<double>(region.nuclei) / area);
    }
    told.lines.push_back(std::move(line));
    listed.push_back(std::move(row));
  }
  told.about["regions"] = std::move(listed);
}

}  // namespace

std::optional<double> median_nuclear_area(const io::ResultStore& store) {
  const double mpp = store.info().mpp > 0 ? store.info().mpp : io::kDesignMpp;
  std::vector<std::int32_t> areas;
  io::NucleusStore(store).for_each_nucleus(
      false, [&](std::int64_t, const io::NucleusRecord& nucleus) { areas.push_back(nucleus.area); });
  if (areas.size() < kFewest) return std::nullopt;
  const auto middle = areas.begin() + static_cast<std::ptrdiff_t>(areas.size() / 2);
  std::nth_element(areas.begin(), middle, areas.end());
  return *middle * mpp * mpp;
}

std::vector<std::string> warnings_of(const SegmentFindings& findings) {
  std::vector<std::string> warnings;
  for (std::string warning : {io::resolution_warning(findings.resolution), size_warning(findings.median_area_um2)})
    if (!warning.empty()) warnings.push_back(std::move(warning));
  warnings.insert(warnings.end(), findings.of_input.begin(), findings.of_input.end());
  return warnings;
}

nlohmann::json survey_summary(const Survey& survey) {
  nlohmann::json json = nlohmann::json::parse(to_json(survey));
  json.erase("histograms");
  return json;
}

Conclusion describe(const SegmentFindings& findings) {
  Conclusion told;
  told.resolution = findings.resolution;
  told.found_json = {{"nuclei", nullptr}, {"left_out_eosin", nullptr}};
  told.warnings = findings.of_input;
  if (findings.survey) told.about["survey"] = survey_summary(*findings.survey);
  if (!findings.nuclei) return told;
  const auto [nuclei, left_out] = *findings.nuclei;
  told.found = nuclei_text(nuclei);
  if (left_out > 0) told.found += fmt::format(" ({} objects with more eosin left out)", grouped(left_out));
  told.found_json["nuclei"] = nuclei;
  told.found_json["left_out_eosin"] = left_out;
  describe_regions(findings, told);
  if (findings.median_area_um2) told.found_json["median_area_um2"] = *findings.median_area_um2;
  if (const std::string warning = size_warning(findings.median_area_um2); !warning.empty())
    told.warnings.push_back(warning);
  return told;
}

}  // namespace starpath
