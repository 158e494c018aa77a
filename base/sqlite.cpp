// SQLite with owners and exceptions.
#include "base/sqlite.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <new>
#include <string_view>

#include "base/input_files.hpp"

namespace starpath {
namespace {

constexpr int kBusyMilliseconds = 1000;  // a reader's short locks are waited for, a run's are not

DatabaseError storage_error(const std::string& path, int code, int system_error, const char* message,
                            Database::Open how = Database::Open::create) {
  // A damaged header: SQLite tells it from wrong SQL by its text only.
  if (code == SQLITE_ERROR && message == std::string_view("unsupported file format")) code = SQLITE_CORRUPT;
  const std::string reason = system_error != 0 ? std::strerror(system_error) : message;
  const auto output = [&](std::string_view what, std::string_view remedy) {
    return DatabaseError(ErrorKind::output, fmt::format("{}: {}; {}", path, what, remedy), code);
  };
  const auto unread = [&](std::string_view remedy) {
    return DatabaseError(ErrorKind::input, fmt::format("{}: cannot be read ({}); {}", path, reason, remedy), code);
  };
  switch (code & 0xff) {
    case SQLITE_FULL:
      return output("no space left to write", "free some space and run again, finished work is kept");
    case SQLITE_READONLY:
      return output("is read-only", "make the file and its folder writable or choose another folder");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return output("in use by another process", "wait until that has finished or choose another folder");
    case SQLITE_IOERR:
      if (code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ || code == SQLITE_IOERR_FSTAT)
        return unread("check that it is a file, and its disk");
      return output("reading or writing failed (" + reason + ")",
                    "check the disk and its free space, finished work is kept");
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      if (how == Database::Open::existing && system_error == ENOENT)
        return {ErrorKind::input, path + ": no such file; check the folder's name", code};
      if (how == Database::Open::existing && system_error != 0) return unread("check the path, and who may read it");
      return output("cannot be opened (" + reason + ")", "check that the folder exists and can be written");
    case SQLITE_NOMEM:
      return {ErrorKind::runtime, path + ": out of memory; close other programs or use a machine with more", code};
    case SQLITE_NOTADB:
      return {ErrorKind::mismatch, path + ": is no SQLite database; choose another path, or move it away", code};
    case SQLITE_CORRUPT:
      return {ErrorKind::mismatch, fmt::format("{}: is damaged ({}); move it away and run again", path, message), code};
    default:
      return {ErrorKind::internal, fmt::format("{}: {}; please report this", path, message), code};
  }
}

/// Why a file could not be opened: SQLite tries a second way, whose errno hides the first one's.
int opening_error(const std::string& path, Database::Open how) {
  if (how == Database::Open::existing) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return EISDIR;
    return ::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0 ? 0 : errno;
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return ::faccessat(AT_FDCWD, folder.empty() ? "." : folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

}  // namespace

void count_no_sqlite_memory() { static_cast<void>(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0)); }

void Statement::check(int code) {
  if (code != SQLITE_OK) throw database_->error(code);
}

void Statement::bind(int parameter, std::int64_t value) { check(sqlite3_bind_int64(get(), parameter, value)); }

void Statement::bind(int parameter, double value) { check(sqlite3_bind_double(get(), parameter, value)); }

void Statement::bind(int parameter, std::string_view text) {
  // A null pointer would bind NULL.
  check(sqlite3_bind_text64(get(), parameter, text.data() == nullptr ? "" : text.data(), text.size(), SQLITE_STATIC,
                            SQLITE_UTF8));
}

void Statement::bind(int parameter, std::span<const std::byte> bytes) {
  const void* data = bytes.data();
  check(sqlite3_bind_blob64(get(), parameter, data == nullptr ? "" : data, bytes.size(), SQLITE_STATIC));
}

bool Statement::step() {
  const int code = sqlite3_step(get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    const DatabaseError error = database_->error(code);
    sqlite3_reset(get());  // only now: it would overwrite the message
    throw error;
  }
  sqlite3_reset(get());
  return false;
}

double Statement::real(int column) const {
  const double value = sqlite3_column_double(get(), column);  // 0 for NULL
  return value == 0 && is_null(column) ? std::numeric_limits<double>::quiet_NaN() : value;
}

// sqlite3_column_value() is for connections like ours, which have no mutex.
std::pair<ColumnType, std::int64_t> Statement::typed_integer(int column) const {
  sqlite3_value* value = sqlite3_column_value(get(), column);
  return {static_cast<ColumnType>(sqlite3_value_type(value)), sqlite3_value_int64(value)};
}

std::pair<ColumnType, double> Statement::typed_real(int column) const {
  sqlite3_value* value = sqlite3_column_value(get(), column);
  return {static_cast<ColumnType>(sqlite3_value_type(value)), sqlite3_value_double(value)};
}

std::string Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(get(), column));
  return data == nullptr ? std::string()
                         : std::string(data, static_cast<std::size_t>(sqlite3_column_bytes(get(), column)));
}

std::span<const std::byte> Statement::bytes(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(get(), column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(get(), column))};
}

Database::Database(std::string path, Open how) : path_(std::move(path)) {
  sqlite3* handle = nullptr;
  // One thread at a time, as the contract says: without a mutex, binding and reading a value costs half.
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX |
                    (how == Open::create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path_.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (handle == nullptr) throw std::bad_alloc();
  if (code != SQLITE_OK) throw storage_error(path_, code, opening_error(path_, how), sqlite3_errmsg(handle), how);
  note_input(path_);  // no place for another output
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  // A made-up file may define what happens when a table is written.
  for (const int feature : {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_TRUSTED_SCHEMA})
    sqlite3_db_config(handle, feature, 0, nullptr);
}

DatabaseError Database::error(int code) const { return storage_error(path_, code, 0, sqlite3_errmsg(get())); }

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) throw error(code);
}

Statement Database::prepare(const std::string& sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(get(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                      &statement, nullptr);
  if (code != SQLITE_OK) throw error(code);
  return {*this, statement};
}

std::int64_t Database::integer(const std::string& sql) const {
  Statement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

DatabaseImage Database::image() const {
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(get(), "main", &size, 0);
  if (bytes == nullptr) throw std::bad_alloc();
  return {bytes, size};
}

void Database::attach(const std::string& schema, const DatabaseImage& image) {
  execute("ATTACH ':memory:' AS " + sql_identifier(schema));
  // Not as a read-only one, on which BEGIN IMMEDIATE would fail.
  const int code = sqlite3_deserialize(get(), schema.c_str(), image.bytes_.get(), image.size_, image.size_, 0);
  if (code != SQLITE_OK) throw error(code);
}

Transaction::~Transaction() {
  // A failed statement may have rolled back already. A failure here leaves the journal, and the next opening rolls
  // back.
  if (!database_.in_transaction()) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const Error&) {
  }
}

std::string sql_identifier(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

}  // namespace starpath
