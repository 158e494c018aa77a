// SQLite with owners and exceptions: a database, its prepared statements, a transaction. Knows nothing of what is
// stored. Why not SQLiteCpp: its exceptions name neither file nor remedy, and it takes text as std::string only, so
// that half of this file would stay on top of it. With version 3.2 of Debian 12, storing
// 60,000 rows of 110 numbers takes 0.56 s instead of 0.45 s, and reading them 0.56 s instead of 0.44 s.
#pragma once
#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace starpath {

/// A failure that SQLite reported. `code()` is SQLite's extended result code.
class DatabaseError : public Error {
 public:
  DatabaseError(ErrorKind kind, const std::string& message, int code) : Error(kind, message), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

/// Turns off SQLite's count of its memory. Threads that allocate memory wait for each other to count it; on 16 cores
/// that is most of the time of storing rows in memory (bench/results/gpu.md). A program calls this before its first
/// Database. A library must not, because it holds for the whole process. Not thread-safe.
void count_no_sqlite_memory();

enum class ColumnType : int {
  integer = SQLITE_INTEGER,
  real = SQLITE_FLOAT,
  text = SQLITE_TEXT,
  bytes = SQLITE_BLOB,
  null = SQLITE_NULL
};

/// A prepared statement, to be kept and used again. Parameters and columns count from 1 and 0, as in SQLite.
/// Must not outlive its Database.
class Statement {
 public:
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, int value) { bind(parameter, std::int64_t{value}); }
  void bind(int parameter, double value);  // NaN becomes NULL
  /// Text and bytes are not copied: they must live until the statement is stepped to its end or reset.
  void bind(int parameter, std::string_view text);
  void bind(int parameter, std::span<const std::byte> bytes);

  /// True when there is a row to read, false at the end; after that the statement is ready to be used again.
  bool step();
  /// Binds `values` to the parameters 1, 2, … and steps to the end.
  template <class... Values>
  void run(const Values&... values) {
    [[maybe_unused]] int parameter = 0;  // g++ 16 warns where there are no values
    (bind(++parameter, values), ...);
    while (step()) {
    }
  }

  int columns() const { return sqlite3_column_count(get()); }
  ColumnType type(int column) const { return static_cast<ColumnType>(sqlite3_column_type(get(), column)); }
  bool is_null(int column) const { return sqlite3_column_type(get(), column) == SQLITE_NULL; }
  std::int64_t integer(int column) const { return sqlite3_column_int64(get(), column); }
  double real(int column) const;  // NULL becomes NaN
  /// The type of a column's value, and the value when it is a number (else 0). For callers that check both.
  std::pair<ColumnType, std::int64_t> typed_integer(int column) const;
  std::pair<ColumnType, double> typed_real(int column) const;
  std::string text(int column) const;
  /// Valid until the next step.
  std::span<const std::byte> bytes(int column) const;

 private:
  friend class Database;
  Statement(const class Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}
  sqlite3_stmt* get() const { return statement_.get(); }
  void check(int code);

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// The pages of a database.
class DatabaseImage {
 public:
  DatabaseImage() = default;
  DatabaseImage(unsigned char* bytes, std::int64_t size) : bytes_(bytes), size_(size) {}

 private:
  friend class Database;
  struct Free {
    void operator()(unsigned char* bytes) const { sqlite3_free(bytes); }
  };
  std::unique_ptr<unsigned char, Free> bytes_;
  std::int64_t size_ = 0;
};

/// One connection. Not thread-safe. All failures are thrown as DatabaseError, one line that names the file, the reason
/// and a remedy. Kinds: output (full disk, read-only, no rights, in use), mismatch (damaged, or no database), input (no
/// such file, or one that cannot be read), internal (wrong SQL).
class Database {
 public:
  enum class Open { existing, create };  // both for reading and writing; a read-only file can still be read

  Database(std::string path, Open how);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Sets how long to wait for the lock of another connection. The default is a second.
  void set_patience(int milliseconds) { sqlite3_busy_timeout(get(), milliseconds); }

  /// Runs SQL whose rows nobody reads.
  void execute(const std::string& sql);
  Statement prepare(const std::string& sql) const;
  /// First column of the first row.
  std::int64_t integer(const std::string& sql) const;
  /// A copy of all that was committed. Throws std::bad_alloc.
  DatabaseImage image() const;
  /// Makes `image` a schema of this connection, only to be read, until DETACH; it must stay that long. Not in a
  /// transaction. A connection has room for kMostAttached.
  void attach(const std::string& schema, const DatabaseImage& image);
  static constexpr std::size_t kMostAttached = 10;  // SQLite's, unless it was built with another number
  std::int64_t changed_rows() const { return sqlite3_changes64(get()); }
  bool in_transaction() const { return sqlite3_get_autocommit(get()) == 0; }
  bool read_only() const { return sqlite3_db_readonly(get(), "main") != 0; }
  const std::string& path() const { return path_; }

  /// The error of the last call, with its result code.
  DatabaseError error(int code) const;

 private:
  sqlite3* get() const { return handle_.get(); }

  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// Rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database, const char* begin = "BEGIN IMMEDIATE") : database_(database) {
    database_.execute(begin);
  }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() { database_.execute("COMMIT"); }

 private:
  Database& database_;
};

/// `name` as an SQL identifier, whatever characters it holds.
std::string sql_identifier(std::string_view name);

}  // namespace starpath
