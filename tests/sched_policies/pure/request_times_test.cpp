// Latencies of requests that one looks for, and the window that DQAA makes of them.
#include "sched_policies/core/request_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <vector>

#include "sched_policies/core/dqaa.hpp"

namespace starpath {
namespace {

TEST(RequestTimes, AnAnswerCameBetweenTwoLooks) {
  RequestTimes<const int*> times;
  const int a = 1, b = 2;
  std::vector<double> took;
  const auto look = [&](double now, const int* there) {
    times.look(
        now, [there](const int* request) { return request == there; },
        [&](double sent, double at) { took.push_back(at - sent); });
  };
  times.sent(&a, 10);
  times.sent(&b, 12);
  look(20, nullptr);
  look(30, &a);
  look(40, &a);
  EXPECT_EQ(took, std::vector<double>{15}) << "between 20 and 30, sent at 10; once only";
  EXPECT_EQ(times.forget(&b), 12);
  EXPECT_EQ(times.forget(&b), std::nullopt);
  look(50, &b);
  EXPECT_EQ(took.size(), 1U);
}

TEST(OneByOne, ARequestCountsFromTheAnswerBefore) {
  OneByOne answers;
  EXPECT_EQ(answers.took(0, 10), 10);
  EXPECT_EQ(answers.took(1, 20), 10);
  EXPECT_EQ(answers.took(30, 34), 4);
  EXPECT_EQ(answers.took(31, 33), 0) << "with the other one";
}

/// A worker whose requests take `latency` tasks each, one after the other, and that looks before each task. Where it
/// has to wait, the answer is known to have come when the task begins.
unsigned window_for(double latency) {
  Dqaa window(64);
  RequestTimes<const double*> times;
  OneByOne answers;
  std::deque<double> arrivals;  // of the tasks in its line
  double now = 0, link_free = 0;
  for (int task = 0; task < 400; ++task) {
    times.look(
        now, [&](const double* arrival) { return *arrival <= now; },
        [&](double sent, double at) { window.answered(answers.took(sent, at)); });
    if (!arrivals.empty()) {
      const auto sent = times.forget(&arrivals.front());
      if (sent) {
        now = arrivals.front();
        window.answered(answers.took(*sent, now));
      }
      arrivals.pop_front();
      window.taken();
    }
    while (window.due() > 0) {
      window.sent();
      link_free = std::max(link_free, now) + latency;
      times.sent(&arrivals.emplace_back(link_free), now);
    }
    now += 1;
    window.processed(1);
  }
  return window.target();
}

TEST(RequestTimes, GiveDqaaTheNumberOfTasksThatARequestTakes) {
  for (const double latency : {0.1, 0.9, 1.2, 1.9, 2.5, 5.5, 12.3})
    EXPECT_NEAR(window_for(latency), std::ceil(latency), 1) << latency;
}

}  // namespace
}  // namespace starpath
