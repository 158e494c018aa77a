// How long requests took to be answered, where answers do not report themselves: one looks for them now and then.
#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace starpath {

/// How long each of a worker's requests took. Those that are under way at once share a way, so each counts from the
/// answer before it, as if it had been sent then. Else requests of a worker that asks for more would take longer, and
/// it would ask for more again. Source: anthill-2010 section 5.3.1, Algorithm 3, which sends a request once the last
/// one is answered.
class OneByOne {
 public:
  /// A request sent at `sent` was answered at `at`.
  double took(double sent, double at) {
    const double time = std::max(0.0, at - std::max(sent, last_));
    last_ = std::max(last_, at);
    return time;
  }

 private:
  double last_ = 0;
};

/// The requests of one worker that were not answered yet. An answer came between the last look that did not find it and
/// the first that did. The middle counts: looks after each task then tell how many tasks a request takes, rounded up.
/// No clock: the caller gives times, in any unit. `Request` is a pointer that names one. Not thread-safe.
template <class Request>
class RequestTimes {
 public:
  void sent(Request request, double now) { waiting_.push_back({request, now, now}); }

  /// `there(request)`: whether its answer is there. `answered(sent, at)` is called for each that is, in the order of
  /// requests.
  template <class There, class Answered>
  void look(double now, There there, Answered answered) {
    std::size_t kept = 0;
    for (Waiting& each : waiting_) {
      if (there(each.request)) {
        answered(each.sent, (each.looked + now) / 2);
      } else {
        each.looked = now;
        waiting_[kept++] = each;
      }
    }
    waiting_.resize(kept);
  }

  /// The request is no longer looked for. When it was sent, if it was not answered.
  std::optional<double> forget(Request request) {
    const auto found = std::ranges::find(waiting_, request, &Waiting::request);
    if (found == waiting_.end()) return std::nullopt;
    const double sent = found->sent;
    waiting_.erase(found);
    return sent;
  }

 private:
  struct Waiting {
    Request request = nullptr;
    double sent = 0, looked = 0;
  };
  std::vector<Waiting> waiting_;
};

}  // namespace starpath
