// Loops over two dimensions whose iterations depend on earlier ones. Says which rows may run now in each stride.
#pragma once
#include <cstddef>
#include <map>
#include <set>
#include <vector>

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

/// Rows of one stride, or of neighbouring ones in a lane, run by one processor: row by row, each from left to right.
struct Tile {
  std::size_t row = 0, rows = 0;
  std::size_t column = 0, columns = 0;

  std::size_t iterations() const { return rows * columns; }
  explicit operator bool() const { return iterations() != 0; }
  bool operator==(const Tile&) const = default;
};

/// Neighbouring strides that one processor, the lane's owner, takes from `row` on in tiles as wide as the lane. Lanes
/// are for accelerators, which are slow on tiles of one stride.
struct Lane {
  std::size_t first = 0, last = 0;  ///< strides first ... last - 1; none: no lane
  std::size_t row = 0;              ///< where its next tile begins

  std::size_t strides() const { return last - first; }
  explicit operator bool() const { return last > first; }
  bool operator==(const Lane&) const = default;
};

/// The state of a wavefront: each stride is taken from top to bottom, as far as the iterations that it needs have
/// finished. Time a call for given dependencies: at most linear in the strides that have something ready. Not
/// thread-safe. Source: hdss-2013 section 3.3.
class Wavefront {
 public:
  /// Dependencies allow an order by rows if each points to an earlier row, or to an earlier column of the same row.
  /// They allow an order by columns if the same holds with rows and columns exchanged. Throws std::invalid_argument
  /// - when they allow neither order;
  /// - when one that points to a later row of an earlier column is narrower than a stride;
  /// - when the stride is 0, or the loop has more than 2^62 iterations.
  explicit Wavefront(WavefrontSetup setup);

  /// Iterations that are not taken, and the ones among them that may be taken now.
  std::size_t left() const { return left_; }
  const WavefrontSetup& setup() const { return setup_; }
  std::size_t ready() const { return ready_; }
  /// Whether every iteration has finished.
  bool done() const { return unfinished_ == 0; }

  /// Takes rows of one stride: as many as fit into `iterations`, but at least one. No tile when nothing is ready. The
  /// stride is chosen in this order:
  /// 1. one that a lane waits for;
  /// 2. one with `iterations` ready, and among these the one nearest to the first tile;
  /// 3. the one with the most ready.
  Tile take(std::size_t iterations);
  /// Iterations of the largest tile that take() could give.
  std::size_t largest() const;

  /// Whether lanes are possible: every iteration must depend on earlier rows, and on no later column.
  bool allows_lanes() const { return allows_lanes_; }
  /// The owner's lane, if it has one.
  Lane lane(unsigned owner) const;
  /// Replaces the owner's lane by one of these strides. It begins at the first row that none of them has passed. The
  /// strides must be in no other lane.
  void set_lane(unsigned owner, std::size_t first, std::size_t last);
  void drop_lane(unsigned owner);
  void drop_lanes();
  /// The first stride behind all lanes in which something is left; past the last one when there is none.
  std::size_t first_free() const;
  std::size_t strides() const { return strides_.size(); }
  /// Rows of a stride that are taken.
  std::size_t taken(std::size_t stride) const { return strides_[stride].taken; }
  /// Rows of the lane's next tile that may be taken now; 0 while its strides are not all at its row.
  std::size_t lane_ready(unsigned owner) const;
  /// Takes so many of them, which must be ready and at least one.
  Tile take_lane(unsigned owner, std::size_t rows);
  /// The tile has run; tiles that depend on it may become ready.
  void finish(const Tile& tile);
  /// The tile was taken but not run.
  void give_back(const Tile& tile);

 private:
  struct Stride {
    std::size_t column = 0, columns = 0;
    std::size_t taken = 0;                     // rows from the top
    std::size_t done = 0;                      // rows from the top
    std::size_t ready = 0;                     // rows after `taken`
    std::size_t cap = 0;                       // rows that are in no lane
    std::map<std::size_t, std::size_t> later;  // finished rows below `done`: begin -> end
  };

  void check() const;
  std::size_t limit(std::size_t first, std::size_t last, const Dependency& dependency) const;
  std::size_t allowed(std::size_t first, std::size_t last) const;
  void update(std::size_t stride);
  void update_all(std::size_t first, std::size_t last);
  std::size_t choose(std::size_t iterations) const;

  WavefrontSetup setup_;
  std::vector<Stride> strides_;
  std::set<std::size_t> ready_set_;
  std::vector<Tile> returned_;
  std::map<unsigned, Lane> lanes_;  // by owner
  bool allows_lanes_ = false;
  std::size_t left_ = 0;
  std::size_t ready_ = 0;
  std::size_t unfinished_ = 0;
  std::size_t reach_ = 0;  // strides to either side that a finished tile may make ready
};

}  // namespace starpath::loops
