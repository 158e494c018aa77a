// Handing out stage instances.
#include "mpi/protocol/manager.hpp"

#include <algorithm>

#include "mpi/protocol/agreement.hpp"

namespace starpath::mpi {
namespace {

constexpr int kRuntime = 7;  // ErrorKind

/// "the stage 'a'", "the stages 'a.1' and 'a.2'".
std::string stages_in_words(const workflow::AbstractWorkflow& workflow, const std::vector<int>& stages) {
  std::string words = stages.size() == 1 ? "the stage " : "the stages ";
  for (std::size_t i = 0; i < stages.size(); ++i)
    words += (i == 0 ? "'" : i + 1 == stages.size() ? " and '" : ", '") + workflow.name(stages[i]) + "'";
  return words;
}

/// A line that also names the stages that wait for these in vain.
std::string nobody_runs(const workflow::AbstractWorkflow& workflow, const std::vector<int>& nobodys) {
  std::vector<int> waiting;
  for (const int stage : nobodys)
    for (const int after : workflow.after(stage))
      if (std::ranges::count(nobodys, after) + std::ranges::count(waiting, after) == 0) waiting.push_back(after);
  std::string line = "no worker of any rank can run " + stages_in_words(workflow, nobodys);
  if (!waiting.empty())
    line += ", for which " + stages_in_words(workflow, waiting) + (waiting.size() == 1 ? " waits" : " wait");
  return line + ": start ranks that have what the operations need (see STARPU_NCPU, STARPU_NCUDA)";
}

}  // namespace

Manager::Manager(int ranks, Agreement agreement, const std::vector<std::int64_t>& tiles, int takers,
                 workflow::AbstractWorkflow workflow)
    : agreement_(std::move(agreement)),
      work_(std::move(workflow), tiles, ranks),
      ranks_(static_cast<std::size_t>(ranks)),
      takers_(static_cast<std::size_t>(takers > 0 ? takers : ranks)) {}

Manager::Sends Manager::receive(int rank, const ToManager& message) {
  Sends out;
  std::visit([&](const auto& known) { handle(rank, known, out); }, message);
  return out;
}

Manager::Sends Manager::stop() {
  Sends out;
  stopped_ = true;
  work_.stop();
  for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) tell_drop(rank, out);
  serve_all(out);
  return out;
}

Manager::Sends Manager::fail(const RankFailure& failure) {
  if (!failure_) failure_ = failure;
  rank_at(failure.rank).standing = Standing::abandoned;
  const auto releases = work_.lost(failure.rank);
  abandon_if_stuck();
  Sends out = stop();
  tell_forget(releases, out);
  tell_lost(failure.rank, out);
  return out;
}

bool Manager::over() const {
  return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.gone(); });
}

void Manager::handle(int number, const Hello& hello, Sends& out) {
  Rank& rank = rank_at(number);
  const std::string difference = disagreement(agreement_, hello.agreement);
  if (!difference.empty() || failure_) {
    rank.standing = Standing::refused;
    out.emplace_back(number, Refused{difference.empty() ? "the job has failed" : difference});
    if (difference.empty()) return lose(number, out);
    const Sends ends = fail({number, kMismatch, difference});
    out.insert(out.end(), ends.begin(), ends.end());
    return;
  }
  rank.standing = Standing::welcome;
  out.emplace_back(number, Welcome{});
  serve(number, out);
}

void Manager::handle(int number, const Ready& ready, Sends& out) {
  rank_at(number).introduction = ready.introduction;
  Begin begin;
  for (const Rank& rank : ranks_)
    if (rank.introduction) begin.introductions.push_back(*rank.introduction);
  if (stopped_ || begin.introductions.size() < ranks_.size()) return;
  begun_ = true;
  for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) out.emplace_back(rank, begin);
}

void Manager::handle(int number, const Request& request, Sends& out) {
  Rank& rank = rank_at(number);
  rank.room += request.instances;
  if (rank.room > 0) with_room_.insert(number);
  for (const int stage : request.cannot) work_.cannot_run(number, stage);
  if (rank.window == 0 && request.instances > 0) {
    rank.window = request.instances;
    windows_ += rank.window;
    ++asked_;
  }
  const std::vector<int> nobodys = abandon_if_stuck();
  if (!nobodys.empty() && !failure_) {
    failure_ = RankFailure{number, kRuntime, nobody_runs(work_.workflow(), nobodys)};
    const Sends ends = stop();
    out.insert(out.end(), ends.begin(), ends.end());
    return;
  }
  serve(number, out);
}

void Manager::handle(int number, const Finished& finished, Sends& out) {
  if (finished.over) {
    ++rank_at(number).finished;
    ++finished_;
  }
  tell_forget(work_.finished(number, {finished.tile, finished.stage}, finished.over), out);
  answered(number, out);
  serve(number, out);
  // Later stages may be for others. A rank whose last stages others did may begin another tile.
  if (work_.workflow().size() > 1)
    for (auto rank = with_room_.begin(); rank != with_room_.end();) serve(*rank++, out);
}

