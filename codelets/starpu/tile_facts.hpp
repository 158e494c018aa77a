// What earlier operations counted in a tile: the times of later tasks depend on it.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <optional>

namespace starpath {

/// A number that one operation counts, and that is on the host when the tasks that declare it (declared_facts.hpp)
/// become ready. "Owner" is the only operation that sets it.
enum class Fact : unsigned char {
  pixels,         ///< of the tile, with its margin; owner: the job, before the first task
  level_pixels,   ///< of the tile's image at the level of NBIA's model that is looked at; owner: the same
  tissue_pixels,  ///< that are not glass; owner: the operation that reads the tile
  dark_pixels,    ///< as dark as nuclei; owner: the same
  dark_runs,      ///< stretches of dark pixels in rows; owner: the same
  objects,        ///< labelled; owner: the job, which fetches their number to size buffers
  nuclei,         ///< that are measured; owner: the operation that assigns roles
  patch_pixels,   ///< in the boxes of measured nuclei and a margin; owner: the same
};
inline constexpr std::size_t kFactCount = 8;

/// What a fact is called in profiles.
constexpr const char* name_of(Fact fact) {
  constexpr std::array<const char*, kFactCount> names = {"pixels",    "level_pixels", "tissue_pixels", "dark_pixels",
                                                         "dark_runs", "objects",      "nuclei",        "patch_pixels"};
  return names[static_cast<std::size_t>(fact)];
}

/// The facts of one tile. A fact that nobody has counted is not known, which is not 0. Thread-safe: a policy may ask
/// while an operation counts. A task that depends on that operation sees its facts, as StarPU orders the two tasks.
class TileFacts {
 public:
  void set(Fact fact, double value) { values_[static_cast<std::size_t>(fact)].store(value, std::memory_order_relaxed); }
  std::optional<double> known(Fact fact) const {
    const double value = values_[static_cast<std::size_t>(fact)].load(std::memory_order_relaxed);
    return value >= 0 ? std::optional(value) : std::nullopt;
  }

 private:
  static constexpr double kUnknown = -1;
  std::array<std::atomic<double>, kFactCount> values_ = {kUnknown, kUnknown, kUnknown, kUnknown,
                                                         kUnknown, kUnknown, kUnknown, kUnknown};
};

}  // namespace starpath
