// Operation 9: the minimum spanning forest by Boruvka's algorithm. Every pixel first follows its own lightest edge, up
// the relief, as on the CPU (cpu/catchments.hpp); trees that end in no marker then take their lightest edges, all at
// once, until each has one.
#include <algorithm>

#include "codelets/cuda/union_find.hpp"
#include "codelets/kernels/watershed.hpp"

namespace starpath::cuda {
namespace {

/// Position in the total order of pixels: the deepest pixel first, raster order among equals.
using Order = unsigned long long;
constexpr Order kNoOrder = ~Order{0};

STARPATH_HD constexpr std::int32_t pixel_of(Order order) { return static_cast<std::int32_t>(order & 0xFFFFFFFFU); }

/// The relief and the forest that grows on it.
struct Forest {
  MaskView objects;
  View<const std::uint16_t> depth;
  std::int32_t* parent;            // of each pixel, -1 outside the objects
  const std::int32_t* plateau;     // first pixel of each pixel's plateau, -1 outside the objects
  const std::uint8_t* no_maximum;  // at a plateau's first pixel: it has a deeper neighbour
  Order *high, *low;               // at the root of a tree: the lightest edge out of it
  std::int32_t* hook;              // at the root of a tree: the tree that this edge leads to
  std::int32_t* open;              // pixels of trees that had no marker when the list was made
  std::int32_t* open_count;

  STARPATH_HD int width() const { return objects.width; }
  STARPATH_HD Order order(int x, int y) const {
    return static_cast<Order>(65535 - depth.at(x, y)) << 32 | static_cast<unsigned>(y * width() + x);
  }
  /// Whether the tree of this root holds a marker; its root is then the marker's first pixel.
  __device__ bool rooted(std::int32_t root) const { return no_maximum[plateau[root]] == 0; }

  /// Calls visit(x, y) for the neighbours of (x, y) in the objects.
  template <class Visit>
  STARPATH_HD void for_neighbours(int x, int y, Visit visit) const {
    for (int v = y - 1; v <= y + 1; ++v)
      for (int u = x - 1; u <= x + 1; ++u)
        if ((u != x || v != y) && objects.contains(u, v) && objects.at(u, v) != 0) visit(u, v);
  }

  /// Where pixel (x, y) points at first.
  __device__ std::int32_t first_parent(int x, int y) const {
    const std::int32_t index = y * width() + x;
    if (plateau[index] < 0) return -1;
    if (rooted(index)) return plateau[index];
    Order best = order(x, y);
    for_neighbours(x, y, [&](int u, int v) {
      const Order other = order(u, v);
      best = other < best ? other : best;
    });
    return pixel_of(best);
  }

  /// Calls visit(later end, earlier end) for the edges of open pixel p that leave its tree, if that has no marker.
  template <class Visit>
  __device__ void for_open_edges(std::int32_t p, Visit visit) const {
    const std::int32_t root = parent[p];
    if (rooted(root)) return;
    const int x = p % width(), y = p / width();
    const Order here = order(x, y);
    for_neighbours(x, y, [&](int u, int v) {
      if (parent[v * width() + u] == root) return;
      const Order other = order(u, v);
      visit(root, here > other ? here : other, here > other ? other : here);
    });
  }

