// Least squares of w = a ln(x) + b over points that come one at a time.
#pragma once
#include <cmath>
#include <limits>

namespace starpath::loops {

/// How the rate w of a processor grows with the block size x. Source: hdss-2013 section 3.2. Constant time and space.
class LogFit {
 public:
  struct Curve {
    double a = 0;
    double b = 0;
    double at(double x) const { return a * std::log(x) + b; }
  };

  /// `x` above 0; both finite.
  void add(double x, double w) {
    // Means and central moments rather than plain sums: ln(x) of close block sizes differs in late digits only.
    const double u = std::log(x);
    ++points_;
    const double n = static_cast<double>(points_);
    const double du = u - mean_u_;
    mean_u_ += du / n;
    const double dw = w - mean_w_;
    mean_w_ += dw / n;
    var_u_ += du * (u - mean_u_);
    var_w_ += dw * (w - mean_w_);
    cov_ += du * (w - mean_w_);
  }

  unsigned points() const { return points_; }

  /// Through the mean with a = 0 while all block sizes are equal.
  Curve curve() const {
    const double a = var_u_ > 1e-9 ? cov_ / var_u_ : 0;
    return {a, mean_w_ - a * mean_u_};
  }

  /// Standard error of a; infinite with fewer than three points or equal block sizes.
  double slope_error() const {
    if (points_ < 3 || !(var_u_ > 1e-9)) return std::numeric_limits<double>::infinity();
    const double residual = var_w_ - cov_ * cov_ / var_u_;
    return std::sqrt((residual > 0 ? residual : 0) / (points_ - 2) / var_u_);
  }

 private:
  unsigned points_ = 0;
  double mean_u_ = 0, mean_w_ = 0, var_u_ = 0, var_w_ = 0, cov_ = 0;
};

}  // namespace starpath::loops
