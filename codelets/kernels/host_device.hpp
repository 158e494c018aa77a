// Marks functions that GPU code shares with the CPU: one definition of the meaning of a pixel or an object.
#pragma once
#if defined(__CUDACC__)
#define STARPATH_HD __host__ __device__
#else
#define STARPATH_HD
#endif