  // A round, step by step; between two steps all open pixels have to be done. Roots are flat at its beginning.
  __device__ void begin(std::int32_t p) const { high[p] = low[p] = kNoOrder; }
  __device__ void find_high(std::int32_t p) const {
    for_open_edges(p, [&](std::int32_t root, Order h, Order) { atomicMin(&high[root], h); });
  }
  __device__ void find_low(std::int32_t p) const {
    for_open_edges(p, [&](std::int32_t root, Order h, Order l) {
      if (h == load_shared_with_others(&high[root])) atomicMin(&low[root], l);
    });
  }
  __device__ void find_hook(std::int32_t p) const {
    if (parent[p] != p || rooted(p)) return;
    const std::int32_t a = parent[pixel_of(high[p])], b = parent[pixel_of(low[p])];
    const std::int32_t other = a == p ? b : a;
    // Two trees that chose the same edge: one of them stays a root.
    const bool mutual = !rooted(other) && high[other] == high[p] && low[other] == low[p];
    hook[p] = mutual && p < other ? p : other;
  }
  __device__ void join(std::int32_t p) const {
    if (parent[p] == p && !rooted(p)) parent[p] = hook[p];
  }
  __device__ void flatten(std::int32_t p) const { parent[p] = find_root(parent, p); }
};

/// Equal depth within the objects.
struct Levels {
  MaskView objects;
  View<const std::uint16_t> depth;
  STARPATH_HD int operator()(int x, int y) const { return objects.at(x, y) != 0 ? depth.at(x, y) : -1; }
};

constexpr int kListThreads = 256, kMaxListBlocks = 528;

/// One step of a round for all open pixels.
template <class Step>
__global__ void open_kernel(Forest forest, Step step) {
  const std::int32_t count = *forest.open_count;
  const auto stride = static_cast<std::int32_t>(gridDim.x * blockDim.x);
  for (auto i = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += stride)
    step(forest, forest.open[i]);
}

constexpr int kFinishThreads = 1024;

/// Rounds of one block until no tree is open.
__global__ void __launch_bounds__(kFinishThreads) finish_kernel(Forest forest) {
  const std::int32_t count = *forest.open_count;
  const auto for_open = [&](auto step) {
    for (auto i = static_cast<std::int32_t>(threadIdx.x); i < count; i += kFinishThreads) step(forest.open[i]);
  };
  while (true) {
    bool open = false;
    for_open([&](std::int32_t p) { open = open || !forest.rooted(forest.parent[p]); });
    if (__syncthreads_or(open) == 0) return;
    for_open([&](std::int32_t p) { forest.begin(p); });
    __syncthreads();
    for_open([&](std::int32_t p) { forest.find_high(p); });
    __syncthreads();
    for_open([&](std::int32_t p) { forest.find_low(p); });
    __syncthreads();
    for_open([&](std::int32_t p) { forest.find_hook(p); });
    __syncthreads();
    for_open([&](std::int32_t p) { forest.join(p); });
    __syncthreads();
    for_open([&](std::int32_t p) { forest.flatten(p); });
    __syncthreads();
  }
}

constexpr int kGridRounds = 3;  // of the whole grid: each leaves half the open trees at most

}  // namespace

/// Lists the pixels of open trees.
static void list_open(const KernelContext& context, const Forest& forest) {
  const std::int64_t pixels = forest.objects.pixels();
  for_items(context, "clear list", 1, [=] __device__(std::int64_t) { *forest.open_count = 0; });
  for_items(context, "list open pixels", pixels, [=] __device__(std::int64_t i) {
    if (forest.parent[i] >= 0 && !forest.rooted(forest.parent[i]))
      forest.open[atomicAdd(forest.open_count, 1)] = static_cast<std::int32_t>(i);
  });
}

template <class Step>
static void for_open(const KernelContext& context, const char* name, const Forest& forest, Step step) {
  const unsigned blocks = std::min<unsigned>(kMaxListBlocks, parts_of(forest.objects.pixels(), kListThreads));
  launch(context, name, dim3(blocks), dim3(kListThreads), open_kernel<Step>, forest, step);
}

static void grow(const KernelContext& context, const Forest& forest) {
  list_open(context, forest);
  for (int round = 0; round < kGridRounds; ++round) {
    for_open(context, "begin round", forest, [] __device__(const Forest& f, std::int32_t p) { f.begin(p); });
    for_open(context, "find high", forest, [] __device__(const Forest& f, std::int32_t p) { f.find_high(p); });
    for_open(context, "find low", forest, [] __device__(const Forest& f, std::int32_t p) { f.find_low(p); });
    for_open(context, "find hooks", forest, [] __device__(const Forest& f, std::int32_t p) { f.find_hook(p); });
    for_open(context, "join trees", forest, [] __device__(const Forest& f, std::int32_t p) { f.join(p); });
    for_open(context, "flatten", forest, [] __device__(const Forest& f, std::int32_t p) { f.flatten(p); });
  }
  list_open(context, forest);
  launch(context, "finish forest", dim3(1), dim3(kFinishThreads), finish_kernel, forest);
}

void watershed(const KernelContext& context, MaskView objects, View<const std::uint16_t> depth,
               View<std::uint8_t> nuclei) {
  const Scratch::Mark mark(context.scratch);
  const int width = objects.width, height = objects.height;
  std::int32_t* const plateau = take_image<std::int32_t>(context, objects).data;
  find_components(context, width, height, Connectivity::eight, Levels{objects, depth}, plateau);
  std::uint8_t* const no_maximum = take_zeros<std::uint8_t>(context, objects);
  const Forest forest{objects,
                      depth,
                      take_image<std::int32_t>(context, objects).data,
                      plateau,
                      no_maximum,
                      take_image<Order>(context, objects).data,
                      take_image<Order>(context, objects).data,
                      take_image<std::int32_t>(context, objects).data,
                      take_image<std::int32_t>(context, objects).data,
                      context.scratch.take<std::int32_t>(1).data()};
  for_pixels(context, "find markers", width, height, [=] __device__(int x, int y) {
    const std::int32_t first = plateau[y * width + x];
    if (first < 0) return;
    forest.for_neighbours(x, y, [&](int u, int v) {
      if (depth.at(u, v) > depth.at(x, y)) no_maximum[first] = 1;
    });
  });
  std::int32_t* const parent = forest.parent;
  for_pixels(context, "point upwards", width, height,
             [=] __device__(int x, int y) { parent[y * width + x] = forest.first_parent(x, y); });
  point_to_roots(context, parent, objects.pixels());
  grow(context, forest);
  for_pixels(context, "watershed", width, height, [=] __device__(int x, int y) {
    const std::int32_t basin = parent[y * width + x];
    bool kept = basin >= 0;
    if (kept) forest.for_neighbours(x, y, [&](int u, int v) { kept = kept && parent[v * width + u] >= basin; });
    nuclei.at(x, y) = kept ? 255 : 0;
  });
}

}  // namespace starpath::cuda
