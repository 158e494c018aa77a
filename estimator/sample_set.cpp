// A bounded set of samples: reservoir and nearest-neighbour search.
#include "estimator/sample_set.hpp"

#include <algorithm>
#include <limits>

namespace starpath {
namespace {

constexpr std::size_t kMaxNeighbours = 64;
constexpr std::size_t kBlock = 64;  // rows whose distances are computed together; a multiple of any vector width

float scaled(double value, double scale) { return scale > 0 ? static_cast<float>(value / scale) : 0.0F; }

/// The k nearest rows seen so far, nearest first; rows arrive in ascending order, so equal distances keep the earlier.
class Nearest {
 public:
  explicit Nearest(std::size_t k) : k_(k) {}

  float worst() const { return count_ < k_ ? std::numeric_limits<float>::infinity() : distances_[k_ - 1]; }

  void offer(float distance, std::size_t row) {
    std::size_t at = count_ < k_ ? count_++ : k_ - 1;
    for (; at > 0 && distances_[at - 1] > distance; --at) {
      distances_[at] = distances_[at - 1];
      rows_[at] = rows_[at - 1];
    }
    distances_[at] = distance;
    rows_[at] = row;
  }

  std::span<const std::size_t> rows() const { return std::span(rows_).first(count_); }

 private:
  std::size_t k_;
  std::size_t count_ = 0;
  std::array<float, kMaxNeighbours> distances_{};
  std::array<std::size_t, kMaxNeighbours> rows_{};
};

}  // namespace

void SampleSet::add(const Features& features, double seconds, const Scale& scale) {
  ++offered_;
  dimensions_ = std::max<std::size_t>(dimensions_, features.numeric_count);
  categories_ = std::max<std::size_t>(categories_, features.categorical_count);
  if (samples_.size() < capacity_) {
    samples_.push_back({features, seconds});
    // Columns are whole blocks, so that the search needs no loop over a rest.
    const std::size_t rows = (samples_.size() + kBlock - 1) / kBlock * kBlock;
    for (auto& column : columns_) column.resize(rows);
    place(samples_.size() - 1, scale);
    return;
  }
  state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
  const std::uint64_t row = (state_ >> 11) % offered_;
  if (row >= capacity_) return;
  samples_[row] = {features, seconds};
  place(row, scale);
}

void SampleSet::place(std::size_t row, const Scale& scale) {
  for (std::size_t d = 0; d < Features::kMaxNumeric; ++d) {
    columns_[d][row] = scaled(samples_[row].features.numeric[d], scale[d]);
  }
}

void SampleSet::rescale(const Scale& scale) {
  for (std::size_t row = 0; row < samples_.size(); ++row) place(row, scale);
}

std::optional<double> SampleSet::mean_of_nearest(const Features& query, std::size_t k, const Scale& scale) const {
  if (samples_.empty() || k == 0) return std::nullopt;
  std::array<float, Features::kMaxNumeric> at{};
  for (std::size_t d = 0; d < Features::kMaxNumeric; ++d) at[d] = scaled(query.numeric[d], scale[d]);
  const std::size_t dimensions = std::max<std::size_t>(dimensions_, query.numeric_count);
  const std::size_t categories = std::max<std::size_t>(categories_, query.categorical_count);

  Nearest nearest(std::min(k, kMaxNeighbours));
  for (std::size_t begin = 0; begin < samples_.size(); begin += kBlock) {
    std::array<float, kBlock> distance{};
    for (std::size_t d = 0; d < dimensions; ++d) {
      const float* column = columns_[d].data() + begin;
      for (std::size_t i = 0; i < kBlock; ++i) {
        const float difference = column[i] - at[d];
        distance[i] += difference * difference;
      }
    }
    // Most blocks hold nothing near enough, and one pass without branches tells.
    const float worst = nearest.worst();
    std::uint32_t near_ones = 0;
    for (std::size_t i = 0; i < kBlock; ++i) near_ones |= distance[i] < worst ? 1U : 0U;
    if (near_ones == 0) continue;
    const std::size_t rows = std::min(kBlock, samples_.size() - begin);
    for (std::size_t i = 0; i < rows; ++i) {
      if (!(distance[i] < nearest.worst())) continue;
      const Features& sample = samples_[begin + i].features;
      for (std::size_t c = 0; c < categories; ++c) {
        if (sample.categorical[c] != query.categorical[c]) distance[i] += 1.0F;
      }
      if (distance[i] < nearest.worst()) nearest.offer(distance[i], begin + i);
    }
  }
  double sum = 0;
  for (const std::size_t row : nearest.rows()) sum += samples_[row].seconds;
  return sum / static_cast<double>(nearest.rows().size());
}

}  // namespace starpath
