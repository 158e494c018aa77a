/* Host functions as OpenCL implementations of codelets, for tests: the device's buffers are mapped into the worker's
 * memory, the function works on them there, and they are unmapped. No kernel language is needed, and to StarPU the
 * device is an accelerator as any other: a memory of its own, copies, a thread that drives it. C, for C++ too.
 *
 * It finds codelets whose access modes are wrong: what a task only writes holds noise at first, and a function that
 * changes what its task only reads ends the program. */
#ifndef STARPATH_MAPPED_BUFFERS_H
#define STARPATH_MAPPED_BUFFERS_H

#include <starpu.h>
#include <starpu_opencl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One buffer of a task. `shadow` is StarPU's description of it with the address where it is mapped. */
struct starpath_mapped_buffer {
  union {
    struct starpu_matrix_interface matrix;
    struct starpu_vector_interface vector;
    struct starpu_variable_interface variable;
  } shadow;
  enum starpu_data_access_mode mode;
  cl_mem memory;
  size_t offset, bytes;
  void* host;
  void* before; /* a copy of what is only read */
};

static inline void starpath_check_opencl(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "FAIL: %s: OpenCL error %d\n", what, (int)error);
  abort();
}

/* Where the device has the buffer, and how long it is. */
static inline void starpath_locate(struct starpath_mapped_buffer* mapped, const void* buffer) {
  switch (*(const enum starpu_data_interface_id*)buffer) { /* the first member of each */
    case STARPU_MATRIX_INTERFACE_ID: {
      const struct starpu_matrix_interface* matrix = (const struct starpu_matrix_interface*)buffer;
      mapped->shadow.matrix = *matrix;
      mapped->memory = (cl_mem)matrix->dev_handle;
      mapped->offset = matrix->offset;
      mapped->bytes =
          matrix->nx == 0 || matrix->ny == 0 ? 0 : ((matrix->ny - 1) * matrix->ld + matrix->nx) * matrix->elemsize;
      return;
    }
    case STARPU_VECTOR_INTERFACE_ID: {
      const struct starpu_vector_interface* vector = (const struct starpu_vector_interface*)buffer;
      mapped->shadow.vector = *vector;
      mapped->memory = (cl_mem)vector->dev_handle;
      mapped->offset = vector->offset;
      mapped->bytes = vector->nx * vector->elemsize;
      return;
    }
    case STARPU_VARIABLE_INTERFACE_ID: {
      const struct starpu_variable_interface* variable = (const struct starpu_variable_interface*)buffer;
      mapped->shadow.variable = *variable;
      mapped->memory = (cl_mem)variable->dev_handle;
      mapped->offset = variable->offset;
      mapped->bytes = variable->elemsize;
      return;
    }
    default:
      fprintf(stderr, "FAIL: only matrices, vectors and variables are mapped\n");
      abort();
  }
}

/* Sets the address in the shadow. */
static inline void starpath_point_shadow(struct starpath_mapped_buffer* mapped) {
  const uintptr_t host = (uintptr_t)mapped->host;
  switch (*(const enum starpu_data_interface_id*)&mapped->shadow) {
    case STARPU_MATRIX_INTERFACE_ID:
      mapped->shadow.matrix.ptr = host;
      return;
    case STARPU_VECTOR_INTERFACE_ID:
      mapped->shadow.vector.ptr = host;
      return;
    default:
      mapped->shadow.variable.ptr = host;
      return;
  }
}

static inline void starpath_map(struct starpath_mapped_buffer* mapped, cl_command_queue queue) {
  mapped->host = mapped->before = NULL;
  if (mapped->bytes != 0) {
    cl_int error;
    mapped->host = clEnqueueMapBuffer(queue, mapped->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, mapped->offset,
                                      mapped->bytes, 0, NULL, NULL, &error);
    starpath_check_opencl(error, "clEnqueueMapBuffer");
    if ((mapped->mode & STARPU_RW) == STARPU_R) {
      mapped->before = malloc(mapped->bytes);
      memcpy(mapped->before, mapped->host, mapped->bytes);
    } else if ((mapped->mode & STARPU_R) == 0 && (mapped->mode & STARPU_REDUX) == 0) {
      memset(mapped->host, 0xA5, mapped->bytes);
    }
  }
  starpath_point_shadow(mapped);
}

static inline void starpath_unmap(struct starpath_mapped_buffer* mapped, cl_command_queue queue, const char* who) {
  if (mapped->bytes == 0) return;
  if (mapped->before != NULL && memcmp(mapped->before, mapped->host, mapped->bytes) != 0) {
    fprintf(stderr, "FAIL: %s changed a buffer that it only reads\n", who);
    abort();
  }
  free(mapped->before);
  starpath_check_opencl(clEnqueueUnmapMemObject(queue, mapped->memory, mapped->host, 0, NULL, NULL),
                        "clEnqueueUnmapMemObject");
}

/* Calls function(shadows of the buffers, argument) in the thread of an OpenCL worker. `who`: for messages. */
static inline void starpath_call_mapped(starpu_cpu_func_t function, void* buffers[], void* argument, int count,
                                        const enum starpu_data_access_mode* modes, const char* who) {
  struct starpath_mapped_buffer* mapped =
      (struct starpath_mapped_buffer*)calloc((size_t)count + 1, sizeof(struct starpath_mapped_buffer));
  void** shadows = (void**)calloc((size_t)count + 1, sizeof(void*));
  cl_command_queue queue;
  starpu_opencl_get_queue(starpu_worker_get_devid(starpu_worker_get_id_check()), &queue);
  for (int i = 0; i < count; i++) {
    starpath_locate(&mapped[i], buffers[i]);
    mapped[i].mode = modes[i];
    starpath_map(&mapped[i], queue);
    shadows[i] = &mapped[i].shadow;
  }
  function(shadows, argument);
  for (int i = 0; i < count; i++) starpath_unmap(&mapped[i], queue, who);
  starpath_check_opencl(clFinish(queue), "clFinish");
  free(shadows);
  free(mapped);
}

/* Calls `function` for the task that runs. Outside a task StarPU calls nothing but what initialises a part of a
 * reduction. */
static inline void starpath_call_task_mapped(starpu_cpu_func_t function, void* buffers[], void* argument) {
  struct starpu_task* task = starpu_task_get_current();
  if (task == NULL) {
    const enum starpu_data_access_mode written = STARPU_W;
    starpath_call_mapped(function, buffers, argument, 1, &written, "an initialising function");
    return;
  }
  const int count = STARPU_TASK_GET_NBUFFERS(task); /* may be more than STARPU_NMAXBUFS */
  enum starpu_data_access_mode* modes = (enum starpu_data_access_mode*)calloc((size_t)count + 1, sizeof *modes);
  for (int i = 0; i < count; i++) modes[i] = STARPU_TASK_GET_MODE(task, i);
  starpath_call_mapped(function, buffers, argument, count, modes,
                       task->cl->name != NULL ? task->cl->name : "a codelet without a name");
  free(modes);
}

/* For opencl_funcs of any codelet: its CPU implementation of the same number. */
static inline void starpath_cpu_function_mapped(void* buffers[], void* argument) {
  struct starpu_task* task = starpu_task_get_current();
  starpath_call_task_mapped(task->cl->cpu_funcs[starpu_task_get_implementation(task)], buffers, argument);
}

#endif
