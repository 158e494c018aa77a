#pragma once

// In the place of HIP's own header where StarPU was built with HIP, as in Debian testing: the types that StarPU's
// headers name in functions which are never called here. HIP's header makes empty macros of __noinline__ and others,
// with which the standard library of g++ 16 does not compile.

typedef struct ihipStream_t* hipStream_t;
typedef int hipError_t;
typedef int hipMemcpyKind;
struct hipDeviceProp_t;
