// From a key to an agreement, and from parts to one file.
#include "runs/slide_pipeline.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "io/results/result_parts.hpp"
#include "runs/tile_loops.hpp"

namespace starpath {

std::string note_on_tiles(const io::SlideInfo& slide) {
  if (slide.format != "tiles") return "";
  const auto said = [&](const char* name) { return slide.properties.at(std::string("tiles.") + name); };
  const std::string missing = said("missing"), labels = said("labels_left_out");
  return fmt::format("{}: is read as one slide of {}x{} tiles of {} px, placed {}{}{}", slide.path, said("columns"),
                     said("rows"), said("size"), said("names"),
                     missing == "0" ? "" : fmt::format("; {} missing", missing),
                     labels == "0" ? "" : fmt::format("; {} pictures of labels left out", labels));
}

std::vector<std::string> notes_on(const io::SlideInfo& slide, const io::Resolution& resolution, bool quiet) {
  std::vector<std::string> notes;
  if (std::string note = note_on_tiles(slide); !quiet && !note.empty()) notes.push_back(std::move(note));
  if (const std::string warning = io::resolution_warning(resolution); !warning.empty())
    notes.push_back("warning: " + warning);
  return notes;
}

RankPlan SlidePipeline::plan() const {
  return asked_.streams.wanted() ? RankPlan{mpi::MpiUse::shared, asked_.streams.readers} : RankPlan{};
}

workflow::AbstractWorkflow SlidePipeline::workflow() const {
  return asked_.streams.wanted() ? workflow::single_stage(unit()) : stages();
}

mpi::Agreement SlidePipeline::open(Role) {
  const StreamsAsked& streams = asked_.streams;
  if (streams.wanted()) check_streams(streams);
  run_ = &open_input();
  const io::RunKey& key = run_->key;
  nlohmann::json parameters = nlohmann::json::parse(key.parameters);
  std::string besides = agreement();
  if (streams.wanted()) besides += fmt::format(" --streams {} --readers {}", streams.policy, streams.readers);
  if (!besides.empty()) parameters["plan"] = besides;
  return {key.starpath_version, key.slide_fingerprint, parameters.dump()};
}

std::vector<std::int64_t> SlidePipeline::open_results() {
  results_.emplace(starpath::open_results(asked_, *run_, tables_));
  return begin();
}

void SlidePipeline::open_part(const std::filesystem::path& part) {
  results_.emplace(io::ResultStore::create(part, run_->key, run_->info, tables_));
}

io::ResultStore& SlidePipeline::reopened_results() {
  if (!results_) results_.emplace(resume_results(asked_, *run_, tables_));
  return *results_;
}

void SlidePipeline::read_results_only() {
  results_.reset();
  results_.emplace(io::ResultStore::open(results_file(asked_), tables_));
}

void SlidePipeline::take_over(const std::vector<RankPart>& parts, RunListener& report) {
  report.phase(fmt::format("merging the results of {} ranks", parts.size() + 1));
  for (const RankPart& part : parts) {
    std::error_code error;
    const bool exists = std::filesystem::exists(part.file, error);
    const std::int64_t merged = exists ? io::merge_part(results_file(asked_), part.file, run_->key, tables_) : 0;
    if (merged < part.stored)
      throw Error(ErrorKind::output,
                  fmt::format("{}: holds {} of the {} {}s of {}: --out must be one folder that all nodes share",
                              part.file.string(), merged, part.stored, unit(), part.rank));
    io::remove_results_file(part.file);
  }
}

}  // namespace starpath
