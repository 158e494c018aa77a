// The links that copy data to the places: queues that share the way to main memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "sched_policies/apex/costed_task.hpp"

namespace starpath {

/// Copies to a place follow each other. Links that copy at the same time share the way to main memory evenly. At first
/// that is taken to be as wide as one link, as StarPU does. What is measured corrects it: a task that began had its
/// data, and one that kept its worker waiting did not have them before. The width is what was copied over how long.
///
/// Copies are given as the seconds that they take alone. A copy's *position* is the sum of all that were asked of its
/// link before, and its own. Times are seconds of the caller's clock. Not thread-safe.
class Links {
 public:
  explicit Links(std::size_t places) : links_(places) {}

  /// Copies to a place start, and `back` from there later. Returns the position of the first.
  double start(PlaceId place, double copy, double back, double now) {
    advance(now);
    Link& link = links_[place];
    link.asked += copy + back;
    return link.asked - back;
  }

  /// When copies would be done that start now.
  double done(PlaceId place, double copy, double now) {
    advance(now);
    return now + seconds_for(place, backlog(links_[place]) + copy);
  }
  /// When the copies up to a position should be done.
  double done_at(PlaceId place, double position, double now) {
    advance(now);
    return now + seconds_for(place, position - links_[place].served);
  }

  /// Between how many links a copy to the place would share the way now.
  double sharing(PlaceId place) const {
    double links = 1;
    for (PlaceId other = 0; other < links_.size(); ++other) links += other != place && backlog(links_[other]) > 0;
    return links;
  }

  /// A task began `ago` seconds before now whose copies have that position. `waited`: it would have begun before, but
  /// for them.
  void began(PlaceId place, double position, double ago, bool waited, double now) {
    if (position <= 0) return;  // nothing was copied for it
    advance(now);
    Link& link = links_[place];
    link.known = std::max(link.known, std::min(position, link.asked));
    if (waited) link.served = std::min(link.served, position + ago / std::max(1.0, sharing(place) / width()));
    link.served = std::max(link.served, link.known);
  }

  /// How many links can copy at full speed at the same time.
  double width() const {
    double served = 0;
    for (const Link& link : links_) served += link.served;
    return busy_ > 0 ? std::max(1.0, served / busy_) : 1;
  }

 private:
  struct Link {
    double asked = 0;   // of all copies
    double served = 0;  // of those that should be done
    double known = 0;   // of those that a task has used
  };

  static double backlog(const Link& link) { return link.asked - link.served; }

  /// Until the link has made that many more. With equal shares it waits for as much of every other link.
  double seconds_for(PlaceId place, double copies) const {
    if (copies <= 0) return 0;
    double all = copies;
    for (PlaceId other = 0; other < links_.size(); ++other)
      if (other != place) all += std::min(backlog(links_[other]), copies);
    return std::max(copies, all / width());
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
        least = std::min(least, backlog(link));
        ++links;
      }
      if (links == 0) return;
      const double slower = std::max(1.0, links / wide);
      const double copied = std::min(least, left / slower);
      for (Link& link : links_) link.served = backlog(link) <= copied ? link.asked : link.served + copied;
      busy_ += copied * slower;
      if (copied < least) return;
      left -= copied * slower;
    }
  }

  std::vector<Link> links_;  // by place
  double at_ = 0;            // time up to which `served` holds
  double busy_ = 0;
};

}  // namespace starpath
