// Batches in memory, through the tasks of kmeans.
#include "pipelines/clustering/mini_batch.hpp"

#include <algorithm>
#include <utility>

#include "base/pure/random.hpp"

namespace starpath {
std::vector<PointRun> batch_of(const BatchOptions& options, int round) {
  SplitMix64 random(mix64(options.seed + static_cast<std::uint64_t>(round) * kGoldenStep));
  const std::int64_t count = (options.batch + kPointsOfRun - 1) / kPointsOfRun;
  std::vector<PointRun> runs;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t begin = i * options.points / count, end = (i + 1) * options.points / count;
    const std::int64_t length = std::min((i + 1) * options.batch / count - i * options.batch / count, end - begin);
    const auto places = static_cast<std::uint64_t>(end - begin - length + 1);
    runs.push_back({begin + static_cast<std::int64_t>(random.next() % places), length});
  }
  return runs;
}

KmeansResult kmeans_by_batches(const PointsOf& points_of, Points centres, const BatchOptions& options,
                               const OnRound& on_round, Team& team) {
  CentreSums sums(static_cast<int>(centres.count()), centres.numbers);  // of all rounds
  KmeansResult result{std::move(centres)};
  while (!result.settled && result.rounds < options.rounds) {
    ++result.rounds;
    Points points;
    team.together([&] { points = points_of(batch_of(options, result.rounds)); });
    PointsInMemory batch(std::move(points));
    CentreSums of_batch = label_points(batch, result.centres, {}, team);
    sums.add(of_batch.values());
    Points means = sums.means(result.centres);
    result.settled = means == result.centres;
    result.centres = std::move(means);
    if (on_round) on_round(result.rounds, of_batch.spread());
  }
  return result;
}

}  // namespace starpath
