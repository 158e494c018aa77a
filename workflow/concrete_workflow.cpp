// From state to state.
#include "workflow/concrete_workflow.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace starpath::workflow {

/// A change to one tile: counts and ready instances are right again after it.
class ConcreteWorkflow::Change {
 public:
  Change(ConcreteWorkflow& workflow, std::size_t place) : workflow_(workflow), place_(place) {
    workflow_.count(place_, -1);
  }
  ~Change() {
    workflow_.refresh(place_);
    workflow_.count(place_, 1);
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

 private:
  ConcreteWorkflow& workflow_;
  const std::size_t place_;
};

ConcreteWorkflow::ConcreteWorkflow(AbstractWorkflow workflow, const std::vector<std::int64_t>& tiles, int ranks)
    : workflow_(std::move(workflow)),
      tiles_(tiles),
      deepest_first_(workflow_.size()),
      instances_(tiles.size() * workflow_.size()),
      over_(tiles.size()),
      ranks_(static_cast<std::size_t>(ranks)),
      new_(workflow_.size()) {
  std::iota(deepest_first_.begin(), deepest_first_.end(), 0);
  std::ranges::stable_sort(deepest_first_, std::greater(), [&](int stage) { return workflow_.depth(stage); });
  for (Rank& rank : ranks_) {
    rank.ready.resize(workflow_.size());
    rank.cannot.resize(workflow_.size());
  }
  place_of_.reserve(tiles_.size());
  for (std::size_t place = 0; place < tiles_.size(); ++place) {
    place_of_.emplace(tiles_[place], place);
    refresh(place);
    count(place, 1);
  }
}

void ConcreteWorkflow::check(int stage) const {
  if (stage < 0 || stage >= stages())
    throw Error(ErrorKind::mismatch, "a rank speaks of stage " + std::to_string(stage) + " of a workflow of " +
                                         std::to_string(stages()) + ": start every rank with the same workflow");
}

void ConcreteWorkflow::cannot_run(int rank, int stage) {
  check(stage);
  ranks_[static_cast<std::size_t>(rank)].cannot[static_cast<std::size_t>(stage)] = true;
}

std::vector<int> ConcreteWorkflow::stages_nobody_runs() const {
  std::vector<int> nobodys;
  for (int stage = 0; stage < stages(); ++stage)
    if (std::ranges::all_of(
            ranks_, [&](const Rank& rank) { return rank.lost || rank.cannot[static_cast<std::size_t>(stage)]; }))
      nobodys.push_back(stage);
  return nobodys;
}

std::optional<Handout> ConcreteWorkflow::hand_out_kept(int rank) { return hand_out(ready_for(rank), rank); }
std::optional<Handout> ConcreteWorkflow::hand_out_new(int rank) { return hand_out(new_, rank); }
std::optional<Handout> ConcreteWorkflow::hand_out_of(int holder, int rank) { return hand_out(ready_for(holder), rank); }

std::optional<Handout> ConcreteWorkflow::hand_out_beyond(int holder, int rank) {
  return hand_out(ready_for(holder), rank, holder);
}

/// `cannot`: a rank that cannot run the instance, if that is wanted.
std::optional<Handout> ConcreteWorkflow::hand_out(Ready& ready, int rank, int cannot) {
  if (abandoned_ || ranks_[static_cast<std::size_t>(rank)].lost) return std::nullopt;
  for (const int stage : deepest_first_) {
    const auto& places = ready[static_cast<std::size_t>(stage)];
    if (places.empty() || !can_run(rank, stage) || (cannot != kNobody && can_run(cannot, stage))) continue;
    return assign(*places.begin(), stage, rank);
  }
  return std::nullopt;
}

Handout ConcreteWorkflow::assign(std::size_t place, int stage, int rank) {
  const Change change(*this, place);
  make_waiting(place, stage);
  Handout handout{{tiles_[place], stage}, !is_begun(place), {}};
  for (const int before : workflow_.before(stage))
    if (const int keeper = at(place, before).rank; keeper != rank) handout.elsewhere.push_back({before, keeper});
  at(place, stage) = {State::assigned, !handout.elsewhere.empty(), rank};
  return handout;
}

std::vector<Release> ConcreteWorkflow::finished(int rank, const StageInstance& instance, bool over) {
  check(instance.stage);
  const std::size_t place = place_of_.at(instance.tile);
  if (!has(rank, place, instance.stage)) return {};
  const Change change(*this, place);
  at(place, instance.stage) = {State::done, false, rank};
  if (over) over_[place] = true;
  refresh(place);
  return release(place, rank, over);
}

/// Nobody keeps data that nobody needs. A rank that ran all later stages knows this by itself, and so does `finisher`
/// where it said that the tile is over.
std::vector<Release> ConcreteWorkflow::release(std::size_t place, int finisher, bool over) {
  std::vector<Release> releases;
  for (int stage = 0; stage < stages(); ++stage) {
    const int keeper = at(place, stage).rank;
    if (at(place, stage).state != State::done || keeper == kNobody || keeps_needed(place, keeper)) continue;
    if (keeper != finisher || !(over || ran_all_that_follows(place, keeper)))
      releases.push_back({keeper, tiles_[place]});
    for (int kept = 0; kept < stages(); ++kept)
      if (at(place, kept).state == State::done && at(place, kept).rank == keeper) at(place, kept).rank = kNobody;
  }
  return releases;
}

/// Whether the rank itself ran all stages that follow its instances of the tile.
bool ConcreteWorkflow::ran_all_that_follows(std::size_t place, int rank) const {
  for (int stage = 0; stage < stages(); ++stage) {
    if (at(place, stage).state != State::done || at(place, stage).rank != rank) continue;
    for (const int after : workflow_.after(stage))
      if (at(place, after).state != State::done || at(place, after).rank != rank) return false;
  }
  return true;
}

std::vector<Release> ConcreteWorkflow::returned(int rank, const StageInstance& instance) {
  check(instance.stage);
  const std::size_t place = place_of_.at(instance.tile);
  if (!has(rank, place, instance.stage)) return {};
  const Change change(*this, place);
  put_back(place, instance.stage);
  refresh(place);
  return release(place);
}

std::vector<Release> ConcreteWorkflow::vanished(int rank, const StageInstance& instance,
                                                const std::vector<int>& inputs) {
  check(instance.stage);
  for (const int input : inputs) check(input);
  const std::size_t place = place_of_.at(instance.tile);
  if (!has(rank, place, instance.stage)) return {};
  const Change change(*this, place);
  for (const int input : inputs)
    if (at(place, input).state == State::done && at(place, input).rank != rank) put_back(place, input);
  put_back(place, instance.stage);
  refresh(place);
  return release(place);
}

std::vector<Release> ConcreteWorkflow::lost(int rank) {
  ranks_[static_cast<std::size_t>(rank)].lost = true;
  std::vector<Release> releases;
  for (std::size_t place = 0; place < tiles_.size(); ++place) {
    const auto concerned = [&](int stage) {
      const Instance& instance = at(place, stage);
      return instance.rank == rank && (instance.state == State::assigned || instance.state == State::done);
    };
    bool any = false;
    for (int stage = 0; stage < stages(); ++stage) any = any || concerned(stage);
    if (!any) continue;
    const Change change(*this, place);
    for (int stage = 0; stage < stages(); ++stage) {
      if (!concerned(stage)) continue;
      if (at(place, stage).state == State::assigned)
        put_back(place, stage);
      else
        at(place, stage).rank = kNobody;
    }
    // Until nothing is needed that nobody keeps.
    for (int stage = stages() - 1; stage >= 0; --stage) {
      Instance& instance = at(place, stage);
      if (instance.state == State::done && instance.rank == kNobody && is_needed(place, stage)) {
        put_back(place, stage);
        stage = stages();
      }
    }
    refresh(place);
    const std::vector<Release> here = release(place);
    releases.insert(releases.end(), here.begin(), here.end());
  }
  return releases;
}

void ConcreteWorkflow::stop() {
  stopped_ = true;
  for (std::size_t place = 0; place < tiles_.size(); ++place)
    if (!is_begun(place)) refresh(place);
}

bool ConcreteWorkflow::has(int rank, std::size_t place, int stage) const {
  return at(place, stage).state == State::assigned && at(place, stage).rank == rank;
}

/// Whether all that it needs is done and kept.
bool ConcreteWorkflow::has_all(std::size_t place, int stage) const {
  return std::ranges::all_of(workflow_.before(stage), [&](int before) {
    return at(place, before).state == State::done && at(place, before).rank != kNobody;
  });
}

int ConcreteWorkflow::keeper_of_most(std::size_t place, int stage) const {
  int keeper = kNobody;
  std::ptrdiff_t most = 0;
  for (const int before : workflow_.before(stage)) {
    const int candidate = at(place, before).rank;
    const auto keeps =
        std::ranges::count_if(workflow_.before(stage), [&](int other) { return at(place, other).rank == candidate; });
    if (keeps > most || (keeps == most && candidate < keeper)) {
      keeper = candidate;
      most = keeps;
    }
  }
  return keeper;
}

bool ConcreteWorkflow::is_unfinished(std::size_t place, int stage) const {
  const State state = at(place, stage).state;
  return state != State::done && state != State::not_needed;
}

/// Whether an unfinished instance reads the data of this one.
bool ConcreteWorkflow::is_needed(std::size_t place, int stage) const {
  return std::ranges::any_of(workflow_.after(stage), [&](int after) { return is_unfinished(place, after); });
}

/// Whether the rank has an instance of the tile, or keeps data that are needed.
bool ConcreteWorkflow::keeps_needed(std::size_t place, int rank) const {
  for (int stage = 0; stage < stages(); ++stage) {
    const Instance& instance = at(place, stage);
    if (instance.rank != rank) continue;
    if (instance.state == State::assigned || (instance.state == State::done && is_needed(place, stage))) return true;
  }
  return false;
}

/// Whether the rank has an instance of the tile, or keeps data for one that no rank has.
bool ConcreteWorkflow::has_work(std::size_t place, int rank) const {
  for (int stage = 0; stage < stages(); ++stage) {
    const Instance& instance = at(place, stage);
    if (instance.rank != rank) continue;
    if (instance.state == State::assigned) return true;
    if (instance.state == State::done && std::ranges::any_of(workflow_.after(stage), [&](int after) {
          return at(place, after).state == State::waiting || at(place, after).state == State::ready;
        }))
      return true;
  }
  return false;
}

bool ConcreteWorkflow::is_begun(std::size_t place) const {
  for (int stage = 0; stage < stages(); ++stage)
    if (at(place, stage).state == State::assigned || at(place, stage).state == State::done) return true;
  return false;
}

/// The instance is to be computed again, and so is every instance whose data it needs and nobody keeps.
void ConcreteWorkflow::put_back(std::size_t place, int stage) {
  at(place, stage) = {};
  for (const int before : workflow_.before(stage)) {
    const Instance& input = at(place, before);
    if (input.state == State::not_needed || (input.state == State::done && input.rank == kNobody))
      put_back(place, before);
  }
}

void ConcreteWorkflow::count(std::size_t place, int sign) {
  std::int64_t open = 0;
  bool unfinished = false;
  for (int stage = 0; stage < stages(); ++stage) {
    const Instance& instance = at(place, stage);
    open += instance.state == State::waiting || instance.state == State::ready;
    unfinished = unfinished || is_unfinished(place, stage);
    if (instance.state == State::assigned && instance.fetching) fetching_ += sign;
    const bool first_of_rank = [&] {
      for (int earlier = 0; earlier < stage; ++earlier)
        if (at(place, earlier).rank == instance.rank && at(place, earlier).state != State::ready) return false;
      return true;
    }();
    if (instance.rank != kNobody && instance.state != State::ready && first_of_rank && has_work(place, instance.rank))
      ranks_[static_cast<std::size_t>(instance.rank)].in_hand += sign;
  }
  open_ += sign * open;
  if (is_begun(place)) open_begun_ += sign * open;
  left_ += unfinished ? sign : 0;
}

/// Among instances that are not begun: forgets those that are not needed, and makes ready those that can be.
void ConcreteWorkflow::refresh(std::size_t place) {
  const bool withdrawn = stopped_ && !is_begun(place);
  for (const int stage : deepest_first_) {
    make_waiting(place, stage);
    if (at(place, stage).state != State::waiting) continue;
    const bool needed = workflow_.after(stage).empty() || is_needed(place, stage);
    if (over_[place] || !needed)
      at(place, stage).state = State::not_needed;
    else if (!withdrawn && has_all(place, stage))
      make_ready(place, stage);
  }
}

/// The rank that keeps most of the data that the instance needs. An instance that needs no data is for a rank that has
/// the tile in work. Otherwise all tiles would be begun before the second stage of one, each with data that wait for
/// it.
int ConcreteWorkflow::rank_for(std::size_t place, int stage) const {
  const int keeper = keeper_of_most(place, stage);
  if (keeper != kNobody) return keeper;
  for (int other = 0; other < stages(); ++other) {
    const Instance& instance = at(place, other);
    const bool in_work = instance.state == State::assigned || instance.state == State::done;
    if (in_work && instance.rank != kNobody) return instance.rank;
  }
  return kNobody;
}

void ConcreteWorkflow::make_ready(std::size_t place, int stage) {
  const int rank = rank_for(place, stage);
  at(place, stage) = {State::ready, false, rank};
  ready_for(rank)[static_cast<std::size_t>(stage)].insert(place);
  if (rank != kNobody && ++ranks_[static_cast<std::size_t>(rank)].ready_count == 1) keepers_.insert(rank);
}

void ConcreteWorkflow::make_waiting(std::size_t place, int stage) {
  if (at(place, stage).state != State::ready) return;
  const int rank = at(place, stage).rank;
  ready_for(rank)[static_cast<std::size_t>(stage)].erase(place);
  if (rank != kNobody && --ranks_[static_cast<std::size_t>(rank)].ready_count == 0) keepers_.erase(rank);
  at(place, stage) = {};
}

}  // namespace starpath::workflow
