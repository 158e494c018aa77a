// Whether two ways to part the same things have to do with each other. Pure.
#pragma once
#include <cstdint>
#include <span>

namespace starpath {

struct PermutationTest {
  double chi_square = 0;          // Pearson's statistic of the table
  std::int64_t arrangements = 0;  // of the column labels that were compared with
  bool every = false;             // these are all there are; else they were drawn
  double p = 1;                   // that a statistic as large comes by chance
  double least_p = 1;             // that any table with these sums could have had
};

/// Labels are 0, 1, ... without gaps. Deals the column labels anew among the things (Fisher 1935; Phipson, Smyth 2010).
/// When there are at most `permutations` arrangements, each is compared once, and p is the share whose statistic is as
/// large as the one seen. Else `permutations` are drawn with `seed`, and p = (as large + 1) / (drawn + 1). Statistics
/// that differ by rounding alone are equal. There is at least one thing.
PermutationTest test_independence(std::span<const int> rows, std::span<const int> columns, std::int64_t permutations,
                                  std::uint64_t seed);

}  // namespace starpath
