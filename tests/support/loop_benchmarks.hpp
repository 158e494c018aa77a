// Inputs of the loop benchmarks.
#pragma once
#include "codelets/benchmarks/loops.hpp"
#include "support/images.hpp"

namespace starpath::support {

template <class Real>
Real uniform(Rng& rng, Real low, Real high) {
  return std::uniform_real_distribution<Real>(low, high)(rng);
}

struct Prices {
  std::vector<double> spot, strike, years, call, put;

  explicit Prices(std::size_t n) : spot(n), strike(n), years(n), call(n), put(n) {}
  void fill(Rng& rng) {
    for (std::size_t i = 0; i < spot.size(); ++i) {
      spot[i] = uniform(rng, 1e-3, 100.0);
      strike[i] = uniform(rng, 1e-3, 100.0);
      years[i] = uniform(rng, 1e-3, i % 10 == 0 ? 1000.0 : 10.0);
    }
  }
  OptionBatch part(std::size_t begin, std::size_t n) {
    const auto of = [&](std::vector<double>& all) { return std::span(all).subspan(begin, n); };
    return {.spot = of(spot), .strike = of(strike), .years = of(years), .call = of(call), .put = of(put)};
  }
};

inline std::vector<Body> random_bodies(Rng& rng, std::size_t n) {
  std::vector<Body> bodies(n);
  for (Body& body : bodies)
    body = {uniform(rng, -1.0F, 1.0F), uniform(rng, -1.0F, 1.0F), uniform(rng, -1.0F, 1.0F), uniform(rng, 0.0F, 1.0F)};
  return bodies;
}

}  // namespace starpath::support
