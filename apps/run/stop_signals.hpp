// How a user stops a run.
#pragma once
#include <atomic>

namespace starpath::apps {

/// Lets SIGINT and SIGTERM set what it returns. A second one, a second or more later, ends the program at once, which
/// is safe too.
const std::atomic<bool>& catch_stop_signals();

}  // namespace starpath::apps
