// The fields of NBIA in results.sqlite, a field a transaction. The schema is documented in docs/nbia.md.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/sqlite.hpp"
#include "io/results/field_labels.hpp"
#include "io/results/result_store.hpp"

namespace starpath::io {

/// One field of a slide, in working pixels, and what was decided of it.
struct FieldRecord {
  std::int64_t index;                // row-major number of the field
  std::int64_t x, y, width, height;  // its part of the slide; smaller than a field at the right and bottom border
  bool failed;                       // then only `error` and the times below mean something
  int label;                         // index into the labels
  int votes;                         // 0 for the first label
  double p_value;                    // NaN for the first label
  int level;                         // side of the level that decided, pixels
  bool low_confidence;
  double distance;    // to the fields it was compared with; NaN for the first label
  bool out_of_range;  // too far for the label to be believed
  double read_seconds, compute_seconds;
  std::string error;  // empty unless failed
};

/// Made from a store of kNbiaTables. `labels` must outlive it. Threads and errors: as ResultStore. What was committed
/// survives a kill of the process; a power cut may cost the last seconds, never the file.
class FieldStore {
 public:
  FieldStore(const ResultStore& results, FieldLabels labels);

  std::vector<FieldRecord> fields() const;  // by index
  /// One transaction. Replaces an earlier record of the same field.
  void commit(const FieldRecord& field);

 private:
  std::shared_ptr<OpenResults> results_;
  FieldLabels labels_;
  Statement put_;
};

}  // namespace starpath::io
