// Loops over two dimensions whose iterations depend on earlier ones: which rows of which stride may run now.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "loops/schedule.hpp"

namespace starpath::loops {

/// Iteration (i, j) needs iteration (i - rows, j - columns); outside of the loop there is nothing to need.
struct Dependency {
  int rows = 0;
  int columns = 0;
  bool operator==(const Dependency&) const = default;
};

struct WavefrontSetup {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;  ///< columns of a stride; the last may be narrower
  std::vector<Dependency> dependencies;
};

/// Rows of one stride, run by one processor: row by row, each from left to right.
struct Tile {
  std::size_t row = 0, rows = 0;
  std::size_t column = 0, columns = 0;

  std::size_t iterations() const { return rows * columns; }
  explicit operator bool() const { return iterations() != 0; }
  bool operator==(const Tile&) const = default;
};

/// The state of a wavefront: each stride is taken from top to bottom, as far as what it needs has finished. Time a call
/// for given dependencies: at most linear in the strides that have something ready. Not thread-safe. Source: hdss-2013
/// section 3.3.
class Wavefront {
 public:
  /// Throws std::invalid_argument when the vectors allow no order by rows or by columns (they must all point to earlier
  /// rows or, in the same row, to earlier columns; or the same with rows and columns exchanged), when one that points
  /// to a later row of an earlier column is narrower than a stride, when the stride is 0 or the loop has more than 2^62
  /// iterations.
  explicit Wavefront(WavefrontSetup setup);

  /// Iterations that are not taken, and of those the ones that may be taken now.
  std::size_t left() const { return left_; }
  std::size_t ready() const { return ready_; }
  /// Whether every iteration has finished.
  bool done() const { return unfinished_ == 0; }

  /// Takes as many rows as fit into `iterations`, but one at least, of the first stride in which so many are ready, or
  /// else of the one with the most. No tile when none is ready.
  Tile take(std::size_t iterations);
  /// The tile has run; what depends on it may become ready.
  void finish(const Tile& tile);
  /// The tile was taken but not run.
  void give_back(const Tile& tile);

 private:
  struct Stride {
    std::size_t column = 0, columns = 0;
    std::size_t taken = 0;                     // rows from the top
    std::size_t done = 0;                      // rows from the top
    std::size_t ready = 0;                     // rows after `taken`
    std::map<std::size_t, std::size_t> later;  // finished rows below `done`: begin -> end
  };

  void check() const;
  std::size_t limit(std::size_t stride, const Dependency& dependency) const;
  void update(std::size_t stride);

  WavefrontSetup setup_;
  std::vector<Stride> strides_;
  std::set<std::size_t> ready_set_;
  std::vector<Tile> returned_;
  std::size_t left_ = 0;
  std::size_t ready_ = 0;
  std::size_t unfinished_ = 0;
  std::size_t reach_ = 0;  // strides to either side that a finished tile may make ready
};

/// Hands out the tiles of a wavefront. Thread-safe under the rule of Dispatcher.
class WavefrontDispatcher {
 public:
  WavefrontDispatcher(WavefrontSetup setup, std::unique_ptr<Schedule> schedule)
      : wavefront_(std::move(setup)), schedule_(std::move(schedule)) {}

  enum class Answer { tile, hold, end };

  /// A tile to run; or `hold` while nothing is ready for this processor but something may become so; or `end`.
  Answer fetch(unsigned processor, Tile& tile);

  /// The same, waiting instead of holding. False at the end.
  bool fetch_wait(unsigned processor, Tile& tile);

  /// The tile has run in that time. Releases processors on hold.
  void finished(unsigned processor, const Tile& tile, double microseconds);

  /// The tile was fetched but not run.
  void give_back(const Tile& tile);
  void retire(unsigned processor);
  /// From now on everybody gets `end`.
  void close();

  std::size_t left() const;

 private:
  Answer fetch_locked(unsigned processor, Tile& tile);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Wavefront wavefront_;
  std::unique_ptr<Schedule> schedule_;
  bool closed_ = false;
};

}  // namespace starpath::loops
