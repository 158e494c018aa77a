// The SQLite owners: values, transactions, errors.
#include "base/sqlite.hpp"

#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "tests/io/results_fixture.hpp"

namespace starpath {
namespace {

using io::testing::failure;
using io::testing::says;

class SqliteTest : public io::testing::Results {};

TEST_F(SqliteTest, KeepsValuesOfEveryKind) {
  Database database(file, Database::Open::create);
  database.execute("CREATE TABLE t (a, b, c, d, e)");
  const std::byte bytes[] = {std::byte{0}, std::byte{255}};
  database.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?)")
      .run(std::int64_t{1} << 40, 0.1, std::string_view("a\0b", 3), std::span<const std::byte>(bytes), std::nan(""));
  EXPECT_EQ(database.changed_rows(), 1);
  Statement row = database.prepare("SELECT * FROM t");
  for (int twice = 0; twice < 2; ++twice) {  // at its end a statement can be used again
    ASSERT_TRUE(row.step());
    EXPECT_EQ(row.integer(0), std::int64_t{1} << 40);
    EXPECT_EQ(row.real(1), 0.1);
    EXPECT_EQ(row.text(2), std::string("a\0b", 3));
    EXPECT_EQ(row.bytes(3).size(), 2U);
    EXPECT_EQ(row.bytes(3)[1], std::byte{255});
    EXPECT_TRUE(row.is_null(4));
    EXPECT_TRUE(std::isnan(row.real(4)));
    EXPECT_FALSE(row.step());
  }
}

TEST_F(SqliteTest, EmptyTextAndBytesAreNotNull) {
  Database database(file, Database::Open::create);
  Statement row = database.prepare("SELECT ?, ?");
  row.bind(1, std::string_view());
  row.bind(2, std::span<const std::byte>());
  ASSERT_TRUE(row.step());
  EXPECT_FALSE(row.is_null(0));
  EXPECT_FALSE(row.is_null(1));
}

TEST_F(SqliteTest, ATransactionThatIsNotCommittedNeverHappened) {
  Database database(file, Database::Open::create);
  database.execute("CREATE TABLE t (a)");
  {
    Transaction transaction(database);
    database.execute("INSERT INTO t VALUES (1)");
  }
  {
    Transaction transaction(database);
    database.execute("INSERT INTO t VALUES (2)");
    transaction.commit();
  }
  EXPECT_EQ(database.integer("SELECT sum(a) FROM t"), 2);
}

TEST_F(SqliteTest, AFullDatabaseIsOneClearLine) {
  Database database(file, Database::Open::create);
  database.execute("CREATE TABLE t (a); PRAGMA max_page_count = 10");
  Statement put = database.prepare("INSERT INTO t VALUES (zeroblob(100000))");
  EXPECT_TRUE(says(failure([&] { put.run(); }), "4: " + file, {"no space left", "free some space"}));
  database.execute("PRAGMA max_page_count = 1000");
  put.run();
  EXPECT_EQ(database.integer("SELECT count(*) FROM t"), 1);
}

TEST_F(SqliteTest, WhatCannotBeReadIsAnInputThatCannot) {
  const auto open = [&] { Database(file, Database::Open::existing).integer("PRAGMA user_version"); };
  EXPECT_TRUE(says(failure(open), "3: " + file, {"no such file"}));
  std::filesystem::create_directory(file);
  EXPECT_TRUE(says(failure(open), "3: " + file, {"cannot be read (Is a directory)", "check the path"}));
  std::filesystem::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);  // no byte of it can be read at its place
  EXPECT_TRUE(says(failure(open), "3: " + file, {"cannot be read", "check that it is a file"}));
}

/// In a process of its own: SQLite cannot be configured once it is used.
void count_nothing_and_exit() {
  sqlite3_shutdown();
  count_no_sqlite_memory();
  Database database(":memory:", Database::Open::create);
  database.execute("CREATE TABLE t (a)");
  std::exit(sqlite3_memory_used() == 0 ? 0 : 1);
}

TEST(SqliteDeathTest, CountsNoMemoryIfToldSo) {
  EXPECT_EXIT(count_nothing_and_exit(), testing::ExitedWithCode(0), "");
  const Database database(":memory:", Database::Open::create);
  EXPECT_GT(sqlite3_memory_used(), 0);
}

TEST_F(SqliteTest, WrongSqlIsAnInternalError) {
  Database database(file, Database::Open::create);
  EXPECT_TRUE(says(failure([&] { database.execute("SELEC"); }), "1: "));
  EXPECT_TRUE(says(failure([&] { database.prepare("SELECT x FROM nowhere"); }), "1: "));
}

TEST_F(SqliteTest, IdentifiersAreQuoted) {
  Database database(file, Database::Open::create);
  database.execute("CREATE TABLE " + sql_identifier("a \"b\"; DROP") + " (a)");
  EXPECT_EQ(database.integer("SELECT count(*) FROM " + sql_identifier("a \"b\"; DROP")), 0);
}

}  // namespace
}  // namespace starpath
