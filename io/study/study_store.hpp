// study.sqlite: what a run over many slides knows of each, a row a slide. The schema is documented in docs/study.md.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/study/cohort.hpp"
#include "io/study/feature_summary.hpp"
#include "io/study/member_clusters.hpp"
#include "io/study/study_classes.hpp"
#include "io/study/study_clusters.hpp"

namespace starpath::io {

/// A slide as it was asked for.
struct StudySlide {
  std::string path;                      // as it was given
  std::string folder = {};               // of its results, within the study's
  std::string patient = {}, group = {};  // empty: not said
  double mpp = 0;                        // as the user says; 0: not said
  std::string roi = {};                  // x,y,width,height, or a file with regions; empty: the whole slide
  std::string exclude = {};              // a file with regions that are left out; empty: none
  std::vector<std::pair<std::string, std::string>> labels = {};  // what else the list says of it, by column
};

enum class SlideState {
  waiting,     // not begun
  running,     // begun, and not heard of since: at work, or killed
  done,        // every tile and every export
  incomplete,  // ended, but some tiles or exports failed, or it was interrupted
  failed,      // ended by an error
};
std::string_view name_of(SlideState state);

/// The nuclei of one of a slide's regions.
struct RegionSummary {
  std::string name, class_name;  // an empty class: none
  std::int64_t nuclei = 0;
  double area_mm2 = 0;  // that is its own; 0: not known
  std::vector<FeatureSummary> features = {};
};

/// What came of a slide. What is not known is empty.
struct SlideSummary {
  SlideState state = SlideState::waiting;
  std::string error;  // one line; empty unless failed or incomplete
  std::optional<std::int64_t> nuclei, left_out_eosin, tiles, tiles_background, tiles_failed;
  std::optional<std::int64_t> width, height;  // level-0 pixels
  std::optional<double> mpp;                  // of level 0, micrometres a pixel
  std::string mpp_source;
  std::optional<double> analysed_mm2;  // of the regions, or of the cells that are not glass
  std::optional<double> nuclei_per_mm2, median_area_um2;
  double seconds = 0;      // from its opening to its last export, beside other slides
  std::string parameters;  // canonical JSON of everything that decides its results
  std::string survey;      // JSON, without histograms; empty where there was none
  std::string file_state;  // tells the slide's file from another or a changed one; empty where it is no file
  std::vector<std::string> warnings;
  std::vector<FeatureSummary> features;
  std::vector<RegionSummary> regions;  // empty unless the slide was asked for by regions
};

struct StudyRow {
  std::int64_t number = 0;  // in the order in which slides were first given, from 1
  StudySlide slide;
  SlideSummary summary;
};

/// What changed of a slide.
struct RowChange {
  std::int64_t number;
  std::optional<SlideSummary> summary = std::nullopt;  // what came of it; none: it is begun
  std::optional<StudySlide> slide = std::nullopt;      // what is said of it now; none: what was
};

/// Not thread-safe. Every member throws Error{output} when the file cannot be written, and Error{mismatch} when it is
/// no study, damaged, or of another layout. Opening compares everything that the file holds with its checksums; studies
/// of 0.1.0 and 0.2.0 have none until they are opened for writing.
class StudyStore {
 public:
  /// Creates `path` (Error{output} if it exists). `parameters`: JSON of what all slides share. `said_of_all`: JSON of
  /// what the options say of every slide; the list can say otherwise of a slide.
  static StudyStore create(const std::string& path, const std::string& version, const std::string& parameters,
                           const std::string& said_of_all = "{}");
  /// Opens for going on. Error{mismatch} naming what differs.
  static StudyStore resume(const std::string& path, const std::string& version, const std::string& parameters,
                           const std::string& said_of_all = "{}");
  /// Opens for reading.
  static StudyStore open(const std::string& path);
  StudyStore(StudyStore&&) noexcept;
  StudyStore& operator=(StudyStore&&) noexcept;
  ~StudyStore();

  /// Every slide, by number. Their files are inputs from then on (base/input_files.hpp).
  std::vector<StudyRow> rows() const;
  /// The slides of a call, which have folders: a folder that is known keeps its number and state and gets what is said
  /// now; others are added. Returns their numbers. One transaction.
  std::vector<std::int64_t> take(const std::vector<StudySlide>& slides);
  /// One after the other. A summary replaces what was known of the slide. One transaction.
  void change_rows(const std::vector<RowChange>& changes);
  /// Keeps what a run over slides of the study was, as JSON (docs/study.md). One transaction.
  void add_run(const std::string& about);
  /// In the order in which they ended.
  std::vector<std::string> runs() const;
  /// JSON of what all slides share.
  std::string parameters() const;
  /// The starpath that made it.
  std::string version() const;
  /// Slides get other clusters from now on: clusters() throws Error{mismatch} until put_clusters(). The cohort goes.
  /// One transaction.
  void begin_clusters();
  /// Replaces the clusters. The cohort goes: it has shares of the clusters before. One transaction.
  void put_clusters(const StudyClusters& clusters);
  /// Empty before there are any.
  StudyClusters clusters() const;
  /// What `starpath cohort` found. It lasts until a slide or what the list says of it changes, or clusters or classes
  /// do.
  std::optional<Cohort> cohort() const;
  /// Replaces the classes. The cohort goes: it has shares of the classes before. One transaction.
  void put_classes(const StudyClasses& classes);
  /// Empty before there are any.
  StudyClasses classes() const;
  /// Replaces the clusters of slides, or of patients; without clusters, takes them away. They last until a slide or
  /// what the list says of it changes. One transaction.
  void put_member_clusters(MemberKind kind, const MemberClusters& clusters);
  /// Opens for writing whatever it was made with.
  static StudyStore change(const std::string& path);

 private:
  struct Impl;
  explicit StudyStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace starpath::io
