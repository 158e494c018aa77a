// Masks as PNG files.
#pragma once
#include <filesystem>
#include <vector>

#include "base/atomic_file.hpp"
#include "io/exports/png_writer.hpp"

namespace starpath::test {

/// White where `inside(x, y)`, black elsewhere.
template <class Inside>
void write_mask(const std::filesystem::path& path, int width, int height, const Inside& inside) {
  std::vector<Rgb> pixels;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) pixels.push_back(inside(x, y) ? Rgb{255, 255, 255} : Rgb{0, 0, 0});
  AtomicFile file(path);
  io::PngWriter writer(file, width, height);
  writer.write({pixels.data(), width, height, width});
  writer.finish();
  file.commit();
}

}  // namespace starpath::test
