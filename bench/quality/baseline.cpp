// A Python program as a child.
#include "bench/quality/baseline.hpp"

#include "base/child_process.hpp"
#include "io/exports/png_writer.hpp"

namespace starpath::quality {
namespace {

constexpr auto kLimit = std::chrono::hours(1);

/// Python's last line of a traceback is the error.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

Baseline::Baseline() {
  for (const char* name : {"images", "labels"}) std::filesystem::create_directory(folder_.path() / name);
}

void Baseline::add(const std::string& key, RgbView rgb) {
  AtomicFile file(folder_.path() / "images" / (key + ".png"));
  io::PngWriter png(file, rgb.width, rgb.height);
  png.write(rgb);
  png.finish();
  file.commit();
}

std::string Baseline::run(const std::string& python) {
  Environment environment = current_environment();
  environment["PYTHONDONTWRITEBYTECODE"] = "1";
  std::string failure;
  try {
    const ChildOutcome outcome = run_child(
        {python, STARPATH_BASELINE, (folder_.path() / "images").string(), (folder_.path() / "labels").string()},
        environment, kLimit);
    failure = outcome.failure();
    if (!failure.empty() && !outcome.errors.empty()) failure = last_line(outcome.errors);
  } catch (const Error& error) {
    failure = error.what();
  }
  ran_ = failure.empty();
  if (ran_) return "";
  return "no scikit-image beside it (" + failure + "): pip install scikit-image, or name another Python with --python";
}

std::optional<LabelImage> Baseline::labels(const std::string& key) const {
  if (!ran_) return std::nullopt;
  return read_label_image(folder_.path() / "labels" / (key + ".png"));
}

}  // namespace starpath::quality
