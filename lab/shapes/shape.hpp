// Shapes of workloads: which tasks there are, on which data.
#pragma once
#include <string>
#include <vector>

#include "lab/shapes/workload_builder.hpp"

namespace starpath::lab {

/// A number that a workload file gives and --set changes.
struct Parameter {
  const char* key;   ///< in the file
  const char* unit;  ///< "" for a bare number
  double least, most;
  /// As --set and WorkloadModel::parameters name it: "low_MB".
  std::string name() const;
};

inline constexpr Parameter kWindow{"window", "", 0, 1e6};
inline constexpr Parameter kTiles{"tiles", "", 1, 1e6};
inline constexpr Parameter kData{"data", "MB", 0, 1e4};

/// One shape. A new one is a file of its own and a line in shapes().
struct Shape {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<std::string> kinds;   ///< the kinds of task it needs, in this order; none: the file lists tasks and data
  void (*build)(WorkloadBuilder&);  ///< adds the tasks, in the order of their submission

  bool is_listed() const { return kinds.empty(); }
};

/// Tiles at low resolution, some again at high resolution (anthill-2010 6.3).
Shape nbia_shape();
/// Tiles of one size at their first level (anthill-2010 6.1).
Shape nbia_sizes_shape();
/// Nuclei segmentation with features as the papers have it.
Shape segmentation_shape();
/// Tiles, each with the tasks that the file lists.
Shape tile_shape();
/// One codelet, each task with its own speedups.
Shape independent_shape();
/// Chains of three codelets in turn on one piece of data.
Shape chains_shape();
/// Tile Cholesky.
Shape cholesky_shape();
/// Tasks that read data of random earlier tasks.
Shape random_dag_shape();
/// Layers of tasks that read data of the layer before.
Shape layered_shape();
/// Phases: one task, many beside each other, one that joins them.
Shape fork_join_shape();
/// Trees that combine data two by two.
Shape reduction_shape();
/// Trees of any width: many inputs, and an end that is narrow.
Shape gather_shape();
/// Blocks of a grid that are computed again and again from their neighbours.
Shape stencil_shape();
/// Data that are split in two until they are small, and merged again.
Shape divide_shape();
/// Blocks of a grid that need the ones before them in row and column.
Shape wavefront_shape();
/// Chunks of a vector (anthill-2010 6.2).
Shape vector_increment_shape();

/// All of them.
const std::vector<Shape>& shapes();

/// The shape of this name; nullptr: there is none.
const Shape* find_shape(const std::string& name);

/// Their names, with commas between them.
std::string shape_names();

}  // namespace starpath::lab
