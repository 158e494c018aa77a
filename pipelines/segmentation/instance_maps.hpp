// Maps of a slide that others made, as tiles of the working grid need them.
#pragma once
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/pure/rect.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/star_candidates.hpp"
#include "io/maps/map_image.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/networks/scored_network.hpp"
#include "pipelines/segmentation/detection.hpp"
#include "pipelines/segmentation/instance_labels.hpp"

namespace starpath {

/// What maps hold: numbers of instances; how sure it is that a pixel is of a nucleus, and of its inside; as HoVer-Net
/// has it, the first and the horizontal and vertical distances from the middle of the nucleus; or, as StarDist has it,
/// for each point of a grid the first and the distances to the outline in some directions.
enum class MapKind : std::uint8_t { labels, probability, hover, stardist };

/// How a run with such maps finds its nuclei.
constexpr Detection detection_by(MapKind kind) {
  return kind == MapKind::labels || kind == MapKind::stardist ? Detection::labels : Detection::scores;
}

/// What a user says of maps of StarDist.
struct StarsAsked {
  int grid = 0;  ///< pixels of the network's input from point to point; 0: not said
  double probability = kStarProbability, overlap = kStarOverlap;
};

/// What a user says of maps.
struct MapsAsked {
  std::vector<std::string> paths;  ///< files or folders, of which the channels follow each other
  MapKind kind = MapKind::labels;
  double mpp = 0;                  ///< of the maps; 0: their size tells
  bool numbers_of_pieces = false;  ///< labels: a number means something within its piece only
  bool may_lack_pieces = false;    ///< where no piece lies, there are no nuclei
  StarsAsked stars = {};           ///< stardist
};

/// How far apart the pixels of a map are, from its size. Where the map has one point for several pixels of an image, as
/// of StarDist, these are the image's.
struct MapScale {
  double level0;       // pixels of the slide's level 0 to a pixel of the map
  double working;      // pixels of the map to a working pixel
  io::MapSize size{};  // of the whole map, in points
};

/// Throws Error{input} or Error{usage} with the numbers: a map of `size` pixels has the size of no level of the slide,
/// nor of the working grid, and `mpp` (um a pixel; 0: not said) does not explain it. `slide_mpp`: of level 0. With
/// `may_be_smaller` an mpp that was said needs no size that fits. The map has a point for each `step` x `step` pixels
/// of an image, and begun ones; sizes and mpp are those of the image.
MapScale scale_of_map(const std::string& path, const io::MapSize& size, double mpp, bool may_be_smaller,
                      double slide_mpp, const io::WorkingSlide& grid, int step = 1);

/// Values do not depend on how regions are cut. Thread-safe.
class InstanceMaps {
 public:
  /// Throws Error{input} for maps that cannot be of the slide, naming the numbers: another size, too few or too many
  /// channels, pieces that are missing, numbers of another type.
  InstanceMaps(const MapsAsked& asked, double slide_mpp, const io::WorkingSlide& grid);

  /// Scores of 0..255, of nuclei and of their inside (of `hover` by distance_scores()), for the region at (x, y) of the
  /// working grid: whole numbers as they are, shares of one times 255. Where the map has another scale, the mean of its
  /// pixels, or between them (io::make_taps). A map of one channel is both. Throws Error{input}: as io::MapImage::read,
  /// and for a value that is none, with its place.
  void read_scores(std::int64_t x, std::int64_t y, View<std::uint8_t> nucleus, View<std::uint8_t> core) const;

  /// The instances of a region, as label_instances() numbers them. Where the map has another scale, a working pixel has
  /// the number of the map's pixel that holds its centre. Of `stardist` by star_polygons(), for whose sake points
  /// around the region are read. Throws as read_scores, and for a distance beyond longest_ray(limits.longest).
  std::int32_t read_labels(std::int64_t x, std::int64_t y, const InstanceLimits& limits,
                           View<std::int32_t> labels) const;

  /// What of the maps decides the results: part of what identifies a run.
  nlohmann::json identity() const;
  /// A line for people: what was taken for what.
  std::string description() const;
  /// What makes results doubtful, a line each: chunks of Zarr that are not there, unless pieces may be missing.
  std::vector<std::string> warnings() const;

 private:
  struct Channel {
    const io::MapImage* image;
    int number;
    double unit;  // that is multiplied to a score
    bool is_distance;
  };
  /// A value that is none, at a pixel of the map.
  [[noreturn]] static void refuse_value(const Channel& channel, double value, std::int64_t x, std::int64_t y,
                                        const std::string& needed);
  void check_kind() const;
  void check_whole() const;
  void read_numbers(std::int64_t x, std::int64_t y, View<std::int32_t> numbers) const;
  void read_stars(std::int64_t x, std::int64_t y, int longest, View<std::int32_t> numbers) const;
  void read_candidates(const Rect& region, int longest, StarCandidates& candidates) const;
  void read_planes(std::size_t first, const io::MapBox& box, std::vector<double>& values) const;
  void read_pixels(std::int64_t x, std::int64_t y, View<Rgb> out) const;
  std::uint8_t level_of(const Channel& channel, double value, std::int64_t x, std::int64_t y) const;
  void read_channel(const Channel& channel, const io::MapBox& box, std::uint8_t Rgb::*colour,
                    std::vector<double>& values, View<Rgb> out) const;

  const MapKind kind_;
  const std::int64_t width_, height_;  // of the working grid
  const bool numbers_of_pieces_, may_lack_pieces_;
  const StarsAsked stars_;
  std::vector<std::unique_ptr<io::MapImage>> images_;
  std::vector<Channel> channels_;
  MapScale scale_{};
};

/// The longest side of an instance that tiles with this halo see whole wherever they are cut, with its surroundings.
int longest_instance(std::int64_t halo);

/// The same of polygons of a network: what decides about them lies in whole fields of what such tiles read.
int longest_star(std::int64_t halo, const NetworkDescription& network);

/// The halo that longest_star() allows instances of this size by.
std::int64_t halo_of_stars(int longest, const NetworkDescription& network);

}  // namespace starpath
