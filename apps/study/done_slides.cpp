// From a study to the results of its slides.
#include "apps/study/done_slides.hpp"

#include <fmt/format.h>

#include "apps/terminal.hpp"
#include "base/error.hpp"

namespace starpath::apps {

namespace fs = std::filesystem;

bool is_study(const fs::path& path) { return fs::is_directory(path) && fs::exists(path / "study.sqlite"); }

void check_is_study(const fs::path& path) {
  if (is_study(path)) return;
  throw Error(ErrorKind::input,
              fmt::format("{}: holds no study.sqlite; give the folder that was the --out of a run over many slides",
                          path.string()));
}

std::vector<DoneSlide> done_slides(const fs::path& study, const std::vector<io::StudyRow>& rows,
                                   std::vector<std::string>& left_out) {
  std::vector<DoneSlide> slides;
  for (const io::StudyRow& row : rows) {
    if (row.summary.state != io::SlideState::done) {
      left_out.push_back(fmt::format("{} is {}, and left out", row.slide.folder, io::name_of(row.summary.state)));
      continue;
    }
    const fs::path results = study / row.slide.folder / "results.sqlite";
    if (!fs::exists(results))
      throw Error(ErrorKind::input,
                  fmt::format("{}: is not there, and the study counts it as done; bring it back, or run segment with "
                              "--resume",
                              results.string()));
    slides.push_back({row.number, results});
  }
  return slides;
}

std::vector<DoneSlide> done_slides(const fs::path& study) {
  std::vector<std::string> left_out;
  std::vector<DoneSlide> slides = done_slides(study, io::StudyStore::open(study / "study.sqlite").rows(), left_out);
  for (const std::string& line : left_out) print_error("starpath: {}\n", line);
  if (slides.empty())
    throw Error(ErrorKind::input, study.string() + ": no slide of the study is done; run segment with --resume");
  return slides;
}

}  // namespace starpath::apps
