// Slides joined, then numbered.
#include "pipelines/classification/held_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace starpath {
namespace {

/// Slides that are held out together, named after the first of them (Tarjan 1975, with path halving).
class JoinedSlides {
 public:
  explicit JoinedSlides(std::size_t count) : before_(count) {
    std::iota(before_.begin(), before_.end(), std::size_t{0});
  }

  std::size_t first_of(std::size_t slide) {
    while (before_[slide] != slide) slide = before_[slide] = before_[before_[slide]];
    return slide;
  }
  void join(std::size_t a, std::size_t b) {
    const auto [first, second] = std::minmax({first_of(a), first_of(b)});
    before_[second] = first;
  }

 private:
  std::vector<std::size_t> before_;
};

}  // namespace

HeldOut held_out_units(const std::vector<const ClassifiedSlide*>& slides, std::vector<std::string>& lines) {
  HeldOut held_out{{}, "slide"};
  JoinedSlides joined(slides.size());
  std::map<std::string, std::vector<std::size_t>> copies;  // by fingerprint
  std::map<std::string, std::size_t> first_of_patient;
  for (std::size_t i = 0; i < slides.size(); ++i) {
    std::vector<std::size_t>& before = copies[slides[i]->fingerprint];
    for (const std::size_t copy : before) {
      lines.push_back(fmt::format("{} and {} are the same slide: they are held out together",
                                  slides[copy]->results.string(), slides[i]->results.string()));
      joined.join(copy, i);
    }
    before.push_back(i);
    if (slides[i]->patient.empty()) continue;
    held_out.by = "patient";
    joined.join(first_of_patient.emplace(slides[i]->patient, i).first->second, i);
  }
  std::map<std::size_t, std::size_t> number;  // of the first slide of each unit; first slides ascend
  for (std::size_t i = 0; i < slides.size(); ++i)
    held_out.units.push_back(number.emplace(joined.first_of(i), number.size()).first->second);
  return held_out;
}

}  // namespace starpath
