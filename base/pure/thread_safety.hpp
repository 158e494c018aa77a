// Which mutex guards what, in a form that Clang checks (-Wthread-safety). Other compilers see nothing of it.
#pragma once

#if defined(__clang__)
#define STARPATH_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define STARPATH_THREAD_SAFETY(attribute)
#endif

/// On a class: its objects are mutexes; `name` is what warnings call them.
#define STARPATH_CAPABILITY(name) STARPATH_THREAD_SAFETY(capability(name))
/// On a class: its objects hold a mutex for as long as they live.
#define STARPATH_SCOPED_CAPABILITY STARPATH_THREAD_SAFETY(scoped_lockable)
/// On a member or variable: it is only read or written with `mutex` held.
#define STARPATH_GUARDED_BY(mutex) STARPATH_THREAD_SAFETY(guarded_by(mutex))
/// On a pointer: what it points to is only read or written with `mutex` held.
#define STARPATH_PT_GUARDED_BY(mutex) STARPATH_THREAD_SAFETY(pt_guarded_by(mutex))
/// On a function or lambda: its callers hold `mutex`.
#define STARPATH_REQUIRES(mutex) STARPATH_THREAD_SAFETY(requires_capability(mutex))
/// On a function: it locks the mutex, and holds it when it returns.
#define STARPATH_ACQUIRE(...) STARPATH_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
/// On a function that does nothing: the analysis takes its word that the mutex is held. For lambdas that are passed to
/// code that knows no locks, by functions that hold it.
#define STARPATH_ASSERT_HELD(mutex) STARPATH_THREAD_SAFETY(assert_capability(mutex))
/// On a function: it unlocks the mutex.
#define STARPATH_RELEASE(...) STARPATH_THREAD_SAFETY(release_capability(__VA_ARGS__))
