// How much of each tile is dark, and how red the dark pixels are. The first stage works on halves of a tile, which two
// processes may do. The second joins what they found.
//   eval c++ -std=c++20 -shared -fPIC dark_tissue.cpp -o dark_tissue.so "$(pkg-config --cflags starpath starpu-1.4)"
//   starpath workflow ./dark_tissue.so slide.svs --out results
#include <starpath/workflow.hpp>

using namespace starpath::declare;

namespace {

struct Pixel {
  std::uint8_t red, green, blue;
};

// Matrices are as wide and high as the tile's region; a row begins LD elements after the one before.
template <class Element>
Element* row(void* matrix, std::uint32_t y) {
  return reinterpret_cast<Element*>(STARPU_MATRIX_GET_PTR(matrix)) + y * STARPU_MATRIX_GET_LD(matrix);
}

void find_dark(void* buffers[], void*) {  // pixels, dark
  for (std::uint32_t y = 0; y < STARPU_MATRIX_GET_NY(buffers[0]); ++y)
    for (std::uint32_t x = 0; x < STARPU_MATRIX_GET_NX(buffers[0]); ++x) {
      const Pixel pixel = row<Pixel>(buffers[0], y)[x];
      row<std::uint8_t>(buffers[1], y)[x] = pixel.red + pixel.green + pixel.blue < 450;
    }
}

void measure(void* buffers[], void* argument) {  // pixels, dark, numbers
  const Tile& tile = *static_cast<const Tile*>(argument);
  double dark = 0, red = 0;
  for (std::int64_t y = tile.y - tile.region_y; y < tile.y - tile.region_y + tile.height; ++y)
    for (std::int64_t x = tile.x - tile.region_x; x < tile.x - tile.region_x + tile.width; ++x) {
      if (row<std::uint8_t>(buffers[1], static_cast<std::uint32_t>(y))[x] == 0) continue;
      dark += 1;
      red += row<Pixel>(buffers[0], static_cast<std::uint32_t>(y))[x].red;
    }
  auto* numbers = reinterpret_cast<double*>(STARPU_VECTOR_GET_PTR(buffers[2]));
  numbers[0] = dark / static_cast<double>(tile.width * tile.height);
  numbers[1] = dark > 0 ? red / dark : 0;
}

Pipeline dark_tissue() {
  static starpu_codelet find = {}, measuring = {};
  find.name = "find_dark";
  find.cpu_funcs[0] = find_dark;
  find.nbuffers = 2;
  find.modes[0] = STARPU_R;
  find.modes[1] = STARPU_W;
  measuring.name = "measure_dark";
  measuring.cpu_funcs[0] = measure;
  measuring.nbuffers = 3;
  measuring.modes[0] = measuring.modes[1] = STARPU_R;
  measuring.modes[2] = STARPU_W;
  return {.name = "dark tissue",
          .version = "1",
          .split = {.side = 256, .halo = 0, .mpp = 0.5},
          .data = {{"dark", 1}, {"numbers", sizeof(double), 2}},
          .stages = {{"find", {{&find, {kPixels, "dark"}}}, {.columns = 2}},
                     {"measure", {{&measuring, {kPixels, "dark", "numbers"}}}}},
          .result = {"numbers", {"dark_share", "red_of_dark"}}};
}

}  // namespace

STARPATH_PIPELINE(dark_tissue)
