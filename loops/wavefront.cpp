#include "loops/wavefront.hpp"

#include <algorithm>
#include <cstdlib>
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
  }
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

// Rows from the top of the stride that this dependency alone would allow to be taken.
std::size_t Wavefront::limit(std::size_t index, const Dependency& d) const {
  const Stride& own = strides_[index];
  const auto stride = static_cast<long long>(setup_.stride);
  const long long first_column = static_cast<long long>(own.column) - d.columns;
  const long long last_column = first_column + static_cast<long long>(own.columns) - 1;
  std::size_t limit = setup_.rows;
  if (last_column < 0 || first_column >= static_cast<long long>(setup_.columns)) return limit;
  const auto first = static_cast<std::size_t>(std::max(0LL, first_column) / stride);
  const auto last = std::min(static_cast<std::size_t>(last_column / stride), strides_.size() - 1);
  for (std::size_t i = first; i <= last; ++i) {
    // Within a block the rows run in order: only rows of blocks that are still running matter.
    if (i == index && (d.rows == 0 || own.taken == own.done)) continue;
    const std::size_t done = strides_[i].done;
    if (done == setup_.rows) continue;
    const std::size_t rows = magnitude(d.rows);
    limit = std::min(limit, d.rows >= 0 ? done + rows : done - std::min(done, rows));
  }
  return limit;
}

void Wavefront::update(std::size_t index) {
  Stride& own = strides_[index];
  std::size_t most = setup_.rows;
  for (const Dependency& d : setup_.dependencies) most = std::min(most, limit(index, d));
  const std::size_t ready = most - std::min(most, own.taken);
  ready_ = ready_ - own.ready * own.columns + ready * own.columns;
  own.ready = ready;
  if (ready > 0)
    ready_set_.insert(index);
  else
    ready_set_.erase(index);
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
  // The first stride that is large enough, or else the largest: accelerators are slow on short tiles.
  std::size_t index = *ready_set_.begin();
  const auto ready_in = [&](std::size_t i) { return strides_[i].ready * strides_[i].columns; };
  for (const std::size_t i : ready_set_) {
    if (ready_in(index) >= iterations) break;
    if (ready_in(i) > ready_in(index)) index = i;
  }
  Stride& own = strides_[index];
  const Tile tile{own.taken, std::clamp<std::size_t>(iterations / own.columns, 1, own.ready), own.column, own.columns};
  own.taken += tile.rows;
  left_ -= tile.iterations();
  update(index);
  return tile;
}

void Wavefront::finish(const Tile& tile) {
  const std::size_t index = tile.column / setup_.stride;
  Stride& own = strides_[index];
  unfinished_ -= tile.iterations();
  own.later[tile.row] = tile.row + tile.rows;
  while (!own.later.empty() && own.later.begin()->first == own.done) {
    own.done = own.later.begin()->second;
    own.later.erase(own.later.begin());
  }
  const std::size_t last = std::min(strides_.size() - 1, index + reach_);
  for (std::size_t i = index - std::min(index, reach_); i <= last; ++i) update(i);
}

void Wavefront::give_back(const Tile& tile) {
  if (!tile) return;
  returned_.push_back(tile);
  left_ += tile.iterations();
  ready_ += tile.iterations();
}

WavefrontDispatcher::Answer WavefrontDispatcher::fetch_locked(unsigned processor, Tile& tile) {
  if (closed_ || wavefront_.done()) return Answer::end;
  const std::size_t ready = wavefront_.ready();
  if (ready == 0) return Answer::hold;
  tile = wavefront_.take(schedule_->size(processor, wavefront_.left(), ready));
  schedule_->taken(processor, tile.iterations());
  return Answer::tile;
}

WavefrontDispatcher::Answer WavefrontDispatcher::fetch(unsigned processor, Tile& tile) {
  const std::lock_guard lock(mutex_);
  return fetch_locked(processor, tile);
}

bool WavefrontDispatcher::fetch_wait(unsigned processor, Tile& tile) {
  std::unique_lock lock(mutex_);
  Answer answer = fetch_locked(processor, tile);
  while (answer == Answer::hold) {
    changed_.wait(lock);
    answer = fetch_locked(processor, tile);
  }
  return answer == Answer::tile;
}

void WavefrontDispatcher::finished(unsigned processor, const Tile& tile, double microseconds) {
  const std::lock_guard lock(mutex_);
  wavefront_.finish(tile);
  schedule_->finished(processor, tile.iterations(), microseconds);
  changed_.notify_all();
}

void WavefrontDispatcher::give_back(const Tile& tile) {
  const std::lock_guard lock(mutex_);
  schedule_->returned(tile.iterations());
  wavefront_.give_back(tile);
  changed_.notify_all();
}

void WavefrontDispatcher::retire(unsigned processor) {
  const std::lock_guard lock(mutex_);
  schedule_->retired(processor);
  changed_.notify_all();
}

void WavefrontDispatcher::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

std::size_t WavefrontDispatcher::left() const {
  const std::lock_guard lock(mutex_);
  return wavefront_.left();
}

}  // namespace starpath::loops
