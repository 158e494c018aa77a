// The nuclei of a segmentation in results.sqlite: those that tiles have stored, and those of them that are accepted.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/results/nucleus_record.hpp"
#include "io/results/result_store.hpp"

namespace starpath::io {

/// Accepted nuclei from one to another, both included.
struct NucleusIds {
  std::int64_t first = 1, last = std::numeric_limits<std::int64_t>::max();
};

/// The for_each members stream: memory does not grow with the number of nuclei. The order is the same whatever the
/// order in which tiles were committed. Features are empty unless asked for. The visitor may read from the same file.
/// Threads and errors: as ResultStore.
class NucleusStore {
 public:
  explicit NucleusStore(const ResultStore& results) : results_(results.opened()) {}

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

  std::int64_t nucleus_count() const;  // accepted
  /// Accepted nuclei by id.
  void for_each_nucleus(bool with_features, const NucleusVisitor& visit) const;
  /// The same; `features` of the record are those of these names, in this order. Error{mismatch} for one that the run
  /// does not have.
  void for_each_nucleus_with(const std::vector<std::string>& names, const NucleusVisitor& visit,
                             NucleusParts parts = NucleusParts::measures, NucleusIds ids = {}) const;
  /// Accepted nuclei whose bounding box meets rows [y0, y1), by id, without features. The first call reads the heights
  /// of all of them, so a new store is to be made after other nuclei were accepted.
  void for_each_nucleus_in_rows(std::int64_t y0, std::int64_t y1, const NucleusVisitor& visit) const;

 private:
  void visit_accepted(const std::vector<std::string>& features, NucleusParts parts, NucleusIds ids,
                      const NucleusVisitor& visit) const;

  std::shared_ptr<OpenResults> results_;
  mutable std::optional<std::int64_t> tallest_;  // accepted nucleus, pixels
};

}  // namespace starpath::io
