// The fingerprint tells the slide from others.
#include "io/exports/slide_of_results.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/slides/opening.hpp"

namespace starpath::io {

std::unique_ptr<Slide> open_slide_of(const RunInfo& info, const std::string& path) {
  return open_slide(path.empty() ? info.slide_path : path, {.whole_canvas = !info.origin});
}

std::unique_ptr<Slide> slide_of(const ResultStore& store, const std::string& said) {
  const RunInfo info = store.info();
  const std::string path = said.empty() ? info.slide_path : said;
  std::unique_ptr<Slide> slide;
  try {
    slide = open_slide_of(info, path);
  } catch (const Error& error) {
    if (!said.empty()) throw;
    throw Error(error.kind(),
                fmt::format("{}; the overlay shows the slide: say where it is with --slide", error.what()));
  }
  const std::string wanted = store.key().slide_fingerprint, found = slide->info().fingerprint;
  if (wanted != found)
    throw Error(
        ErrorKind::mismatch,
        fmt::format("{}: is not the slide of the results (fingerprint {}, theirs is {}); say where that is with "
                    "--slide",
                    path, found, wanted));
  return slide;
}

}  // namespace starpath::io
