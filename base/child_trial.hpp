// Calls of libraries that may crash on damaged input, tried first where a crash costs nothing.
#pragma once
#include <functional>

namespace starpath {

/// Whether `work` ends by itself, with an exception or without, within 30 s. It runs in a child, a copy of this process
/// made by fork(): what it changes in memory is lost, what it prints to standard error too, and only the child dies of
/// a crash. `work` takes no lock that another thread may hold. True as well where there can be no child.
bool ends_by_itself(const std::function<void()>& work);

}  // namespace starpath
