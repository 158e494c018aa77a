// A study.sqlite with made-up numbers: what reads a study needs no slides for it.
#pragma once
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "io/study/study_store.hpp"

namespace starpath::test {

struct MadeUpSlide {
  std::string patient = {}, group = {};
  double area = 50, eccentricity = 0.5;  // means and quartiles
  std::int64_t nuclei = 100;
  double mm2 = 1;  // analysed; 0: not known
  io::SlideState state = io::SlideState::done;
  std::vector<std::pair<std::string, std::string>> labels = {};
};

/// Slides s1, s2, ... of one study.
inline void make_study(const std::filesystem::path& folder, const std::vector<MadeUpSlide>& slides) {
  std::filesystem::create_directories(folder);
  io::StudyStore store = io::StudyStore::create(folder / "study.sqlite", "1", "{}");
  std::vector<io::StudySlide> said;
  for (std::size_t i = 0; i < slides.size(); ++i)
    said.push_back({.path = "s" + std::to_string(i + 1) + ".svs",
                    .folder = "s" + std::to_string(i + 1),
                    .patient = slides[i].patient,
                    .group = slides[i].group,
                    .labels = slides[i].labels});
  const std::vector<std::int64_t> numbers = store.take(said);
  for (std::size_t i = 0; i < slides.size(); ++i) {
    const MadeUpSlide& slide = slides[i];
    io::SlideSummary summary;
    summary.state = slide.state;
    summary.nuclei = slide.nuclei;
    if (slide.mm2 > 0) summary.analysed_mm2 = slide.mm2;
    const auto same = [&](const char* feature, double value) {
      const double number = slide.nuclei > 0 ? value : std::nan("");
      return io::FeatureSummary{feature, slide.nuclei, number, number, number, number};
    };
    summary.features = {same("nucleus_area", slide.area), same("nucleus_eccentricity", slide.eccentricity)};
    store.change_rows({{numbers[i], summary}});
  }
}

}  // namespace starpath::test
