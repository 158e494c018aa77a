// Pieces read around, and a list of them.
#include "io/slides/patched_slide.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/slides/gaps.hpp"

namespace starpath::io {
namespace {

class PatchedSlide final : public Slide {
 public:
  explicit PatchedSlide(std::unique_ptr<Slide> slide) : slide_(std::move(slide)) {}

  const SlideInfo& info() const override { return slide_->info(); }

  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override {
    try {
      slide_->read(level, x, y, out);
      return;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
    }
    note(read_pieces(*slide_, level, x, y, out, false));  // throws for the first piece that no level has
  }

  std::vector<Gap> read_around_gaps(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override {
    Findings found = read_pieces(*slide_, level, x, y, out, true);
    note(found);
    return std::move(found.gaps);
  }

  std::vector<std::string> warnings() const override {
    std::vector<std::string> lines = slide_->warnings();
    const std::lock_guard lock(mutex_);
    for (const auto& [level, why] : first_of_level_)
      lines.push_back(fmt::format("level {} is damaged, and a finer one is shown in its place ({})", level, why));
    for (std::string& line : gap_lines(gaps_)) lines.push_back(std::move(line));
    return lines;
  }

 private:
  void note(const Findings& found) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [level, why] : found.passed_over) first_of_level_.emplace(level, why);
    for (const Gap& gap : found.gaps)
      if (known_.emplace(gap.x, gap.y).second) gaps_.push_back(gap);
  }

  const std::unique_ptr<Slide> slide_;
  mutable std::mutex mutex_;
  mutable std::map<int, std::string> first_of_level_;
  mutable std::vector<Gap> gaps_;                                  // each place once
  mutable std::set<std::pair<std::int64_t, std::int64_t>> known_;  // places of these
};

}  // namespace

std::unique_ptr<Slide> make_patched_slide(std::unique_ptr<Slide> slide) {
  return std::make_unique<PatchedSlide>(std::move(slide));
}

}  // namespace starpath::io
