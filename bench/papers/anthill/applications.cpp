#include "bench/papers/anthill/applications.hpp"

#include <cmath>
#include <cstdint>
#include <memory>

#include "codelets/benchmarks/estimator.hpp"
#include "codelets/benchmarks/loops.hpp"
#include "codelets/kernels/nbia_statistics.hpp"

namespace starpath::bench::anthill {
namespace {

double uniform(std::mt19937& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
}

/// A number between the two whose logarithm is uniform.
std::size_t size_between(std::mt19937& random, double low, double high) {
  return static_cast<std::size_t>(std::exp(uniform(random, std::log(low), std::log(high))));
}

template <class T>
std::shared_ptr<std::vector<T>> random_values(std::mt19937& random, std::size_t n, double low, double high) {
  auto values = std::make_shared<std::vector<T>>(n);
  for (T& value : *values) value = static_cast<T>(uniform(random, low, high));
  return values;
}

struct Thread {
  Scratch scratch;
  KernelContext context{scratch};
};

double real(std::size_t n) { return static_cast<double>(n); }

Job priced(std::mt19937& random, std::size_t n, std::size_t times) {
  const auto spot = random_values<double>(random, n, 5, 30), strike = random_values<double>(random, n, 1, 100),
             years = random_values<double>(random, n, 0.25, 10);
  const auto call = std::make_shared<std::vector<double>>(n), put = std::make_shared<std::vector<double>>(n);
  Job job{.parameters = {{"options", real(n)}},
          .run =
              [=] {
                Thread thread;
                for (std::size_t i = 0; i < times; ++i)
                  cpu::black_scholes(thread.context,
                                     {.spot = *spot, .strike = *strike, .years = *years, .call = *call, .put = *put});
                return real(n) * real(times);
              },
          .threads = real(n),
          .bytes = 40 * real(n),
          .calls = real(times)};
  if (times > 1) job.parameters.emplace_back("times", real(times));
  return job;
}

Job black_scholes(std::mt19937& random) { return priced(random, size_between(random, 1e5, 3e6), 1); }

Job repeated_black_scholes(std::mt19937& random) {
  const std::size_t n = size_between(random, 1e4, 3e5);
  return priced(random, n, size_between(random, 2, 64));
}

Job n_body(std::mt19937& random) {
  const std::size_t n = size_between(random, 2000, 12000), steps = 1 + random() % 8;
  const auto numbers = random_values<float>(random, 4 * n, 0.1, 1);
  const auto bodies = std::make_shared<std::vector<Body>>(n);
  for (std::size_t i = 0; i < n; ++i)
    (*bodies)[i] = {(*numbers)[4 * i], (*numbers)[4 * i + 1], (*numbers)[4 * i + 2], (*numbers)[4 * i + 3]};
  return {.parameters = {{"bodies", real(n)}, {"steps", real(steps)}},
          .run =
              [=] {
                Thread thread;
                std::vector<Acceleration> out(n);
                for (std::size_t step = 0; step < steps; ++step) cpu::n_body(thread.context, *bodies, 0, 0.01F, out);
                return real(n) * real(n) * real(steps);
              },
          .threads = real(n),
          .bytes = 28 * real(n),
          .calls = real(steps)};
}

Job heart(std::mt19937& random) {
  const std::size_t width = size_between(random, 128, 1024), height = size_between(random, 128, 1024);
  const std::size_t steps = 10 + random() % 90;
  const auto start = random_values<float>(random, width * height, 0, 1);
  return {.parameters = {{"width", real(width)}, {"height", real(height)}, {"steps", real(steps)}},
          .run =
              [=] {
                Thread thread;
                const int w = static_cast<int>(width), h = static_cast<int>(height);
                std::vector<float> before = *start, recovery(before.size()), next(before.size());
                for (std::size_t step = 0; step < steps; ++step, before.swap(next))
                  cpu::heart_step(thread.context, {.potential = {before.data(), w, h, w},
                                                   .first = 0,
                                                   .recovery = {recovery.data(), w, h, w},
                                                   .next = {next.data(), w, h, w}});
                return real(width * height) * real(steps);
              },
          .threads = real(width * height),
          .bytes = 12 * real(width * height),
          .calls = real(steps)};
}

Job nearest(std::mt19937& random) {
  const std::size_t queries = size_between(random, 1000, 8000), points = size_between(random, 2000, 20000);
  const std::size_t dimensions = 2 + random() % 15, k = 1 + random() % 16;
  const auto from = random_values<float>(random, queries * dimensions, 0, 1),
             to = random_values<float>(random, points * dimensions, 0, 1);
  return {.parameters = {{"queries", real(queries)},
                         {"points", real(points)},
                         {"dimensions", real(dimensions)},
                         {"k", real(k)}},
          .run =
              [=] {
                Thread thread;
                std::vector<Neighbour> found(queries * k);
                cpu::nearest_neighbours(
                    thread.context,
                    {.queries = *from, .points = *to, .dimensions = dimensions, .nearest = found, .k = k});
                return real(queries) * real(points) * real(dimensions);
              },
          .threads = real(queries),
          .bytes = 4 * real((queries + points) * dimensions) + 8 * real(queries * k)};
}

Job eclat(std::mt19937& random) {
  const std::size_t items = size_between(random, 40, 120), words = size_between(random, 32, 256);
  const auto support = static_cast<std::uint32_t>(uniform(random, 0.04, 0.12) * 64 * real(words));
  const auto bits = std::make_shared<std::vector<std::uint64_t>>(items * words);
  for (std::size_t item = 0; item < items; ++item) {
    const double often = uniform(random, 0.15, 0.40);
    for (std::size_t t = 0; t < 64 * words; ++t)
      if (uniform(random, 0, 1) < often) (*bits)[item * words + t / 64] |= std::uint64_t{1} << t % 64;
  }
  return {.parameters = {{"items", real(items)}, {"transactions", 64 * real(words)}, {"support", real(support)}},
          .run =
              [=] {
                Thread thread;
                std::vector<ItemCount> counts(items);
                cpu::frequent_items(thread.context,
                                    {.transactions = *bits, .words = words, .least_support = support, .longest = 4}, 0,
                                    counts);
                double tested = 0;
                for (const ItemCount& count : counts) tested += static_cast<double>(count.tested);
                return tested * real(words);
              },
          .threads = 64 * real(items),
          .bytes = 8 * real(items * words) + 24 * real(items)};
}

Job nbia(std::mt19937& random) {
  const std::size_t side = size_between(random, 32, 512);
  const auto values = random_values<std::uint8_t>(random, 3 * side * side, 60, 255);
  const auto pixels = std::make_shared<std::vector<Rgb>>(side * side);
  for (std::size_t i = 0; i < pixels->size(); ++i)
    (*pixels)[i] = {(*values)[3 * i], (*values)[3 * i + 1], (*values)[3 * i + 2]};
  return {.parameters = {{"side", real(side)}},
          .run =
              [=] {
                Thread thread;
                const int s = static_cast<int>(side);
                NbiaCounts counts;
                cpu::nbia_statistics(thread.context, {pixels->data(), s, s, s}, &counts);
                return real(side * side);
              },
          .threads = real(side * side),
          .bytes = 3 * real(side * side) + real(sizeof(NbiaCounts)),
          .calls = 3};
}

}  // namespace

// Gains: hdss-2013 Table I for Black-Scholes (169.8 s / 4.7 s), the lab's workload nbia for NBIA; the others are
// assumed.
const std::vector<Application>& applications() {
  static const std::vector<Application> all = {{"black-scholes", 36, black_scholes},
                                               {"n-body", 60, n_body},
                                               {"heart", 30, heart},
                                               {"knn", 25, nearest},
                                               {"eclat", 12, eclat},
                                               {"nbia-component", 43, nbia}};
  return all;
}

const std::vector<Application>& variants() {
  static const std::vector<Application> all = {{"black-scholes-repeated", 36, repeated_black_scholes}};
  return all;
}

}  // namespace starpath::bench::anthill
