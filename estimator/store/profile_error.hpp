// Why a profile cannot be used.
#pragma once
#include <string>

#include "base/error.hpp"
#include "base/sqlite.hpp"

namespace starpath {

inline constexpr int kProfileApplication = 0x53705066;  ///< a profile's application id in SQLite's header

/// Why a profile cannot be used. `what()` is one line that names the file and the reason. A file is damaged when it
/// shows the marks of a profile, and foreign when it does not.
class ProfileError : public Error {
 public:
  enum class Reason { missing, unreadable, damaged, foreign, newer, locked, read_only, full, unusable };

  ProfileError(Reason reason, const std::string& message);
  Reason reason() const { return reason_; }

 private:
  Reason reason_;
};

/// Whether a file that cannot be read once was a profile. Its marks are the application id in SQLite's header, and the
/// definitions of its tables, which SQLite keeps as text on the first page (sqlite.org/fileformat.html).
bool has_marks_of_profile(const std::string& path);

/// What a failure of SQLite means for the profile at `path`.
ProfileError explain(const std::string& path, const DatabaseError& error);

}  // namespace starpath
