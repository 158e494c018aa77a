// Slides joined, then numbered.
#include "apps/classify/held_out.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace starpath::apps {

HeldOut held_out_units(const std::vector<const ClassifiedSlide*>& slides, std::vector<std::string>& lines) {
  HeldOut held_out{{}, "slide"};
  std::vector<std::size_t>& units = held_out.units;  // the first slide of each, until they are numbered
  for (std::size_t i = 0; i < slides.size(); ++i) {
    units.push_back(i);
    if (!slides[i]->patient.empty()) held_out.by = "patient";
    for (std::size_t j = 0; j < i; ++j) {
      const bool copy = slides[i]->fingerprint == slides[j]->fingerprint;
      if (copy)
        lines.push_back(fmt::format("{} and {} are the same slide: they are held out together",
                                    slides[j]->results.string(), slides[i]->results.string()));
      if (copy || (!slides[i]->patient.empty() && slides[i]->patient == slides[j]->patient))
        std::ranges::replace(units, std::max(units[i], units[j]), std::min(units[i], units[j]));
    }
  }
  std::vector<std::size_t> firsts = units;
  std::ranges::sort(firsts);
  firsts.erase(std::unique(firsts.begin(), firsts.end()), firsts.end());
  for (std::size_t& unit : units)
    unit = static_cast<std::size_t>(std::ranges::lower_bound(firsts, unit) - firsts.begin());
  return held_out;
}

}  // namespace starpath::apps
