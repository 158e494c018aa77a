// From a study to the results of its slides.
#include "io/study/done_slides.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace starpath::io {

namespace fs = std::filesystem;

bool is_study(const fs::path& path) { return fs::is_directory(path) && fs::exists(path / "study.sqlite"); }

void check_is_study(const fs::path& path) {
  if (is_study(path)) return;
  throw Error(ErrorKind::input,
              fmt::format("{}: holds no study.sqlite; give the folder that was the --out of a run over many slides",
                          path.string()));
}

std::vector<DoneSlide> done_slides(const fs::path& study, const std::vector<StudyRow>& rows,
                                   std::vector<std::string>& left_out) {
  std::vector<DoneSlide> slides;
  for (const StudyRow& row : rows) {
    if (row.summary.state != SlideState::done) {
      left_out.push_back(fmt::format("{} is {}, and left out", row.slide.folder, name_of(row.summary.state)));
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

}  // namespace starpath::io
