// results.sqlite: the one file a run writes while it works. Transactions hold whole tiles, so a killed run
// loses nothing that was told to be finished. The schema is documented in docs/results.md.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/outlines/contour.hpp"
#include "io/results/nucleus_groups.hpp"

namespace starpath::io {

/// What must agree for two runs to be the same work. Stored at creation, compared on resume.
struct RunKey {
  std::string slide_fingerprint;
  std::string starpath_version;
  std::string parameters;  // canonical JSON of everything that changes results
};

/// What a reader of the results wants to know of the slide and the grid.
struct RunInfo {
  std::string slide_path;
  std::int64_t slide_width, slide_height;  // level-0 pixels
  double slide_mpp;                        // 0 when unknown
  std::int64_t width, height;              // working pixels
  double mpp;                              // of the working grid, 0 when unknown
  double scale;                            // level-0 pixels per working pixel
  std::int64_t roi_x, roi_y;               // what was analysed, working pixels;
  std::int64_t roi_width, roi_height;      // the whole grid when no region was asked for
  std::vector<std::string> feature_names;
  std::string mpp_source{};  // how the resolution is known (resolution.hpp); empty in results of 0.1.0
};

enum class TileState : int { done = 1, background = 2, failed = 3 };

struct TileRecord {
  std::int64_t index;                // row-major number of the tile
  std::int64_t x, y, width, height;  // core, working pixels
  TileState state;
  double read_seconds, compute_seconds;
  std::string error;        // empty unless failed
  std::int64_t tissue = 0;  // pixels of the core in cells that are not glass
};

/// What the tile that saw a nucleus says of it; the numbers are those of the column `role`.
enum class NucleusRole : int {
  none = 0,        // a neighbour's: never stored
  owned = 1,       // its centroid lies in the tile's core
  background = 2,  // likewise, but in a cell of glass: never accepted, kept so that a neighbour does not claim it
  candidate = 3,   // centroid just outside the core: accepted only if the neighbour has nothing there
};

/// One nucleus, in working pixels of the slide.
struct NucleusRecord {
  std::int64_t tile;
  std::int64_t first_x, first_y;  // first pixel in raster order
  std::int64_t x0, y0, x1, y1;    // bounding box, ends exclusive
  double centroid_x, centroid_y;  // of pixel centres: pixel (0, 0) has its centre at (0.5, 0.5)
  std::int32_t area;
  NucleusRole role;
  Contour contour;               // slide coordinates
  std::vector<double> features;  // as RunInfo::feature_names
  // Numbers from 1, of accepted nuclei only; 0: none.
  std::int32_t region = 0, cluster = 0;
  ClassOfNucleus classified = {};
};

class TileRows;

/// What a tile leaves behind.
struct TileResult {
  TileRecord tile;
  std::vector<NucleusRecord> nuclei;
  std::shared_ptr<const TileRows> rows{};  // of the nuclei in their order, finished; then they need no features
};

/// What is read of nuclei; the rest is empty or 0: it costs time where it is not wanted.
enum class NucleusParts {
  measures,  // bounding box, centroid and area
  places,    // and first pixel, tile and role
  all,       // and outline
};

/// Accepted nuclei from one to another, both included.
struct NucleusIds {
  std::int64_t first = 1, last = std::numeric_limits<std::int64_t>::max();
};

/// Gets each nucleus in turn; the record is valid during the call only.
using NucleusVisitor = std::function<void(std::int64_t id, const NucleusRecord&)>;

/// Not thread-safe. A store made by create() or resume() holds the file alone until it is destroyed; everybody else
/// gets Error{output} "in use". Every member throws Error{output} when the file cannot be written (full disk,
/// read-only, …) and Error{mismatch} when it turns out damaged: what was committed before stays. Once the store is
/// destroyed the one file at `path` is everything.
class ResultStore {
 public:
  /// Creates `path` (Error{output} if it exists) with this key and info. Killed in here, it leaves no file at `path`.
  static ResultStore create(const std::string& path, const RunKey& key, const RunInfo& info);
  /// Opens for continuing, after a kill too. Error{mismatch} naming what differs (slide, version or which parameter),
  /// or that the file is damaged or no results file; it is never changed in that case. Error{input} when there is none.
  /// Reads the whole file once.
  static ResultStore resume(const std::string& path, const RunKey& key);
  /// Opens for reading only. Errors as resume.
  static ResultStore open(const std::string& path);
  /// Another that reads the same file, for another thread. Of a store that open() made.
  ResultStore reader() const;
  ResultStore(ResultStore&&) noexcept;
  ResultStore& operator=(ResultStore&&) noexcept;
  ~ResultStore();

