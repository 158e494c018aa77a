// NBIA's look at a field as a graph: the data that each stage reads and writes. Submission follows this table.
#pragma once
#include <array>
#include <cstddef>

#include "codelets/starpu/codelets.hpp"
#include "pipelines/run/stage_tasks.hpp"
#include "workflow/abstract_workflow.hpp"

namespace starpath {

/// The data of a field; the samples (mean to labels) are those of a level of the model.
enum class FieldBuffer : unsigned char { rgb, image, counts, mean, deviation, z, labels, vote };
inline constexpr std::size_t kFieldBufferCount = 8;

enum class FieldStage : unsigned char { read, reduce, statistics, classify };

/// A field is read once. Each level is looked at in two steps, but the finest level has no reduction: there the image
/// is rgb.
enum class FieldPhase : unsigned char { read, reduce, judge };

/// Reads a field; cl_arg is its FieldTasks.
extern starpu_codelet nbia_read_codelet;

/// The workflow that the manager knows: a field is one stage. Whether it is looked at again, at the next level, is
/// known only once it was looked at.
inline workflow::AbstractWorkflow nbia_workflow() { return workflow::single_stage("classification"); }

using NbiaStage = PipelineRow<FieldStage, FieldPhase, FieldBuffer>;

inline constexpr auto kFieldGraph = [] {
  using S = FieldStage;
  using P = FieldPhase;
  using B = FieldBuffer;
  using namespace codelets;
  return std::array<NbiaStage, 4>{{
      {S::read, "read", &nbia_read_codelet, P::read, {}, {B::rgb}},
      {S::reduce, "reduce", &area_average, P::reduce, {B::rgb}, {B::image}},
      {S::statistics, "statistics", &nbia_statistics, P::judge, {B::image}, {B::counts}},
      {S::classify,
       "classify",
       &nbia_classify,
       P::judge,
       {B::counts, B::mean, B::deviation, B::z, B::labels},
       {B::vote}},
  }};
}();

}  // namespace starpath
