// The slides of study.sqlite, a row a slide. They are read in read_study_rows.cpp and written in write_study_rows.cpp.
#pragma once
#include <cstdint>
#include <vector>

#include "base/sqlite.hpp"
#include "io/study/study_store.hpp"
#include "io/study/study_transaction.hpp"

namespace starpath::io {

/// Every slide, by number. Throws Error{mismatch} where one is damaged.
std::vector<StudyRow> read_study_rows(const Database& database);

/// As StudyStore::take.
std::vector<std::int64_t> take_study_slides(StudyTransaction& change, const std::vector<StudySlide>& slides);
void put_study_slide_begun(StudyTransaction& change, std::int64_t number);
/// Replaces what was known of the slide. What was derived from other nuclei than it has now goes.
void put_study_summary(StudyTransaction& change, std::int64_t number, const SlideSummary& summary);

}  // namespace starpath::io
