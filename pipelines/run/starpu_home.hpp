// Where StarPU keeps its models.
#pragma once
#include <optional>
#include <string>

#include "base/temporary_folder.hpp"

namespace starpath {

/// StarPU keeps its models in a folder of XDG_CACHE_HOME, STARPU_HOME or HOME, the first that is set. Where none is,
/// it takes a folder in the system's temporary folder whose name everybody can predict: another user may have put
/// links there. While this object lives, StarPU has a folder of this user's own instead: one in $XDG_RUNTIME_DIR, or a
/// fresh temporary one that goes with this object. The same holds where HOME is read-only or full. To be made before
/// StarPU starts, and to outlive it; changes STARPU_HOME in the environment, so no other thread may read that
/// meanwhile.
class StarpuHome {
 public:
  /// Tells on standard error, in one line, which folder is taken and why. Throws Error{runtime} for a XDG_CACHE_HOME or
  /// STARPU_HOME that cannot be written: those the user has chosen; Error{output} when no folder can be made.
  StarpuHome();
  ~StarpuHome();
  StarpuHome(const StarpuHome&) = delete;
  StarpuHome& operator=(const StarpuHome&) = delete;

 private:
  bool replaced_ = false;
  std::optional<TemporaryFolder> fresh_;
};

/// Throws as the constructor does for folders that the user has chosen. Changes nothing.
void check_starpu_home();

}  // namespace starpath