  RunKey key() const;
  /// Stores a text that belongs to the whole run, beside key and info, under a name of its own; one of that name before
  /// is replaced. It is written in the transaction of the next tiles or of accept(), at the latest when the store is
  /// destroyed: what was computed with it is never there without it, and a run waits for the disk once less. A failure
  /// at the end is not told.
  void keep(const std::string& name, const std::string& text);
  std::optional<std::string> kept(const std::string& name) const;
  RunInfo info() const;
  std::vector<TileRecord> tiles() const;  // by index
  /// All of them in one transaction, or ten in each. Replaces earlier records of the same tiles, and takes back
  /// accept(): no nucleus is accepted any more. Faster where a result has its rows.
  void commit(std::span<const TileResult> tiles);
  /// The same for one.
  void commit_tile(const TileRecord& tile, const std::vector<NucleusRecord>& nuclei);

  // The for_each members stream: memory does not grow with the number of nuclei. The order is the same whatever the
  // order in which tiles were committed. Features are empty unless asked for. The visitor may read from this store.

  /// Every nucleus in the order (first_y, first_x, tile), also those not accepted.
  void for_each_stored(bool with_features, const NucleusVisitor& visit_row_id) const;
  /// Where each of them lies, without outline, by row id: the order of tiles. Several times as fast.
  void for_each_stored_place(const NucleusVisitor& visit_row_id) const;
  /// These in turn. Error{mismatch} for one that is not stored.
  void for_each_stored_of(std::span<const std::int64_t> row_ids, const NucleusVisitor& visit_row_id) const;
  /// Two features of every stored nucleus, by row id; NaN where there is no number.
  void for_each_pair(const std::string& first, const std::string& second,
                     const std::function<void(std::int64_t row_id, double, double)>& visit) const;
  /// The final step: the accepted nuclei get ids 1..n in the order (first_y, first_x), in which they must come; all
  /// others lose theirs, and the run counts as finished. `regions`, if the run has any, says where each of them lies.
  /// Clusters and classes go, unless all is as it was. One transaction.
  void accept(const std::vector<std::int64_t>& row_ids_in_order, const NucleusRegions* regions = nullptr);
  /// The regions that the run was asked for; empty without.
  std::vector<RegionRecord> regions() const;
  /// The clusters that accepted nuclei were given; empty before.
  std::vector<ClusterRecord> clusters() const;
  /// Gives each accepted nucleus, in the order of ids, its cluster from 1, or none (0). One transaction.
  void put_clusters(const std::vector<ClusterRecord>& clusters, std::span<const std::uint8_t> of_nuclei);
  /// The classes that accepted nuclei were given; empty before.
  std::vector<ClassRecord> classes() const;
  /// Gives each accepted nucleus, in the order of ids, its class; the classes count theirs. One transaction.
  void put_classes(const std::vector<ClassRecord>& classes, std::span<const ClassOfNucleus> of_nuclei);
  /// Accepted nuclei by id.
  void for_each_nucleus(bool with_features, const NucleusVisitor& visit) const;
  /// The same; `features` of the record are those of these names, in this order. Error{mismatch} for one that the run
  /// does not have.
  void for_each_nucleus_with(const std::vector<std::string>& names, const NucleusVisitor& visit,
                             NucleusParts parts = NucleusParts::measures, NucleusIds ids = {}) const;
  /// Accepted nuclei whose bounding box meets rows [y0, y1), by id, without features.
  void for_each_nucleus_in_rows(std::int64_t y0, std::int64_t y1, const NucleusVisitor& visit) const;
  std::int64_t nucleus_count() const;  // accepted

 private:
  struct Impl;
  explicit ResultStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace starpath::io
