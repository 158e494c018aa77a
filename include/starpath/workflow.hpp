// A pipeline of your own over the tiles of a slide: declared in one file, built as a module, run by
//   starpath workflow ./libmine.so slide.svs --out results
// under any policy, in one process or under mpirun, and with --resume after a kill. C++20. Needs StarPU's headers and
// nothing of Starpath to link. Build it with the compiler and C++ library that starpath was built with. An example and
// the rules: docs/workflows.md.
#ifndef STARPATH_WORKFLOW_HPP
#define STARPATH_WORKFLOW_HPP

#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace starpath::declare {

/// How slides are cut: squares of `side` pixels, read with `halo` pixels around them, as far as the slide goes.
struct Split {
  int side = 1024;
  int halo = 0;
  double mpp = 0.5;  // micrometres a pixel that slides are resampled to
};

/// Data that live while a tile is processed. StarPU allocates them where an operation first writes them. With
/// `elements` they are a vector of so many, else a matrix, one element a pixel of the region of the tile (or part).
struct Data {
  std::string name;
  std::size_t element_bytes;
  std::uint32_t elements = 0;
};

/// Data that every pipeline can read and none writes: a matrix of three bytes a pixel (red, green, blue) of the region.
inline constexpr const char* kPixels = "pixels";

/// A codelet and the data of its buffers, in their order. Its modes say which are read (STARPU_R) and written
/// (STARPU_W); one operation writes each. Its implementations for cores and for CUDA run where its `where` and its
/// `can_execute` allow. It has none for other devices. An exception in it is a failure of the tile, which is tried
/// again and then recorded.
struct Operation {
  starpu_codelet* codelet;
  std::vector<std::string> data;
};

/// A stage may divide each tile into columns x rows parts of equal size. It then has an instance for each part, called
/// "name.1", "name.2" and so on, row by row, which several processes may run. Its operations see their part as a tile:
/// pixels are those of the part and its halo, and each part writes data of its own. A stage of the same parts that
/// reads these data gets those of its part. A stage of one part *joins* them: it waits for all parts. A matrix then has
/// the pixels of the tile's region, each from the part that it lies in; a vector has the elements of all parts, in
/// their order. Source: hybrid-pipelines-2012, section III-A and Figure 3 (A.1 and A.2 to B.1).
struct Parts {
  int columns = 1, rows = 1;
};

/// The unit that is handed out to a process, for one tile or a part of it. It waits for the stages whose data it reads.
struct Stage {
  std::string name;
  std::vector<Operation> operations;  // in an order in which data are written before they are read
  Parts parts = {};
};

/// The content of a tile's row of results.csv: data of doubles, an element a column. Written in the last stage, which
/// has no parts.
struct Result {
  std::string data;
  std::vector<std::string> columns;
};

struct Pipeline {
  std::string name, version;  // --resume needs the same
  Split split;
  std::vector<Data> data;
  std::vector<Stage> stages;
  Result result;
};

/// cl_arg of every task points to one. Pixels of the slide at the working resolution; the region is read. At the border
/// of the slide a part may have a width or a height of 0 (the tile has fewer pixels than parts); its region has pixels.
struct Tile {
  std::int64_t index;
  std::int64_t x, y, width, height;                              // the tile itself, or the part of it
  std::int64_t region_x, region_y, region_width, region_height;  // with its halo
  std::int64_t part = 0;                                         // 1, 2 and so on in stages that have parts
};

/// Of this file: a module and the command must agree in it.
inline constexpr int kInterface = 2;

}  // namespace starpath::declare

/// Once in a module: `function` takes nothing and returns a declare::Pipeline.
#define STARPATH_PIPELINE(function)                                                        \
  extern "C" int starpath_pipeline_interface() { return ::starpath::declare::kInterface; } \
  extern "C" void starpath_declare_pipeline(::starpath::declare::Pipeline* pipeline) { *pipeline = function(); }

#endif