void Manager::handle(int number, const Returned& returned, Sends& out) {
  tell_forget(returned.vanished.empty() ? work_.returned(number, returned.instance)
                                        : work_.vanished(number, returned.instance, returned.vanished),
              out);
  answered(number, out);
  serve_all(out);
}

/// One more answer of a rank: of one that failed, it may be the last that it had sent.
void Manager::answered(int number, Sends& out) {
  ++rank_at(number).answered;
  if (at(number).failed && at(number).gone()) lose(number, out);
}

void Manager::lose(int number, Sends& out) {
  tell_forget(work_.lost(number), out);
  abandon_if_stuck();
  serve_all(out);
}

/// Tiles that are begun would wait for ever for stages that nobody can run, or nobody any more: those stages.
std::vector<int> Manager::abandon_if_stuck() {
  std::vector<int> nobodys = work_.left() > 0 ? work_.stages_nobody_runs() : std::vector<int>{};
  if (!nobodys.empty()) work_.abandon();
  return nobodys;
}

void Manager::handle(int, const Interrupted&, Sends& out) { out = stop(); }

void Manager::handle(int number, const Failed& failed, Sends& out) {
  Rank& rank = rank_at(number);
  rank.expected = failed.answered;
  rank.failed = true;
  if (!failure_) failure_ = RankFailure{number, failed.kind, failed.reason};
  out = stop();
  tell_lost(number, out);
  if (rank.gone()) lose(number, out);
}

void Manager::handle(int number, const Bye& bye, Sends&) {
  Rank& rank = rank_at(number);
  rank.expected = bye.answered;
  rank.books = bye.books;
}

/// Ranks that want data of the lost rank would wait for ever.
void Manager::tell_lost(int lost, Sends& out) {
  if (work_.workflow().size() == 1) return;
  for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank)
    if (rank != lost && at(rank).standing == Standing::welcome && !at(rank).expected)
      out.emplace_back(rank, Lost{lost});
}

void Manager::tell_forget(const std::vector<workflow::Release>& releases, Sends& out) {
  for (const auto& [rank, tile] : releases)
    if (at(rank).standing == Standing::welcome && !at(rank).expected) out.emplace_back(rank, Forget{{tile}});
}

void Manager::serve(int number, Sends& out) {
  Rank& rank = rank_at(number);
  if (rank.standing != Standing::welcome) return;
  if (stopped_) tell_drop(number, out);
  Assign assign;
  while (!ended_ && !rank.expected && rank.room > 0) {
    auto next = next_for(number);
    if (!next) break;
    assign.instances.push_back(std::move(*next));
    --rank.room;
    ++rank.assigned;
  }
  if (rank.room == 0) with_room_.erase(number);
  if (!assign.instances.empty()) out.emplace_back(number, std::move(assign));
  if (!ended_ && !work_.exhausted()) return;
  ended_ = true;
  for (int other = 0; other < static_cast<int>(ranks_.size()); ++other) tell_end(other, out);
}

void Manager::serve_all(Sends& out) {
  for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) serve(rank, out);
}

std::optional<Handout> Manager::next_for(int rank) {
  if (auto next = work_.hand_out_kept(rank)) return next;
  const bool has_its_share = work_.in_hand(rank) >= fair_share(rank);
  if (!has_its_share)
    if (auto next = work_.hand_out_new(rank)) return next;
  return next_of_others(rank, has_its_share);
}

/// Beyond its share, only instances that would otherwise wait for ever.
std::optional<Handout> Manager::next_of_others(int rank, bool has_its_share) {
  for (const int other : work_.keepers()) {
    if (other == rank) continue;
    const bool has_much = !has_its_share && work_.in_hand(other) > fair_share(other);
    if (auto next = has_much ? work_.hand_out_of(other, rank) : work_.hand_out_beyond(other, rank)) return next;
  }
  return std::nullopt;
}

std::int64_t Manager::fair_share(int number) const {
  const Rank& rank = at(number);
  const std::int64_t silent = (static_cast<std::int64_t>(takers_) - asked_) * rank.window;  // taken for alike
  const std::int64_t weight = rank.window + rank.finished, all = windows_ + silent + finished_;
  return all == 0 ? 0 : (left() * weight + all - 1) / all;
}

void Manager::tell_drop(int number, Sends& out) {
  Rank& rank = rank_at(number);
  if (rank.standing != Standing::welcome || rank.expected || rank.told_drop) return;
  rank.told_drop = true;
  out.emplace_back(number, Drop{begun_});
}

void Manager::tell_end(int number, Sends& out) {
  Rank& rank = rank_at(number);
  if (rank.standing != Standing::welcome || rank.expected || rank.told_end) return;
  rank.told_end = true;
  out.emplace_back(number, End{rank.assigned});
}

}  // namespace starpath::mpi
