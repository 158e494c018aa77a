// What is known of a slide's resolution, from the surest source to the least.
#include "apps/run/slide_resolution.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "apps/cli/terminal.hpp"
#include "pipelines/segmentation/resolution_estimate.hpp"

namespace starpath::apps {

io::Resolution resolution_of(const io::Slide& slide, double said) {
  io::Resolution resolution = io::stated_resolution(slide.info(), said);
  if (resolution.known()) return resolution;
  const NuclearSizeEstimate estimate = estimate_resolution(slide);
  resolution.detail = fmt::format("{} of {} fields agree", estimate.agreeing, estimate.voting);
  if (!estimate.certain()) return resolution;
  resolution.mpp = estimate.mpp;
  resolution.source = io::MppSource::nuclei;
  return resolution;
}

nlohmann::json resolution_json(const io::Resolution& resolution) {
  return {{"mpp", resolution.mpp}, {"source", io::name_of(resolution.source)}, {"detail", resolution.detail}};
}

void warn_of_resolution(const io::Resolution& resolution) {
  const std::string warning = resolution_warning(resolution);
  if (!warning.empty()) print_error("starpath: warning: {}\n", warning);
}

}  // namespace starpath::apps
