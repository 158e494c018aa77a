// The survey's look at a field as a graph: the data that each stage reads and writes. Submission follows this table.
#pragma once
#include <array>
#include <cstddef>

#include "codelets/starpu/codelets.hpp"
#include "pipelines/run/stage_tasks.hpp"

namespace starpath {

/// Reads a field; cl_arg is its SurveyFieldJob.
extern starpu_codelet survey_read_codelet;
/// Reads patches; cl_arg is a ProbeJob. Has no buffers.
extern starpu_codelet survey_probe_codelet;

/// `colours` is of the survey, and written by no stage.
enum class SurveyBuffer : unsigned char { rgb, recoloured, inverted, opened, difference, counts, colours };
inline constexpr std::size_t kSurveyBufferCount = 7;

enum class SurveyStage : unsigned char { read, normalise, morph_open, recon_to_nuclei, survey };
/// All stages of a field are submitted together.
enum class SurveyPhase : unsigned char { field };

using SurveyRow = PipelineRow<SurveyStage, SurveyPhase, SurveyBuffer>;

inline constexpr auto kSurveyGraph = [] {
  using S = SurveyStage;
  using B = SurveyBuffer;
  using enum SurveyPhase;
  using namespace codelets;
  return std::array<SurveyRow, 5>{{
      {S::read, "survey_read", &survey_read_codelet, field, {}, {B::rgb}},
      // Left out where the survey sees the pixels as they were scanned. Else what it writes takes their place.
      {S::normalise, "normalise", &codelets::normalise, field, {B::rgb, B::colours}, {B::recoloured}},
      {S::morph_open, "morph_open", &morph_open, field, {B::rgb}, {B::inverted, B::opened}},
      {S::recon_to_nuclei, "recon_to_nuclei", &recon_to_nuclei, field, {B::inverted, B::opened}, {B::difference}},
      {S::survey, "survey", &survey, field, {B::rgb, B::difference}, {B::counts}},
  }};
}();

/// The first look has one stage.
inline constexpr SurveyRow kProbeStage = {
    SurveyStage::read, "survey_probe", &survey_probe_codelet, SurveyPhase::field, {}, {}};

}  // namespace starpath
