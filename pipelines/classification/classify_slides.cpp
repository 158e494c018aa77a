// Features, votes, classes, slide by slide.
#include "pipelines/classification/classify_slides.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.hpp"
#include "base/pure/conformal_range.hpp"
#include "base/stopped.hpp"
#include "io/results/group_store.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_store.hpp"
#include "io/study/done_slides.hpp"
#include "io/study/study_store.hpp"
#include "pipelines/classification/classify_nuclei.hpp"
#include "pipelines/classification/feature_columns.hpp"

namespace starpath {
namespace {

class Classification {
 public:
  Classification(const std::filesystem::path& path, const std::vector<ClassifiedSlide>& slides,
                 const NucleusModel& model, const ClassifyProgress& progress, const std::atomic<bool>& stop)
      : path_(path), slides_(slides), model_(model), digest_(model_digest(model)), progress_(progress), stop_(stop) {
    for (const ModelFeature& feature : model.features) columns_.push_back(feature.name);
    for (const NucleusClass& each : model.classes) found_.classes.classes.push_back({each.name, each.colour});
  }

  ClassifiedNuclei run() {
    check_all();
    NucleusClassifier classifier(model_);
    for (const ClassifiedSlide& slide : slides_) classify(slide, classifier);
    found_.classes.about = about();
    if (io::is_study(path_)) io::StudyStore::change(path_ / "study.sqlite").put_classes(found_.classes);
    warn_of_range();
    return std::move(found_);
  }

 private:
  /// Whether the model fits every slide, before the first one is changed.
  void check_all() {
    for (const ClassifiedSlide& slide : slides_) {
      const io::ResultStore store = io::ResultStore::open(slide.results.string());
      check_resolution(store.info(), slide.results.string(), model_.mpp);
      const ColumnReader reader(store.info(), slide.results.string(), columns_);
      nuclei_ += io::NucleusStore(store).nucleus_count();
    }
    if (nuclei_ == 0) throw Error(ErrorKind::input, path_.string() + ": holds no nuclei to classify");
  }

  void classify(const ClassifiedSlide& slide, NucleusClassifier& classifier) {
    constexpr std::int64_t step = 1024;
    progress_.on_slide(slide);
    const std::string file = slide.results.string();
    const io::RunKey key = io::ResultStore::open(file).key();  // closed again: a reader holds up a file in WAL mode
    // Held from here on: nobody changes its nuclei in between.
    const io::ResultStore store = io::ResultStore::resume(file, key);
    ColumnReader reader(store.info(), file, columns_);
    std::vector<std::int32_t> regions;
    io::NucleusStore(store).for_each_nucleus_with(
        reader.features(), [&](std::int64_t id, const io::NucleusRecord& nucleus) {
          classifier.add(reader.values(nucleus));
          regions.push_back(nucleus.region);
          if (++done_; id % step != 0) return;
          if (stop_) throw Stopped();
          progress_.on_share(static_cast<double>(done_) / static_cast<double>(nuclei_));
        });
    const std::vector<ClassVote> votes = classifier.finish();
    if (stop_) throw Stopped();
    io::GroupStore(store).put_classes(records(), classes_of(votes));
    count(slide.number, votes, regions);
  }

  std::vector<io::ClassRecord> records() const {
    std::vector<io::ClassRecord> records;
    for (const NucleusClass& each : model_.classes) records.push_back({each.name, each.colour, 0, digest_});
    return records;
  }

  std::vector<io::ClassOfNucleus> classes_of(const std::vector<ClassVote>& votes) const {
    std::vector<io::ClassOfNucleus> classes;
    for (const ClassVote& vote : votes)
      classes.push_back({vote.label + 1, static_cast<double>(vote.share) / kVoteUnit,
                         std::sqrt(static_cast<double>(vote.distance)) / kPointUnit, model_.out_of_range(vote)});
    return classes;
  }

  void count(std::int64_t slide, const std::vector<ClassVote>& votes, const std::vector<std::int32_t>& regions) {
    std::map<std::pair<std::int32_t, std::int32_t>, io::ClassCount> found;  // by region and class
    for (std::size_t i = 0; i < votes.size(); ++i) {
      const bool outside = model_.out_of_range(votes[i]);
      io::StudyClass& all = found_.classes.classes[votes[i].label];
      ++all.nuclei;
      all.out_of_range += outside;
      const auto tally = [&](std::int32_t region) {
        const std::int32_t number = votes[i].label + 1;
        io::ClassCount& each =
            found.emplace(std::pair{region, number}, io::ClassCount{slide, region, number, 0, 0}).first->second;
        ++each.nuclei;
        each.out_of_range += outside;
      };
      tally(0);
      if (regions[i] > 0) tally(regions[i]);
    }
    for (const auto& [place, counted] : found) found_.classes.counts.push_back(counted);
  }

  std::string about() const {
    nlohmann::json slides = nlohmann::json::array();
    for (const TrainedSlide& slide : model_.slides) slides.push_back(slide.name);
    return nlohmann::json{{"model", digest_},
                          {"k", model_.k},
                          {"features", columns_},
                          {"trained_on", slides},
                          {"nuclei", model_.samples()}}
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  void warn_of_range() {
    std::int64_t outside = 0;
    for (const io::StudyClass& each : found_.classes.classes) outside += each.out_of_range;
    const auto all = static_cast<double>(nuclei_), chance = conformal_chance(model_.samples());
    // More than false alarms explain: beyond three deviations of their number.
    if (static_cast<double>(outside) > all * chance + 3 * std::sqrt(all * chance * (1 - chance)))
      found_.warnings.push_back(fmt::format(
          "{:.1f} % of the nuclei are out of range: unlike those the model was trained on; annotate some of them",
          100 * static_cast<double>(outside) / all));
  }

  const std::filesystem::path& path_;
  const std::vector<ClassifiedSlide>& slides_;
  const NucleusModel& model_;
  const std::string digest_;
  const ClassifyProgress& progress_;
  const std::atomic<bool>& stop_;
  std::vector<std::string> columns_;
  ClassifiedNuclei found_;
  std::int64_t nuclei_ = 0, done_ = 0;
};

}  // namespace

std::optional<ClassifiedNuclei> classify_slides(const std::filesystem::path& path,
                                                const std::vector<ClassifiedSlide>& slides, const NucleusModel& model,
                                                const ClassifyProgress& progress, const std::atomic<bool>& stop) {
  try {
    return Classification(path, slides, model, progress, stop).run();
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

}  // namespace starpath
