// Checksums at the end of a transaction.
#include "io/study/study_transaction.hpp"

#include "io/results/checksums.hpp"
#include "io/study/study_schema.hpp"

namespace starpath::io {

void StudyTransaction::commit() {
  Checksums checksums(database_, kStudyGuard);
  for (const std::int64_t slide : changed_slides_) checksums.unit_written(slide);
  for (const std::int64_t part : changed_parts_) checksums.part_written(part);
  transaction_.commit();
}

}  // namespace starpath::io
