// When the next sign of life is due. Pure.
#pragma once
namespace starpath::mpi {

/// Times are seconds of one clock of the caller. Not thread-safe.
class Heartbeat {
 public:
  /// Six signs of life within `patience`, the first one a sixth of it after `now`.
  Heartbeat(double patience, double now) : interval_(patience / 6), last_(now) {}

  /// True when the next one is to be sent; it counts as sent then.
  bool due(double now) {
    if (now - last_ < interval_) return false;
    last_ = now;
    return true;
  }

 private:
  double interval_, last_;
};

}  // namespace starpath::mpi
