// Annotated nuclei by class and slide.
#include "pipelines/classification/training_set.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "io/results/group_colours.hpp"
#include "io/results/result_store.hpp"
#include "pipelines/classification/feature_columns.hpp"
#include "pipelines/classification/held_out.hpp"

namespace starpath {

AnnotatedSet annotated_set(const std::vector<ClassifiedSlide>& slides, const std::vector<SlideAnnotations>& annotations,
                           double within, const std::vector<std::string>& features) {
  const ClassifiedSlide& first = slides[annotations[0].slide];
  const io::RunInfo info = io::ResultStore::open(first.results.string()).info();
  AnnotatedSet found;
  TrainingSet& set = found.set;
  set.mpp = info.mpp;
  set.features = feature_columns(info, features);
  for (const SlideAnnotations& each : annotations) {
    const std::string results = slides[each.slide].results.string();
    check_resolution(io::ResultStore::open(results).info(), results, set.mpp);
  }
  struct Annotated {
    std::size_t slide;
    std::vector<double> values;
  };
  std::map<std::string, std::vector<Annotated>> by_class;
  std::map<std::size_t, std::int64_t> by_slide;
  std::map<std::string, std::uint32_t> colours;
  found.lines = visit_annotated(
      slides, annotations, within, set.features,
      [&](std::size_t slide, const std::string& name, std::span<const double> values) {
        by_class[name].push_back({slide, {values.begin(), values.end()}});
        ++by_slide[slide];
      },
      colours);
  std::map<std::size_t, std::size_t> numbers;  // of slides with annotated nuclei
  std::vector<const ClassifiedSlide*> annotated;
  for (const auto& [slide, nuclei] : by_slide) {
    numbers.emplace(slide, numbers.size());
    set.slides.push_back({slides[slide].slide, slides[slide].fingerprint, nuclei});
    annotated.push_back(&slides[slide]);
  }
  HeldOut held_out = held_out_units(annotated, found.warnings);
  set.units = std::move(held_out.units);
  set.unit = std::move(held_out.by);
  for (auto& [name, nuclei] : by_class) {
    const auto known = colours.find(name);
    const std::size_t number = set.classes.size();
    set.classes.push_back({name, known != colours.end() ? known->second : io::group_colour(number)});
    for (Annotated& each : nuclei)
      set.nuclei.push_back({static_cast<std::uint8_t>(std::min<std::size_t>(number, kMostClasses)),
                            numbers.at(each.slide), std::move(each.values)});
  }
  return found;
}

}  // namespace starpath
