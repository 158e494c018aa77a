// main of gpu_tests: the tests of the CUDA kernels on a GPU. Exits 77 without one, having run nothing.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "gpu_tests: there is no CUDA device here (%s): nothing was checked\n",
                 error == cudaSuccess ? "none found" : cudaGetErrorString(error));
    return 77;
  }
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess)
    std::printf("device: %s, compute %d.%d, %.1f GiB\n", properties.name, properties.major, properties.minor,
                static_cast<double>(properties.totalGlobalMem) / (1 << 30));
  return RUN_ALL_TESTS();
}
