// Annotated nuclei, their votes, and the truth.
#include "pipelines/classification/evaluate.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "codelets/kernels/nearest_classes.hpp"
#include "io/results/result_store.hpp"
#include "pipelines/classification/feature_columns.hpp"

namespace starpath {
namespace {

/// Annotated nuclei as the kernel takes them, and their classes.
class Judged {
 public:
  explicit Judged(const NucleusModel& model)
      : model_(model), confusion_(model.classes.size()), samples_(model.sample_rows()) {}

  void add(const std::string& name, std::span<const double> values) {
    const auto known = std::ranges::find(model_.classes, name, &NucleusClass::name);
    if (known == model_.classes.end()) {
      ++unknown_[name];
      return;
    }
    const auto width = static_cast<std::size_t>(model_.row_numbers());
    rows_.resize(rows_.size() + width);
    model_.put_row(values, std::span(rows_).last(width));
    truth_.push_back(static_cast<std::size_t>(known - model_.classes.begin()));
  }

  void vote() {
    Scratch scratch;
    std::vector<ClassVote> votes(truth_.size());
    const int width = model_.row_numbers();
    const auto view = [&](const std::vector<std::int16_t>& rows, std::size_t count) {
      return View<const std::int16_t>{rows.data(), width, static_cast<int>(count), width};
    };
    cpu::nearest_classes(KernelContext{scratch}, view(rows_, truth_.size()), view(samples_, model_.samples()),
                         model_.labels, votes, model_.k);
    for (std::size_t i = 0; i < votes.size(); ++i) {
      confusion_.add(truth_[i], votes[i].label);
      out_of_range_ += model_.out_of_range(votes[i]);
    }
  }

  const Confusion& confusion() const { return confusion_; }
  std::int64_t out_of_range() const { return out_of_range_; }
  /// Nuclei of classes that the model does not have.
  const std::map<std::string, std::int64_t>& unknown() const { return unknown_; }

 private:
  const NucleusModel& model_;
  Confusion confusion_;
  const std::vector<std::int16_t> samples_;
  std::vector<std::int16_t> rows_;
  std::vector<std::size_t> truth_;
  std::int64_t out_of_range_ = 0;
  std::map<std::string, std::int64_t> unknown_;
};

/// Names of the annotated slides that the model was trained on.
std::vector<std::string> known_slides(const NucleusModel& model, const std::vector<ClassifiedSlide>& slides,
                                      const std::vector<SlideAnnotations>& annotations) {
  std::vector<std::string> known;
  std::set<std::string> fingerprints;
  for (const TrainedSlide& slide : model.slides) fingerprints.insert(slide.fingerprint);
  for (const SlideAnnotations& each : annotations)
    if (fingerprints.contains(slides[each.slide].fingerprint)) known.push_back(slides[each.slide].slide);
  return known;
}

}  // namespace

Evaluation evaluate_model(const NucleusModel& model, const std::vector<ClassifiedSlide>& slides,
                          const std::vector<SlideAnnotations>& annotations, double within) {
  for (const SlideAnnotations& each : annotations) {
    const std::string results = slides[each.slide].results.string();
    check_resolution(io::ResultStore::open(results).info(), results, model.mpp);
  }
  std::vector<std::string> columns;
  for (const ModelFeature& feature : model.features) columns.push_back(feature.name);
  Judged judged(model);
  std::map<std::string, std::uint32_t> colours;
  std::vector<std::string> lines = visit_annotated(
      slides, annotations, within, columns,
      [&](std::size_t, const std::string& name, std::span<const double> values) { judged.add(name, values); }, colours);
  judged.vote();
  return {judged.confusion(), judged.out_of_range(), judged.unknown(), std::move(lines),
          known_slides(model, slides, annotations)};
}

}  // namespace starpath
