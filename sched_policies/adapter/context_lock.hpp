// What the analysis of locks knows the lock of a scheduling context by.
#pragma once
#include "base/pure/thread_safety.hpp"

namespace starpath {

/// Stands for the lock of the context that code works for. Each strategy has a mutex of its own (ReadyTasks), and its
/// parts reach that mutex by different paths, which Clang's analysis cannot tell to be the same mutex. So all that the
/// mutex guards is marked as guarded by this object instead, and Turn, which locks the mutex, counts as locking this.
/// No code works for two contexts at once.
struct STARPATH_CAPABILITY("lock") ContextLock {
  void is_held() const STARPATH_ASSERT_HELD(this) {}
};
inline ContextLock context_lock;

}  // namespace starpath
