/* A library for LD_PRELOAD under which a program starts only so many threads, STARPATH_TEST_THREADS, and then none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef int (*create_function)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  static atomic_int started = 0;
  const char* allowed = getenv("STARPATH_TEST_THREADS");
  if (allowed != NULL && atomic_fetch_add(&started, 1) >= atoi(allowed)) return EAGAIN;
  create_function create;
  *(void**)&create = dlsym(RTLD_NEXT, "pthread_create");
  return create(thread, attributes, start, argument);
}
