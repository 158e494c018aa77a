// Classes as tables.
#include "io/study/study_classes.hpp"

#include <iterator>

#include "base/error.hpp"
#include "base/sqlite_tables.hpp"
#include "io/study/study_schema.hpp"

namespace starpath::io {

void make_study_class_tables(Database& database) {
  database.execute(
      "CREATE TABLE IF NOT EXISTS classes (class INTEGER PRIMARY KEY, name TEXT NOT NULL, colour INTEGER NOT NULL,"
      " nuclei INTEGER NOT NULL, out_of_range INTEGER NOT NULL);"
      "CREATE TABLE IF NOT EXISTS slide_classes (slide INTEGER NOT NULL, region INTEGER NOT NULL,"
      " class INTEGER NOT NULL, nuclei INTEGER NOT NULL, out_of_range INTEGER NOT NULL,"
      " PRIMARY KEY (slide, region, class)) WITHOUT ROWID;");
}

void put_study_classes(StudyTransaction& change, const StudyClasses& classes) {
  Database& database = change.database();
  make_study_class_tables(database);
  database.execute("DELETE FROM classes; DELETE FROM slide_classes;");
  database.prepare("INSERT OR REPLACE INTO study (key, value) VALUES ('classes', ?)")
      .run(std::string_view(classes.about));
  Statement put = database.prepare("INSERT INTO classes VALUES (?, ?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const StudyClass& each : classes.classes)
    put.run(++number, std::string_view(each.name), std::int64_t{each.colour}, each.nuclei, each.out_of_range);
  Statement count = database.prepare("INSERT INTO slide_classes VALUES (?, ?, ?, ?, ?)");
  for (const ClassCount& each : classes.counts)
    count.run(each.slide, each.region, each.number, each.nuclei, each.out_of_range);
  change.part_changed(kStudyPart);
  change.part_changed(kStudyClassesPart);
}

void forget_study_classes(StudyTransaction& change, std::int64_t slide) {
  Database& database = change.database();
  if (!has_table(database, "slide_classes")) return;
  database
      .prepare(
          "UPDATE classes SET nuclei = classes.nuclei - c.nuclei, out_of_range = classes.out_of_range -"
          " c.out_of_range FROM slide_classes AS c WHERE c.slide = ? AND c.region = 0 AND c.class = classes.class")
      .run(slide);
  database.prepare("DELETE FROM slide_classes WHERE slide = ?").run(slide);
  if (database.changed_rows() > 0) change.part_changed(kStudyClassesPart);
}

StudyClasses read_study_classes(const Database& database) {
  StudyClasses found;
  if (!has_table(database, "slide_classes")) return found;
  for (Statement about = database.prepare("SELECT value FROM study WHERE key = 'classes'"); about.step();)
    found.about = about.text(0);
  Statement rows = database.prepare("SELECT name, colour, nuclei, out_of_range FROM classes ORDER BY class");
  while (rows.step())
    found.classes.push_back(
        {rows.text(0), static_cast<std::uint32_t>(rows.integer(1)), rows.integer(2), rows.integer(3)});
  Statement counts = database.prepare(
      "SELECT slide, region, class, nuclei, out_of_range FROM slide_classes ORDER BY slide, region, class");
  while (counts.step()) {
    if (counts.integer(2) < 1 || counts.integer(2) > std::ssize(found.classes))
      throw Error(
          ErrorKind::mismatch,
          database.path() + ": is damaged (nuclei of a class that is not there); run `starpath classify run` again");
    found.counts.push_back(
        {counts.integer(0), counts.integer(1), counts.integer(2), counts.integer(3), counts.integer(4)});
  }
  return found;
}

}  // namespace starpath::io
