// Plain loops.
#include "codelets/benchmarks/loops.hpp"

namespace starpath::reference {

void vector_increment(const KernelContext&, std::span<std::uint32_t> values) {
  for (std::uint32_t& value : values) ++value;
}

void black_scholes(const KernelContext&, const OptionBatch& options) {
  for (std::size_t i = 0; i < options.spot.size(); ++i) {
    const detail::OptionPrice price =
        detail::option_price(options.spot[i], options.strike[i], options.years[i], options.rate, options.volatility);
    options.call[i] = price.call;
    options.put[i] = price.put;
  }
}

void value_histogram(const KernelContext&, std::span<const std::uint8_t> values, std::span<std::uint64_t> bins) {
  for (const std::uint8_t value : values) ++bins[value];
}

void zero_bins(const KernelContext&, std::span<std::uint64_t> bins) {
  for (std::uint64_t& bin : bins) bin = 0;
}

void add_bins(const KernelContext&, std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
}

void box_filter(const KernelContext&, GrayView in, int first, View<std::uint8_t> out, int radius) {
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      unsigned sum = 0, count = 0;
      for (int v = y + first - radius; v <= y + first + radius; ++v)
        for (int u = x - radius; u <= x + radius; ++u) {
          if (!in.contains(u, v)) continue;
          sum += in.at(u, v);
          ++count;
        }
      out.at(x, y) = static_cast<std::uint8_t>((2 * sum + count) / (2 * count));
    }
}

void n_body(const KernelContext&, std::span<const Body> bodies, std::size_t first, float softening,
            std::span<Acceleration> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Body& body = bodies[first + i];
    Acceleration sum{0, 0, 0};
    for (const Body& other : bodies) detail::attract(body, other, softening, sum);
    out[i] = sum;
  }
}

}  // namespace starpath::reference
