// From a path to results.
#include "pipelines/classification/classified_slides.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "io/results/nuclei_results.hpp"
#include "io/study/done_slides.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;

ClassifiedSlide described(std::int64_t number, const fs::path& results, const io::ResultStore& store) {
  const std::string folder = fs::absolute(results).parent_path().filename().string();
  return {number, results, folder, fs::path(store.info().slide_path).filename().string(), store.key().slide_fingerprint,
          ""};
}

}  // namespace

std::vector<ClassifiedSlide> slides_to_classify(const fs::path& path, std::vector<std::string>& left_out) {
  std::vector<ClassifiedSlide> slides;
  if (!io::is_study(path)) {
    const fs::path results = io::results_at(path);
    slides.push_back(described(0, results, io::open_nuclei(results)));
    return slides;
  }
  const io::StudyStore study = io::StudyStore::open(path / "study.sqlite");
  const std::vector<io::StudyRow> rows = study.rows();
  for (const io::DoneSlide& slide : io::done_slides(path, rows, left_out)) {
    slides.push_back(described(slide.number, slide.results, io::ResultStore::open(slide.results)));
    slides.back().patient = std::ranges::lower_bound(rows, slide.number, {}, &io::StudyRow::number)->slide.patient;
  }
  if (slides.empty())
    throw Error(ErrorKind::input, path.string() + ": no slide of the study is done; run segment with --resume");
  return slides;
}

}  // namespace starpath
