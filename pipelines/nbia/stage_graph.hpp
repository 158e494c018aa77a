// NBIA's look at a field as a graph: which stage reads and writes what. Submission follows this table.
#pragma once
#include <array>
#include <cstddef>

#include "codelets/starpu/codelets.hpp"
#include "pipelines/run/stage_tasks.hpp"

namespace starpath {

/// Of a field; the samples (mean to labels) are those of a level of the model.
enum class FieldBuffer : unsigned char { rgb, image, counts, mean, deviation, z, labels, vote };
inline constexpr std::size_t kFieldBufferCount = 8;

enum class FieldStage : unsigned char { read, reduce, statistics, classify };

/// A field is read once. Each level is looked at in two steps, of which the finest level has no reduction: there the
/// image is rgb.
enum class FieldPhase : unsigned char { read, reduce, judge };

/// Reads a field; cl_arg is its FieldTasks.
extern starpu_codelet nbia_read_codelet;

using NbiaStage = StageSpec<FieldStage, FieldPhase, FieldBuffer>;

inline constexpr std::array<NbiaStage, 4> kFieldGraph = {{
    {FieldStage::read, "read", &nbia_read_codelet, FieldPhase::read, {}, {FieldBuffer::rgb}},
    {FieldStage::reduce,
     "reduce",
     &codelets::area_average,
     FieldPhase::reduce,
     {FieldBuffer::rgb},
     {FieldBuffer::image}},
    {FieldStage::statistics,
     "statistics",
     &codelets::nbia_statistics,
     FieldPhase::judge,
     {FieldBuffer::image},
     {FieldBuffer::counts}},
    {FieldStage::classify,
     "classify",
     &codelets::nbia_classify,
     FieldPhase::judge,
     {FieldBuffer::counts, FieldBuffer::mean, FieldBuffer::deviation, FieldBuffer::z, FieldBuffer::labels},
     {FieldBuffer::vote}},
}};

}  // namespace starpath
