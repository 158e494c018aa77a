// Lines on standard error.
#include "apps/run/done_slides.hpp"

#include <string>

#include "apps/cli/terminal.hpp"
#include "base/error.hpp"

namespace starpath::apps {

std::vector<io::DoneSlide> done_slides(const std::filesystem::path& study) {
  std::vector<std::string> left_out;
  std::vector<io::DoneSlide> slides =
      io::done_slides(study, io::StudyStore::open(study / "study.sqlite").rows(), left_out);
  for (const std::string& line : left_out) print_error("starpath: {}\n", line);
  if (slides.empty())
    throw Error(ErrorKind::input, study.string() + ": no slide of the study is done; run segment with --resume");
  return slides;
}

}  // namespace starpath::apps
