// The links that copy data to the places: queues that share the bus of main memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "sched_policies/apex/copy_scale.hpp"
#include "sched_policies/apex/costed_task.hpp"
#include "sched_policies/apex/shared_bus.hpp"

namespace starpath {

/// Copies to a place follow each other. Links that copy at the same time share the bus of main memory (SharedBus). At
/// first that is taken to be as wide as one link, as StarPU does. What is measured corrects it: a task that began had
/// its data, and one that kept its worker waiting did not have them before. The width is what was copied over how long.
/// What copies take over what was estimated is measured too (CopyScale), on all links together: so many measurements
/// come soonest.
///
/// Copies are given in *estimated* seconds: those that they take alone by the estimate. A copy's *position* is the sum
/// of all that were asked of its link before, and its own. Times are seconds of the caller's clock. Not thread-safe.
class Links {
 public:
  explicit Links(std::size_t places) : links_(places), backlogs_(places) {}

  /// Copies to a place start, and `back` from there later.
  StartedCopies start(PlaceId place, double copy, double back, double now) {
    advance(now);
    Link& link = links_[place];
    link.asked += copy + back;
    return {.position = link.asked - back,
            .alone = copy,
            .start = {.position = link.served, .full_speed = link.full_speed, .at = now}};
  }

  /// When copies would be done that start after all that are planned.
  double done(PlaceId place, double copy, double now) {
    advance(now);
    return now + seconds_for(place, expected(links_[place]) + copy);
  }
  /// When the copies up to a position should be done.
  double done_at(PlaceId place, double position, double now) {
    advance(now);
    return now + seconds_for(place, position - links_[place].served);
  }

  /// Copies to a place and back that will start later, all of them.
  void set_planned(PlaceId place, double copies) { links_[place].planned = copies; }

  /// How many links copy now, at least 1.
  double busy() const {
    double links = 0;
    for (const Link& link : links_) links += backlog(link) > 0;
    return std::max(1.0, links);
  }

  /// What copies take alone over what was estimated.
  double scale() const { return scale_.value(); }

  /// A task began `ago` seconds before now whose copies are these. `waited`: for how long its worker had nothing else
  /// to do before that.
  void began(PlaceId place, const StartedCopies& copies, double ago, double waited, double now) {
    if (copies.position <= 0) return;  // nothing was copied for it
    advance(now);
    Link& link = links_[place];
    const double speed = 1 / SharedBus{width()}.slowdown(busy());
    const bool kept_waiting = waited >= copies.alone * scale();
    learn(link, copies, {.position = copies.position, .full_speed = link.full_speed - ago * speed, .at = now - ago},
          kept_waiting);
    link.used = std::max(link.used, std::min(copies.position, link.asked));
    if (kept_waiting) link.served = std::min(link.served, copies.position + ago * speed / scale());
    link.served = std::max(link.served, link.used);
  }

  /// How many links can copy at full speed at the same time.
  double width() const {
    double served = 0;
    for (const Link& link : links_) served += link.served;
    return bus_busy_ > 0 ? std::max(1.0, served * scale() / bus_busy_) : 1;
  }

 private:
  /// Positions are sums of estimated seconds.
  struct Link {
    double asked = 0;       // position of the last copy that started
    double served = 0;      // up to which copies should be done
    double used = 0;        // up to which they are done: a task has used them
    double planned = 0;     // estimated seconds of those that did not start
    double full_speed = 0;  // LinkState
    LinkState reached;      // when a worker waited for it: so it had just come there
  };

  static double backlog(const Link& link) { return link.asked - link.served; }
  static double expected(const Link& link) { return backlog(link) + link.planned; }

  /// From when copies started, or later the link came to a known position, to when they were used (`end`). They took
  /// that long if a worker waited for them (`exact`), else at most. How links share the bus is not known: copies took
  /// all that time at most, and at least what even shares leave of it.
  void learn(Link& link, const StartedCopies& copies, const LinkState& end, bool exact) {
    const LinkState& begin = link.reached.full_speed > copies.start.full_speed ? link.reached : copies.start;
    const double distance = end.position - begin.position;
    const double seconds = end.full_speed - begin.full_speed;
    if (copies.alone > 0 && distance > 0 && seconds > 0 && (exact || seconds < distance * std::max(1.0, scale())))
      scale_.measured(seconds / distance, (end.at - begin.at) / distance);
    if (exact && end.position > link.reached.position) link.reached = end;
  }

  /// Until the link has made copies of so many estimated seconds more.
  double seconds_for(PlaceId place, double copies) const {
    if (copies <= 0) return 0;
    return SharedBus{width()}.seconds_for(copies * scale(), place, links_.size(),
                                          [&](std::size_t other) { return expected(links_[other]) * scale(); });
  }

  void advance(double now) {
    if (now <= at_) return;
    const SharedBus bus{width()};
    double left = now - at_;
    at_ = now;
    while (left > 0) {
      std::ranges::transform(links_, backlogs_.begin(), [&](const Link& link) { return backlog(link) * scale(); });
      const SharedBus::Step step = bus.step(backlogs_, left);
      for (std::size_t i = 0; i < links_.size(); ++i) {
        Link& link = links_[i];
        const bool copies = backlogs_[i] > 0;
        link.full_speed += step.seconds / bus.slowdown(copies ? step.links : step.links + 1);
        if (copies) link.served = backlogs_[i] <= step.copied ? link.asked : link.served + step.copied / scale();
      }
      if (step.links == 0) return;
      bus_busy_ += step.seconds;
      if (step.to_end) return;
      left -= step.seconds;
    }
  }

  std::vector<Link> links_;       // by place
  std::vector<double> backlogs_;  // seconds alone, by place, while `advance` works
  double at_ = 0;                 // time up to which `served` holds
  double bus_busy_ = 0;           // seconds for which any link has copied
  CopyScale scale_;
};

}  // namespace starpath
