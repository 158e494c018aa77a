// NBIA's classifier: the votes of the k nearest training samples.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codelets/kernels/kernel_context.hpp"
#include "codelets/kernels/nbia_features.hpp"

namespace starpath {

/// Neighbours that vote.
inline constexpr int kNbiaNeighbours = 15;

enum class NbiaLabel : std::uint8_t { background = 0, stroma_rich = 1, stroma_poor = 2 };

/// "background", "stroma_rich", "stroma_poor": in files, folders and on the command line.
constexpr std::string_view label_name(NbiaLabel label) {
  switch (label) {
    case NbiaLabel::stroma_rich:
      return "stroma_rich";
    case NbiaLabel::stroma_poor:
      return "stroma_poor";
    case NbiaLabel::background:
      break;
  }
  return "background";
}

/// z-scores are kept in whole numbers, so that distances are exact: unit 1/512, clamped to +-4095 (8 deviations).
inline constexpr double kNbiaZUnit = 512;
inline constexpr int kNbiaZLimit = 4095;

/// The training samples of one level. Owns nothing.
struct NbiaSamples {
  const double* mean = nullptr;       // kNbiaFeatureCount each
  const double* deviation = nullptr;  // 0 for a feature that never varies: its z-score is 0
  const std::int16_t* z = nullptr;    // z[feature * count + sample]
  const NbiaLabel* labels = nullptr;  // stroma_rich or stroma_poor
  int count = 0;                      // >= kNbiaNeighbours
};

/// A winner, its votes (8 to 15), and how far off the neighbours are: the mean of their squared distances, in squared
/// units of z-scores, rounded down. Background is not voted on: 0 votes, distance 0.
struct NbiaVote {
  NbiaLabel label;
  std::uint8_t votes;
  std::int32_t distance;
  friend bool operator==(const NbiaVote&, const NbiaVote&) = default;
};

/// The vote of the neighbours: `rich` of them are stroma-rich; `distances` is the sum of their squared distances.
constexpr NbiaVote nbia_vote(int rich, std::int64_t distances) {
  const bool rich_wins = 2 * rich > kNbiaNeighbours;
  return {rich_wins ? NbiaLabel::stroma_rich : NbiaLabel::stroma_poor,
          static_cast<std::uint8_t>(rich_wins ? rich : kNbiaNeighbours - rich),
          static_cast<std::int32_t>(distances / kNbiaNeighbours)};
}

/// A vote of nobody on glass.
inline constexpr NbiaVote kNbiaGlass{NbiaLabel::background, 0, 0};

/// z-score of a feature as samples hold it, rounded half away from zero.
constexpr std::int16_t nbia_z(double value, double mean, double deviation) {
  if (!(deviation > 0)) return 0;
  const double z = (value - mean) / deviation * kNbiaZUnit;
  if (z >= kNbiaZLimit) return kNbiaZLimit;
  if (z <= -kNbiaZLimit) return -kNbiaZLimit;
  return static_cast<std::int16_t>(z < 0 ? z - 0.5 : z + 0.5);
}

/// Chance of at least `votes` of kNbiaNeighbours when both labels were equally likely (one-sided binomial test).
constexpr double nbia_p_value(int votes) {
  double ways = 1, sum = 0;  // ways to choose i of the neighbours
  for (int i = 0; i <= kNbiaNeighbours; ++i) {
    if (i >= votes) sum += ways;
    ways = ways * (kNbiaNeighbours - i) / (i + 1);
  }
  return sum / (1 << kNbiaNeighbours);
}

/// A vote is accepted below this p-value: 12 of 15 and more.
inline constexpr double kNbiaSignificance = 0.05;

STARPATH_DECLARE_KERNEL(
    /// Background when nbia_background(counts). Else the label with most votes among the kNbiaNeighbours nearest
    /// samples, in squared Euclidean distance of z-scores; of equally near ones the first; and their mean distance. On
    /// a GPU everything that the arguments point or refer to lies in device memory. docs/nbia.md describes the
    /// classifier.
    void nbia_classify(const KernelContext& context, const NbiaCounts& counts, const NbiaSamples& samples,
                       NbiaVote* vote))

}  // namespace starpath
