// The links that copy data to the places: queues that share the way to main memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "sched_policies/apex/copy_scale.hpp"
#include "sched_policies/apex/costed_task.hpp"

namespace starpath {

/// Copies to a place follow each other. Links that copy at the same time share the way to main memory evenly. At first
/// that is taken to be as wide as one link, as StarPU does. What is measured corrects it: a task that began had its
/// data, and one that kept its worker waiting did not have them before. The width is what was copied over how long.
/// What copies take over what was estimated is measured too (CopyScale), on all links together: so many measurements
/// come soonest.
///
/// Copies are given as the seconds that they take alone by the estimate. A copy's *position* is the sum of all that
/// were asked of its link before, and its own. Times are seconds of the caller's clock. Not thread-safe.
class Links {
 public:
  explicit Links(std::size_t places) : links_(places) {}

  /// Copies to a place start, and `back` from there later.
  StartedCopies start(PlaceId place, double copy, double back, double now) {
    advance(now);
    Link& link = links_[place];
    link.asked += copy + back;
    return {.position = link.asked - back, .alone = copy, .from = link.served, .could = link.could, .at = now};
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
    const double speed = 1 / std::max(1.0, busy() / width());
    const bool kept_waiting = waited >= copies.alone * scale();
    learn(link, copies, link.could - ago * speed, now - ago, kept_waiting);
    link.known = std::max(link.known, std::min(copies.position, link.asked));
    if (kept_waiting) link.served = std::min(link.served, copies.position + ago * speed / scale());
    link.served = std::max(link.served, link.known);
  }

  /// How many links can copy at full speed at the same time.
  double width() const {
    double served = 0;
    for (const Link& link : links_) served += link.served;
    return busy_ > 0 ? std::max(1.0, served * scale() / busy_) : 1;
  }

 private:
  struct Link {
    double asked = 0;    // of all copies that started
    double served = 0;   // of those that should be done
    double known = 0;    // of those that a task has used
    double planned = 0;  // of those that did not start
    double could = 0;    // seconds for which it would have copied alone, with something to copy all the time
    double from = 0, from_could = 0, from_at = 0;  // a position, `could` and the time when it had just come there
  };

  static double backlog(const Link& link) { return link.asked - link.served; }
  static double expected(const Link& link) { return backlog(link) + link.planned; }

  /// From when copies started, or later the link came to a known position, to when they were used. They took that long
  /// if a worker waited for them, else at most. How links share the way is not known: copies took all that time at
  /// most, and at least what even shares leave of it.
  void learn(Link& link, const StartedCopies& copies, double could, double at, bool exact) {
    const bool later = link.from_could > copies.could;
    const double distance = copies.position - (later ? link.from : copies.from);
    const double seconds = could - (later ? link.from_could : copies.could);
    if (copies.alone > 0 && distance > 0 && seconds > 0 && (exact || seconds < distance * std::max(1.0, scale())))
      scale_.measured(seconds / distance, (at - (later ? link.from_at : copies.at)) / distance);
    if (exact && copies.position > link.from) {
      link.from = copies.position;
      link.from_could = could;
      link.from_at = at;
    }
  }

  /// Until the link has made that many more. With equal shares it waits for as much of every other link.
  double seconds_for(PlaceId place, double copies) const {
    if (copies <= 0) return 0;
    const double alone = copies * scale();
    double all = alone;
    for (PlaceId other = 0; other < links_.size(); ++other)
      if (other != place) all += std::min(expected(links_[other]) * scale(), alone);
    return std::max(alone, all / width());
  }

  void advance(double now) {
    if (now <= at_) return;
    const double wide = width();
    double left = now - at_;
    at_ = now;
    while (left > 0) {
      double least = std::numeric_limits<double>::infinity(), links = 0;
      for (const Link& link : links_) {
        if (backlog(link) <= 0) continue;
        least = std::min(least, backlog(link) * scale());
        ++links;
      }
      const double slower = std::max(1.0, links / wide);
      const double copied = std::min(least, left / slower);
      for (Link& link : links_) {
        const bool copies = backlog(link) > 0;
        link.could += copied * slower / (copies ? slower : std::max(1.0, (links + 1) / wide));
        if (copies) link.served = backlog(link) * scale() <= copied ? link.asked : link.served + copied / scale();
      }
      if (links == 0) return;
      busy_ += copied * slower;
      if (copied < least) return;
      left -= copied * slower;
    }
  }

  std::vector<Link> links_;  // by place
  double at_ = 0;            // time up to which `served` holds
  double busy_ = 0;
  CopyScale scale_;
};

}  // namespace starpath
