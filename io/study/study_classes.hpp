// Classes of a study's nuclei: tables of study.sqlite that are there once `starpath classify run` has written them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/sqlite.hpp"
#include "io/study/study_transaction.hpp"

namespace starpath::io {

struct StudyClass {
  std::string name;
  std::uint32_t colour = 0;                   // 0xRRGGBB
  std::int64_t nuclei = 0, out_of_range = 0;  // the latter are counted among the former too
};

/// How many nuclei of a slide, or of one of its regions, a class has.
struct ClassCount {
  std::int64_t slide, region, number;  // region 0: all of the slide. Number of the class, from 1
  std::int64_t nuclei, out_of_range;
};

struct StudyClasses {
  std::string about;  // JSON: the model
  std::vector<StudyClass> classes;
  std::vector<ClassCount> counts;  // those with nuclei, by slide, region and class
};

/// Empty without the tables. Throws Error{mismatch} for damaged ones.
StudyClasses read_study_classes(const Database& database);

/// Makes the tables, unless they are there.
void make_study_class_tables(Database& database);
/// Replaces what was there.
void put_study_classes(StudyTransaction& change, const StudyClasses& classes);
/// Takes a slide's counts away, as its nuclei are others now.
void forget_study_classes(StudyTransaction& change, std::int64_t slide);

}  // namespace starpath::io
