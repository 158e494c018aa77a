// Results that nobody's run wrote: without checksums, so that what is read must be looked at.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/sqlite.hpp"
#include "tests/apps/command.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using test::expect_one_line;
using test::shell;
using test::TemporaryFolder;

/// A finished run whose results are changed and resumed: one line, exit code 5, and little memory.
class MadeUpResults {
 public:
  explicit MadeUpResults(const std::string& command) : command_("starpath " + command + " --quiet --cpus 1 --out ") {
    const auto run = shell(command_ + folder_ / "good");
    EXPECT_EQ(run.code, 0) << run.output;
  }

  void expect_refused(const std::string& sql, const std::string& word = "damaged") const {
    SCOPED_TRACE(sql);
    fs::remove_all(folder_ / "bad");
    fs::copy(folder_ / "good", folder_ / "bad");
    const std::string results = folder_ / "bad/results.sqlite";
    {
      Database database(results, Database::Open::existing);
      database.execute("DROP TABLE checksums; PRAGMA user_version = 2; " + sql);
    }
    const std::string few = "ulimit -v 3000000; ";  // KB
    expect_one_line(shell(few + command_ + folder_ / "bad --resume"), 5, {word});
  }

 private:
  const TemporaryFolder folder_;
  std::string command_;
};

TEST(MadeUp, SegmentationIsRefused) {
  const MadeUpResults results("segment synthetic:600x600,seed=3 --tile 512");
  // x and y of a contour's second vertex: 2^31 - 1; the same in a box that fits.
  const std::string far = "contour = cast(substr(contour, 1, 8) || x'ffffff7fffffff7f' || substr(contour, 17) as blob)";
  const std::string first = " WHERE object = (SELECT min(object) FROM objects)";
  for (const std::string& sql : {
           "UPDATE objects SET " + far + first,
           "UPDATE objects SET " + far + ", x1 = 2147483647, y1 = 2147483647" + first,
           "UPDATE objects SET x1 = 9223372036854775807, y1 = 9223372036854775807" + first,
           "UPDATE objects SET x0 = -9223372036854775807 - 1" + first,
           "UPDATE objects SET x0 = 'left'" + first,
           "UPDATE objects SET contour = x'00'" + first,
           "UPDATE objects SET contour = 7" + first,
           "UPDATE objects SET centroid_x = 9e999" + first,
           "UPDATE objects SET pixels = 4294967296" + first,
           "UPDATE objects SET role = 9" + first,
           "UPDATE objects SET tile = 77" + first,
           std::string("UPDATE tiles SET x = 9223372036854775807, width = 9223372036854775807"),
           std::string("UPDATE tiles SET tile = 4611686018427387904 WHERE tile = 0"),
           std::string("UPDATE tiles SET state = 'perhaps'"),
           std::string("UPDATE run SET value = 9223372036854775807 WHERE key = 'width'"),
           std::string("UPDATE run SET value = 'wide' WHERE key = 'width'"),
           std::string("UPDATE run SET value = 1234.5 WHERE key = 'scale'"),
           std::string("DELETE FROM run WHERE key = 'height'"),
           "UPDATE run SET value = '" + std::string(50000, '[') + "' WHERE key = 'feature_names'",
           std::string("DELETE FROM features"),
           std::string("UPDATE features SET nucleus_area = 'large'"),
           std::string("DROP TABLE features"),
           std::string("DROP TABLE accepted"),
           std::string("DROP INDEX objects_in_raster_order"),
           std::string("ALTER TABLE tiles RENAME COLUMN x TO longitude"),
           std::string("CREATE TRIGGER more AFTER DELETE ON accepted BEGIN DELETE FROM objects; END"),
       })
    results.expect_refused(sql);
  results.expect_refused("DROP VIEW nuclei; DROP TABLE tiles; CREATE VIEW tiles AS SELECT * FROM run");
  results.expect_refused("UPDATE run SET value = '" + std::string(50000, '[') + "' WHERE key = 'parameters'",
                         "cannot be resumed");
  results.expect_refused("UPDATE run SET value = '" + std::string(50000, '[') + "' WHERE key = 'survey'", "survey");
  results.expect_refused("UPDATE run SET value = '{}' WHERE key = 'survey'", "survey");
}

TEST(MadeUp, FieldsAreRefused) {
  const MadeUpResults results("nbia run synthetic:1024x1024,pattern=stroma");
  for (const std::string sql :
       {"UPDATE fields SET field = 9223372036854775807 WHERE field = 0", "UPDATE fields SET field = 77 WHERE field = 0",
        "UPDATE fields SET x = 9223372036854775807", "UPDATE fields SET width = 0", "UPDATE fields SET votes = 'many'",
        "UPDATE fields SET label = 'vegetable'", "UPDATE fields SET level = 9223372036854775807",
        "UPDATE fields SET p_value = 'low'", "UPDATE run SET value = 99999 WHERE key = 'width'", "DROP TABLE fields"})
    results.expect_refused(sql);
}

}  // namespace
}  // namespace starpath
