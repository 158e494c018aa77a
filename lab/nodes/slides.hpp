// Studies on several simulated nodes: slides of different sizes, and how they are handed out.
#pragma once
#include <cstdint>
#include <vector>

#include "lab/nodes/work.hpp"

namespace starpath::lab {

/// The sizes of a study's slides.
struct SlideModel {
  unsigned slides = 0;
  double median_tiles = 0;
  double spread = 0;  ///< sigma of the logarithm of the tiles
};

/// Tiles of each slide, log-normal, at least 1. Deterministic. Throws Error (usage) for numbers that make no sense.
std::vector<unsigned> draw_slides(const SlideModel& model, std::uint64_t seed);

/// The unit that a node is given at once.
enum class HandOut {
  tiles,          ///< any tile of any slide: all nodes share each slide
  slides,         ///< whole slides in the order of the study, as `mpirun starpath segment` over a study does it
  largest_first,  ///< whole slides, those with the most tiles first
};

/// The times of a slide beside the workers of its node.
struct SlideCosts {
  double opening = 0;    ///< seconds until its tiles can begin, on each node that computes one
  double exporting = 0;  ///< seconds a tile, after its last one, on the node that finished it
};

/// When the nodes had nothing left to do, and the slides were done.
struct StudyEnd {
  double first_idle = 0;          ///< seconds until the first node had finished all that it was given, and nothing came
  double last_but_one_slide = 0;  ///< seconds until all slides but one were done
};

/// Whole slides, or tiles of slides, on the nodes of simulate_manager_worker: the same protocol, policies and windows.
/// `tiles` are those of each slide, all of the workload's. A node asks for its next slide by the rule of real runs
/// (mpi/protocol/slides_at_work.hpp). Errors as simulate_manager_worker.
NodesResult simulate_study(const NodesModel& all_nodes, const NodesWork& work, const NodesOptions& options,
                           const std::vector<unsigned>& tiles, HandOut hand_out, const SlideCosts& costs,
                           StudyEnd* end = nullptr);

/// Least makespan of any schedule of the tasks on all workers of all nodes, seconds: the area bound. Reading counts as
/// its time on a core, without the file system.
double area_bound_of(const NodesModel& all_nodes, const NodesWork& work, bool reading);

}  // namespace starpath::lab
