// study.sqlite as a database that is whole and holds other values.
#include "tests/fuzz/study.hpp"
#include "tests/fuzz/values.hpp"

namespace starpath::fuzz {
namespace {

constexpr Column kColumns[] = {
    {"study", "value", "key"},
    {"slides", "path", "slide"},
    {"slides", "folder", "slide"},
    {"slides", "patient", "slide"},
    {"slides", "group", "slide"},
    {"slides", "state", "slide"},
    {"slides", "error", "slide"},
    {"slides", "nuclei", "slide"},
    {"slides", "analysed_mm2", "slide"},
    {"slides", "nuclei_per_mm2", "slide"},
    {"slides", "width", "slide"},
    {"slides", "mpp", "slide"},
    {"slides", "parameters", "slide"},
    {"slides", "survey", "slide"},
    {"labels", "name", "slide"},
    {"labels", "value", "slide"},
    {"features", "feature", "slide"},
    {"features", "nuclei", "slide"},
    {"features", "mean", "slide"},
    {"features", "q3", "slide"},
    {"clusters", "cluster", "cluster"},
    {"clusters", "name", "cluster"},
    {"clusters", "colour", "cluster"},
    {"cluster_centres", "mean", "cluster"},
    {"slide_clusters", "slide", "cluster"},
    {"slide_clusters", "cluster", "cluster"},
    {"slide_clusters", "nuclei", "cluster"},
    {"classes", "name", "class"},
    {"slide_classes", "nuclei", "class"},
    {"runs", "about", "run"},
    {"patients", "name", "patient"},
    {"patients", "group", "patient"},
    {"patients", "nuclei", "patient"},
    {"patients", "branch", "patient"},
    {"patients", "place", "patient"},
    {"patient_slides", "patient", "slide"},
    {"patient_features", "mean", "patient"},
    {"patient_clusters", "cluster", "patient"},
    {"patient_tree", "first", "merge"},
    {"patient_tree", "second", "merge"},
    {"patient_tree", "height", "merge"},
};

/// A cohort of two patients, with a row in each of its tables.
void put_made_up_cohort(const std::filesystem::path& study) {
  const io::StudyPatient first = {.name = "P1",
                                  .group = "A",
                                  .slides = {1},
                                  .nuclei = 11,
                                  .analysed_mm2 = 2.5,
                                  .features = {{"nucleus_area", 11, 1, 2, 3, 4}},
                                  .cluster_nuclei = {6, 5},
                                  .class_nuclei = {{9, 1}},
                                  .branch = 1,
                                  .place = 1};
  io::StudyPatient second = first;
  second.name = "P2";
  second.slides = {2};
  second.place = 2;
  const char* about = R"({"k":1,"group":"group","group_table":{"groups":["A"],"patients":[[2]],"verdict":"none"}})";
  io::StudyStore::change(study.string()).put_cohort({about, {first, second}, {{1, 2, 0.5}}});
}

/// The study with a cohort, made once.
const std::string& whole_file() {
  static const std::string path = [] {
    const std::string file = (folder() / "whole-study.sqlite").string();
    put_made_up_cohort(study_folder() / "study.sqlite");
    std::filesystem::copy_file(study_folder() / "study.sqlite", file);
    // With checksums nearly every change would be refused before anything reads it.
    Database(file, Database::Open::existing).execute("DROP TABLE checksums; PRAGMA user_version = 2");
    return file;
  }();
  return path;
}

}  // namespace
}  // namespace starpath::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starpath;
  const std::string& whole = fuzz::whole_file();
  const std::string file = (fuzz::study_folder() / "study.sqlite").string();
  std::filesystem::copy_file(whole, file, std::filesystem::copy_options::overwrite_existing);
  fuzz::change_values(file, fuzz::kColumns, data, size);
  fuzz::use_study();
  fuzz::remove_journals(file);
  return 0;
}
