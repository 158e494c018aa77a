// Classes of nuclei in results: kept beside what a run wrote, gone when its nuclei are others.
#include "base/sqlite.hpp"
#include "io/results/contents_check.hpp"
#include "io/results/group_store.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_schema.hpp"
#include "io/results/tile_store.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io {
namespace {

using namespace starpath::io::testing;

class NucleusClasses : public Results {
 protected:
  /// Results whose nuclei are classified in turn.
  ResultStore classified() {
    ResultStore store = ResultStore::create(file, key(), info());
    for (const auto& tile : tiles(2, 1, 20, 5)) TileStore(store).commit_tile(tile.record, tile.nuclei);
    accept_owned(store);
    for (std::int32_t i = 0; i < NucleusStore(store).nucleus_count(); ++i)
      given.push_back({1 + i % 2, 0.25 + 0.5 * (i % 2), 1.5 * i, i % 3 == 0});
    GroupStore(store).put_classes({{"A \"b\"", 0xc80000, 77, "f00d"}, {"B", 0x0000c8, 0, "f00d"}}, given);
    return store;
  }
  std::vector<ClassOfNucleus> given;
};

TEST_F(NucleusClasses, AreReadBackWithEachNucleusAndCounted) {
  const ResultStore store = classified();
  ASSERT_GT(given.size(), 4u);
  const auto classes = GroupStore(store).classes();
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes[0].name, "A \"b\"");
  EXPECT_EQ(classes[0].colour, 0xc80000u);
  EXPECT_EQ(classes[0].nuclei, std::ssize(given) - std::ssize(given) / 2) << "counted, whatever was said";
  EXPECT_EQ(classes[1].model, "f00d");
  for (const bool with_features : {false, true})
    NucleusStore(store).for_each_nucleus(with_features, [&](std::int64_t id, const NucleusRecord& nucleus) {
      const ClassOfNucleus& wanted = given[static_cast<std::size_t>(id) - 1];
      EXPECT_EQ(nucleus.classified.number, wanted.number);
      EXPECT_EQ(nucleus.classified.confidence, wanted.confidence);
      EXPECT_EQ(nucleus.classified.distance, wanted.distance);
      EXPECT_EQ(nucleus.classified.out_of_range, wanted.out_of_range);
      EXPECT_EQ(nucleus.features.size(), with_features ? info().feature_names.size() : 0u);
    });
}

TEST_F(NucleusClasses, LeaveTheResultsWholeAndReplaceThoseBefore) {
  {
    ResultStore store = classified();
    GroupStore(store).put_classes({{"C", 1, 0, "beef"}}, std::vector<ClassOfNucleus>(given.size(), {1, 1, 0, false}));
  }
  const Database database(file, Database::Open::existing);
  check_tables(database, kSegmentationTables);
  EXPECT_GT(check_contents(database, kSegmentationTables), 0);
  EXPECT_EQ(GroupStore(ResultStore::open(file)).classes().size(), 1u);
}

TEST_F(NucleusClasses, GoWhenTheNucleiAreOthers) {
  ResultStore store = classified();
  accept_owned(store);
  EXPECT_EQ(GroupStore(store).classes().size(), 2u) << "the same nuclei";
  NucleusStore(store).accept({});
  EXPECT_TRUE(GroupStore(store).classes().empty());
}

TEST_F(NucleusClasses, DamageIsNamed) {
  classified();
  const std::pair<const char*, const char*> damages[] = {
      {"UPDATE nucleus_classes SET class = 3 WHERE id = 2", "UPDATE nucleus_classes SET class = 2 WHERE id = 2"},
      {"UPDATE nucleus_classes SET confidence = 1.5 WHERE id = 2",
       "UPDATE nucleus_classes SET confidence = 0.75 WHERE id = 2"},
      {"UPDATE nucleus_classes SET out_of_range = 2 WHERE id = 2",
       "UPDATE nucleus_classes SET out_of_range = 0 WHERE id = 2"},
      {"DELETE FROM nucleus_classes WHERE id = 1", "INSERT INTO nucleus_classes VALUES (1, 1, 0.25, 0.0, 1)"},
      {"DELETE FROM classes WHERE class = 1", "INSERT INTO classes VALUES (1, 'A', 0, 0, '')"}};
  const auto read = [&] { NucleusStore(ResultStore::open(file)).for_each_nucleus(false, [](auto, const auto&) {}); };
  for (const auto& [damage, mend] : damages) {
    Database(file, Database::Open::existing).execute(damage);
    EXPECT_THROW(read(), Error) << damage;
    Database(file, Database::Open::existing).execute(mend);
    EXPECT_NO_THROW(read()) << mend;
  }
  Database(file, Database::Open::existing).execute("ALTER TABLE classes RENAME COLUMN model TO maker");
  EXPECT_THROW(ResultStore::open(file), Error);
}

}  // namespace
}  // namespace starpath::io
