// The links that copy data to the places: queues that share the bus of main memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "sched_policies/apex/copy_scale.hpp"
#include "sched_policies/apex/costed_task.hpp"

namespace starpath {

/// Forecasts when copies to each place will be done: one link for each place, and a bus of main memory that all share.
///   - A link makes its copies one after the other, in the order in which they were started. StarPU makes those of a
///     higher priority first; that is not forecast, and only seen when their task begins.
///   - Links that copy at the same time share the bus evenly. At first the bus counts as wide as one link, as StarPU
///     has it. Its width is then what was copied while several links copied, over how long that took. A link that
///     copies alone does not show the width.
///   - A task that begins has its data. If it kept its worker waiting, the data were not there before. That corrects
///     how much each link still has to copy.
///   - How much longer copies take than estimated is measured on all links together (CopyScale), so that there soon are
///     enough measurements. No worker can be seen to wait for short copies.
///
/// Copies are given in *estimated* seconds: those that they take alone by the estimate. A copy's *position* is the sum
/// of all that were asked of its link before, and its own. Times are seconds of the caller's clock. Not thread-safe.
class Links {
 public:
  explicit Links(std::size_t places) : links_(places) {}

  /// Copies to a place start, and `back` from there later.
  StartedCopies start(PlaceId place, double copy, double back, double now) {
    advance(now);
    Link& link = links_[place];
    link.asked += copy + back;
    const double position = link.asked - back, queue = position - link.served;
    return {.position = position,
            .alone = copy,
            .at = now,
            .least = queue,
            .expected = seconds_for(place, queue) / scale()};
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

  /// How many links copy now.
  double busy() const {
    return static_cast<double>(std::ranges::count_if(links_, [](const Link& link) { return backlog(link) > 0; }));
  }
  /// What copies take alone over what was estimated.
  double scale() const { return scale_.value(); }
  /// How many links can copy at full speed at the same time.
  double width() const {
    double served = 0;
    for (const Link& link : links_) served += link.served;
    return shared_ > 0 ? std::max(1.0, (served - alone_) * scale() / shared_) : 1;
  }

  /// A task began `ago` seconds before now whose copies are these. `waited`: for how long its worker had nothing else
  /// to do before that.
  void began(PlaceId place, const StartedCopies& copies, double ago, double waited, double now) {
    if (copies.position <= 0) return;  // nothing was copied for it
    advance(now);
    Link& link = links_[place];
    const bool kept_waiting = copies.alone >= kTelling && waited >= copies.alone * scale();
    const double took = now - ago - copies.at;  // if its worker waited, else at most
    if (copies.alone > 0 && took > 0 && (kept_waiting || took < copies.expected * std::max(1.0, scale())))
      scale_.measured(took / copies.expected, took / copies.least);
    link.used = std::max(link.used, std::min(copies.position, link.asked));
    if (kept_waiting) link.served = std::min(link.served, copies.position + ago / slowdown(busy()) / scale());
    link.served = std::max(link.served, link.used);
  }

 private:
  /// Estimated seconds of copies that a worker can be seen to wait for: between tasks it is idle for microseconds
  /// anyway.
  static constexpr double kTelling = 100e-6;

  /// Positions are sums of estimated seconds.
  struct Link {
    double asked = 0;    // position of the last copy that started
    double served = 0;   // up to which copies should be done
    double used = 0;     // up to which they are done: a task has used them
    double planned = 0;  // estimated seconds of those that did not start
  };

  static double backlog(const Link& link) { return link.asked - link.served; }
  static double expected(const Link& link) { return backlog(link) + link.planned; }
  /// By how much a copy takes longer than alone while so many links copy.
  double slowdown(double links) const { return std::max(1.0, links / width()); }

  /// Until the link has made copies of so many estimated seconds more: with even shares it waits for as much of each
  /// other one, if that has so much to copy.
  double seconds_for(PlaceId place, double copies) const {
    if (copies <= 0) return 0;
    double all = copies;
    for (const Link& other : links_)
      if (&other != &links_[place]) all += std::min(expected(other), copies);
    return std::max(copies, all / width()) * scale();
  }

  /// As if those links that copy had done so since the last call: calls are frequent.
  void advance(double now) {
    if (now <= at_) return;
    const double seconds = now - at_, links = busy(), slower = slowdown(links);
    at_ = now;
    double longest = 0;
    for (Link& link : links_) {
      if (backlog(link) <= 0) continue;
      longest = std::max(longest, backlog(link) * scale() * slower);
      const double served = std::min(backlog(link), seconds / slower / scale());
      link.served += served;
      if (links == 1) alone_ += served;
    }
    if (links > 1) shared_ += std::min(seconds, longest);
  }

  std::vector<Link> links_;  // by place
  double at_ = 0;            // time up to which `served` holds
  double shared_ = 0;        // seconds for which several links have copied
  double alone_ = 0;         // estimated seconds of what one copied while no other did
  CopyScale scale_;
};

}  // namespace starpath
