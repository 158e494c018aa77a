// A loop that is run and measured beside the serial one.
#pragma once
#include <cstddef>
#include <string>

#include "loops/works/work.hpp"

namespace starpath {

struct LoopRequest {
  std::string name;      ///< of find_loop_work()
  std::size_t size = 0;  ///< 0: the loop's own
  std::string schedule = "hdss";
  double growth = LoopOptions{}.growth;
  double guided_share = LoopOptions{}.guided_share;
  bool lanes = false;
  std::size_t initial_block = 0;
  double slow = 1;  ///< LoopWork::slow
};

struct MeasuredLoop {
  std::size_t iterations = 0;
  LoopReport report;
  double serial_microseconds = 0;
  bool same = false;  ///< the results have the bits of the serial ones

  static bool on_gpu(const LoopShare& share);
  std::size_t gpu_iterations() const;
  /// How much earlier than the last worker the first one ends, in percent of the loop's time.
  double difference() const;
};

/// StarPU must be running. Throws Error{usage} for a loop that is not known.
MeasuredLoop measure_loop(const LoopRequest& request);

}  // namespace starpath
