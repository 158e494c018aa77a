#include "loops/wavefront.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

namespace starpath::loops {
namespace {

std::size_t magnitude(int value) { return static_cast<std::size_t>(std::llabs(value)); }

bool by_rows(const Dependency& d) { return d.rows > 0 || (d.rows == 0 && d.columns > 0); }
bool by_columns(const Dependency& d) { return d.columns > 0 || (d.columns == 0 && d.rows > 0); }

}  // namespace

Wavefront::Wavefront(WavefrontSetup setup) : setup_(std::move(setup)) {
  check();
  for (std::size_t column = 0; column < setup_.columns; column += std::min(setup_.stride, setup_.columns - column)) {
    Stride& stride = strides_.emplace_back();
    stride.column = column;
    stride.columns = std::min(setup_.stride, setup_.columns - column);
    stride.cap = setup_.rows;
  }
  allows_lanes_ =
      std::ranges::all_of(setup_.dependencies, [](const Dependency& d) { return by_rows(d) && d.columns >= 0; });
  for (const Dependency& d : setup_.dependencies)
    reach_ = std::max(reach_, std::min(strides_.size(), magnitude(d.columns) / setup_.stride + 1));
  left_ = unfinished_ = setup_.rows * setup_.columns;
  for (std::size_t i = 0; i < strides_.size(); ++i) update(i);
}

void Wavefront::check() const {
  if (setup_.stride == 0) throw std::invalid_argument("a stride of a wavefront is one column wide at least");
  if (setup_.rows != 0 && setup_.columns > (std::size_t{1} << 62) / setup_.rows)
    throw std::invalid_argument("a loop has at most 2^62 iterations");
  const auto& vectors = setup_.dependencies;
  if (std::ranges::all_of(vectors, by_rows)) return;
  if (!std::ranges::all_of(vectors, by_columns))
    throw std::invalid_argument(
        "these dependency vectors allow no order of the iterations, neither by rows nor by columns: skew the loop");
  for (const Dependency& d : vectors)
    if (d.rows < 0 && magnitude(d.columns) < setup_.stride)
      throw std::invalid_argument("a dependency on a later row reaches " + std::to_string(d.columns) +
                                  " column(s) back, which is less than a stride: make strides that narrow");
}

// Rows from the top of strides first ... last - 1, all at the same row, that this dependency alone would allow to be
// taken as one tile.
std::size_t Wavefront::limit(std::size_t first, std::size_t last, const Dependency& d) const {
  const Stride& leftmost = strides_[first];
  const auto stride = static_cast<long long>(setup_.stride);
  const long long first_column = static_cast<long long>(leftmost.column) - d.columns;
  const long long last_column =
      static_cast<long long>(strides_[last - 1].column + strides_[last - 1].columns) - d.columns - 1;
  std::size_t limit = setup_.rows;
  if (last_column < 0 || first_column >= static_cast<long long>(setup_.columns)) return limit;
  const auto from = static_cast<std::size_t>(std::max(0LL, first_column) / stride);
  const auto to = std::min(static_cast<std::size_t>(last_column / stride), strides_.size() - 1);
  for (std::size_t i = from; i <= to; ++i) {
    // Within a tile the rows run in order: only rows of tiles that are still running matter.
    if (first <= i && i < last && (d.rows == 0 || leftmost.taken == strides_[i].done)) continue;
    const std::size_t done = strides_[i].done;
    if (done == setup_.rows) continue;
    const std::size_t rows = magnitude(d.rows);
    limit = std::min(limit, d.rows >= 0 ? done + rows : done - std::min(done, rows));
  }
  return limit;
}

std::size_t Wavefront::allowed(std::size_t first, std::size_t last) const {
  std::size_t most = setup_.rows;
  for (const Dependency& d : setup_.dependencies) most = std::min(most, limit(first, last, d));
  return most;
}

void Wavefront::update(std::size_t index) {
  Stride& stride = strides_[index];
  const std::size_t most = std::min(stride.cap, allowed(index, index + 1));
  const std::size_t ready = most - std::min(most, stride.taken);
  ready_ = ready_ - stride.ready * stride.columns + ready * stride.columns;
  stride.ready = ready;
  if (ready > 0)
    ready_set_.insert(index);
  else
    ready_set_.erase(index);
}

// Updates these strides, and the strides that depend on them.
void Wavefront::update_all(std::size_t first, std::size_t last) {
  last = std::min(strides_.size(), last + reach_);
  for (std::size_t i = first - std::min(first, reach_); i < last; ++i) update(i);
}

std::size_t Wavefront::choose(std::size_t iterations) const {
  struct Candidate {
    std::size_t index = 0, ready = 0;
    bool urgent = false, large = false;
    double before = 0;  // tiles on the way from the first one, in rows
  };
  const double rows_a_tile = std::max(1.0, static_cast<double>(iterations) / static_cast<double>(setup_.stride));
  const auto goes_before = [](const Candidate& a, const Candidate& b) {
    if (a.urgent != b.urgent) return a.urgent;
    if (a.large != b.large) return a.large;
    return a.large ? a.before < b.before : a.ready > b.ready;
  };
  std::optional<Candidate> best;
  for (const std::size_t i : ready_set_) {
    const Stride& stride = strides_[i];
    const std::size_t ready = stride.ready * stride.columns;
    const Candidate next{i, ready, stride.cap < setup_.rows, ready >= iterations,
                         static_cast<double>(stride.taken) + static_cast<double>(i) * rows_a_tile};
    if (!best || goes_before(next, *best)) best = next;
  }
  return best->index;
}

std::size_t Wavefront::largest() const {
  std::size_t most = 0;
  for (const std::size_t i : ready_set_) most = std::max(most, strides_[i].ready * strides_[i].columns);
  for (const Tile& tile : returned_) most = std::max(most, tile.iterations());
  return most;
}

Tile Wavefront::take(std::size_t iterations) {
  if (!returned_.empty()) {
    const Tile tile = returned_.back();
    returned_.pop_back();
    left_ -= tile.iterations();
    ready_ -= tile.iterations();
    return tile;
  }
  if (ready_set_.empty()) return {};
  const std::size_t index = choose(iterations);
  Stride& stride = strides_[index];
  const Tile tile{stride.taken, std::clamp<std::size_t>(iterations / stride.columns, 1, stride.ready), stride.column,
                  stride.columns};
  stride.taken += tile.rows;
  left_ -= tile.iterations();
  update(index);
  return tile;
}

Lane Wavefront::lane(unsigned owner) const {
  const auto found = lanes_.find(owner);
  return found == lanes_.end() ? Lane{} : found->second;
}

void Wavefront::set_lane(unsigned owner, std::size_t first, std::size_t last) {
  drop_lane(owner);
  Lane& range = lanes_[owner] = {first, last, 0};
  for (std::size_t i = first; i < last; ++i) range.row = std::max(range.row, strides_[i].taken);
  for (std::size_t i = first; i < last; ++i) strides_[i].cap = range.row;
  update_all(first, last);
}

void Wavefront::drop_lane(unsigned owner) {
  const Lane old = lane(owner);
  if (!old) return;
  for (std::size_t i = old.first; i < old.last; ++i) strides_[i].cap = setup_.rows;
  lanes_.erase(owner);
  update_all(old.first, old.last);
}

void Wavefront::drop_lanes() {
  while (!lanes_.empty()) drop_lane(lanes_.begin()->first);
}

std::size_t Wavefront::first_free() const {
  std::size_t first = 0;
  for (const auto& [owner, range] : lanes_) first = std::max(first, range.last);
  while (first < strides_.size() && strides_[first].taken == setup_.rows) ++first;
  return first;
}

std::size_t Wavefront::lane_ready(unsigned owner) const {
  const Lane range = lane(owner);
  for (std::size_t i = range.first; i < range.last; ++i)
    if (strides_[i].taken != range.row || strides_[i].done != range.row) return 0;
  return range ? allowed(range.first, range.last) - range.row : 0;
}

Tile Wavefront::take_lane(unsigned owner, std::size_t rows) {
  Lane& range = lanes_.at(owner);
  Tile tile{range.row, rows, strides_[range.first].column, 0};
  range.row += rows;
  for (std::size_t i = range.first; i < range.last; ++i) {
    strides_[i].taken = strides_[i].cap = range.row;
    tile.columns += strides_[i].columns;
  }
  left_ -= tile.iterations();
  update_all(range.first, range.last);
  return tile;
}

void Wavefront::finish(const Tile& tile) {
  unfinished_ -= tile.iterations();
  const std::size_t first = tile.column / setup_.stride;
  std::size_t last = first;
  for (; last < strides_.size() && strides_[last].column < tile.column + tile.columns; ++last) {
    Stride& stride = strides_[last];
    stride.later[tile.row] = tile.row + tile.rows;
    while (!stride.later.empty() && stride.later.begin()->first == stride.done) {
      stride.done = stride.later.begin()->second;
      stride.later.erase(stride.later.begin());
    }
  }
  update_all(first, last);
}

void Wavefront::give_back(const Tile& tile) {
  if (!tile) return;
  returned_.push_back(tile);
  left_ += tile.iterations();
  ready_ += tile.iterations();
}

}  // namespace starpath::loops
