// Weights of loops::Static as the rivals of HDSS choose them, for experiments: no schedule of `starpath loop` has data
// sheets or training runs.
#pragma once
#include <span>

namespace starpath::loops {

/// What Axel knows of a processor: its data sheet.
struct DataSheet {
  double operations_per_microsecond = 0;  ///< of all its cores
  double bytes_per_microsecond = 0;       ///< to and from it; infinity when its memory is the host's
};

/// Axel's weight of a processor: iterations per microsecond by the data sheet, transfer and computation one after the
/// other. Infinite or NaN when the sheet says nothing. Source: hdss-2013 section 4.3.
inline double axel_weight(const DataSheet& sheet, double operations_per_iteration, double bytes_per_iteration) {
  return 1 / (operations_per_iteration / sheet.operations_per_microsecond +
              bytes_per_iteration / sheet.bytes_per_microsecond);
}

/// A block of a training run.
struct TrainingPoint {
  double iterations = 0;
  double microseconds = 0;
};

/// Qilin's weight of a processor: one over the slope of a line through its training times (least squares). 0 with fewer
/// than two block sizes or a slope that is not above 0. Source: hdss-2013 section 4.3.
inline double qilin_weight(std::span<const TrainingPoint> points) {
  double mean_x = 0, mean_t = 0;
  for (const TrainingPoint& point : points) {
    mean_x += point.iterations / static_cast<double>(points.size());
    mean_t += point.microseconds / static_cast<double>(points.size());
  }
  double var = 0, cov = 0;
  for (const TrainingPoint& point : points) {
    var += (point.iterations - mean_x) * (point.iterations - mean_x);
    cov += (point.iterations - mean_x) * (point.microseconds - mean_t);
  }
  return var > 0 && cov > 0 ? var / cov : 0;
}

}  // namespace starpath::loops
