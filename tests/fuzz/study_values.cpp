// study.sqlite as a database that is whole and holds other values.
#include "tests/fuzz/study.hpp"
#include "tests/fuzz/values.hpp"
#include "tests/io/put_cohort.hpp"

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
  const char* about = R"({"k":1,"group":"group","group_table":{"groups":["A"],"patients":[[2]],"verdict":"none"}})";
  test::put_cohort(study.string(), about, R"(
INSERT INTO patients VALUES (1, 'P1', 'A', 1, 11, 2.5, 4.4, 1, 1), (2, 'P2', 'A', 1, 11, 2.5, 4.4, 1, 2);
INSERT INTO patient_slides VALUES (1, 1), (2, 2);
INSERT INTO patient_features VALUES (1, 'nucleus_area', 11, 1.0, 2.0, 3.0, 4.0);
INSERT INTO patient_clusters VALUES (1, 1, 6), (1, 2, 5);
INSERT INTO patient_classes VALUES (1, 1, 9, 1);
INSERT INTO patient_tree VALUES (1, 1, 2, 0.5);)");
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
