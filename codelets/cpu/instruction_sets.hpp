// Instructions that only some processors have, and which of them the compiler may have used in the kernels.
#pragma once

/// SET(macro, name) for each: the macro that the compiler defines where it may use them, and their name in
/// __builtin_cpu_supports.
#define STARPATH_INSTRUCTION_SETS(SET)  \
  SET(__SSE4_2__, "sse4.2")             \
  SET(__POPCNT__, "popcnt")             \
  SET(__AVX__, "avx")                   \
  SET(__FMA4__, "fma4")                 \
  SET(__XOP__, "xop")                   \
  SET(__AVX2__, "avx2")                 \
  SET(__BMI__, "bmi")                   \
  SET(__BMI2__, "bmi2")                 \
  SET(__FMA__, "fma")                   \
  SET(__AVX512F__, "avx512f")           \
  SET(__AVX512CD__, "avx512cd")         \
  SET(__AVX512DQ__, "avx512dq")         \
  SET(__AVX512BW__, "avx512bw")         \
  SET(__AVX512VL__, "avx512vl")         \
  SET(__AVX512VBMI__, "avx512vbmi")     \
  SET(__AVX512VBMI2__, "avx512vbmi2")   \
  SET(__AVX512IFMA__, "avx512ifma")     \
  SET(__AVX512VNNI__, "avx512vnni")     \
  SET(__AVX512BITALG__, "avx512bitalg") \
  SET(__AVX512VPOPCNTDQ__, "avx512vpopcntdq")

namespace starpath {

/// In the order of the list. Data that needs no code, so it can be read where the kernels cannot run.
extern const bool kKernelsUse[];

}  // namespace starpath
