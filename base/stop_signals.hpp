// How a user stops a command: SIGINT, SIGTERM, and SIGHUP unless the command was started to ignore it (nohup).
#pragma once
#include <atomic>

namespace starpath {

/// The rule for every command, from its first moment: such a signal ends it with one line and exit code 130, and
/// removes files that are not finished. `hang_up_is_ignored`: the command was started to ignore SIGHUP. To be called
/// once, by main().
void end_at_stop_signals(bool hang_up_is_ignored);

/// For a command that ends by itself when it is to stop: from now on the signals set what this returns. Another one, a
/// second or more later, ends the command as above.
const std::atomic<bool>& catch_stop_signals();

}  // namespace starpath
