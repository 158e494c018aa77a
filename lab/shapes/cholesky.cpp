// Tile Cholesky factorisation.
#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

void build(WorkloadBuilder& build) {
  enum { potrf, trsm, syrk, gemm };
  const unsigned n = build.count("blocks");
  std::vector<std::vector<unsigned>> block(n);
  for (unsigned row = 0; row < n; ++row)
    for (unsigned column = 0; column <= row; ++column) block[row].push_back(build.data(build.parameter("block_MB")));
  // A priority is higher the earlier the column and the closer to it a task is, so that the next factor is early.
  const auto task = [&](unsigned kind, unsigned step, unsigned row, std::vector<Access> data) {
    build.task(kind, std::move(data)).priority = static_cast<int>(3 * n - step - 2 * row);
  };
  for (unsigned k = 0; k < n; ++k) {
    build.group();
    task(potrf, k, k, {{block[k][k], kReadWrite}});
    for (unsigned i = k + 1; i < n; ++i) task(trsm, k, i, {{block[k][k], kRead}, {block[i][k], kReadWrite}});
    for (unsigned i = k + 1; i < n; ++i) {
      task(syrk, k, i, {{block[i][k], kRead}, {block[i][i], kReadWrite}});
      for (unsigned j = k + 1; j < i; ++j)
        task(gemm, k, i, {{block[i][k], kRead}, {block[j][k], kRead}, {block[i][j], kReadWrite}});
    }
  }
}

}  // namespace

Shape cholesky_shape() {
  return {
      "cholesky", {{"blocks", "", 1, 200}, kWindow, {"block", "MB", 0, 1e4}}, {"potrf", "trsm", "syrk", "gemm"}, build};
}

}  // namespace starpath::lab
