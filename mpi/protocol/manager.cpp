// Handing out tiles.
#include "mpi/protocol/manager.hpp"

#include <algorithm>

namespace starpath::cluster {
namespace {

constexpr int kMismatch = 5;  // ErrorKind::mismatch

}  // namespace

Manager::Manager(int ranks, Agreement agreement, std::vector<std::int64_t> tiles, int takers)
    : agreement_(std::move(agreement)),
      tiles_(std::move(tiles)),
      ranks_(static_cast<std::size_t>(ranks)),
      takers_(static_cast<std::size_t>(takers > 0 ? takers : ranks)),
      total_(static_cast<std::int64_t>(tiles_.size())) {}

Manager::Sends Manager::receive(int rank, const ToManager& message) {
  Sends out;
  std::visit([&](const auto& known) { handle(rank, known, out); }, message);
  return out;
}

Manager::Sends Manager::stop() {
  Sends out;
  stopped_ = true;
  end_all(out);
  return out;
}

Manager::Sends Manager::fail(const RankFailure& failure) {
  if (!failure_) failure_ = failure;
  ranks_[static_cast<std::size_t>(failure.rank)].standing = Standing::abandoned;
  return stop();
}

bool Manager::over() const {
  return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.gone(); });
}

void Manager::handle(int number, const Hello& hello, Sends& out) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  const std::string difference = disagreement(hello.agreement);
  if (!difference.empty() || failure_) {
    rank.standing = Standing::refused;
    out.emplace_back(number, Refused{difference.empty() ? "the job has failed" : difference});
    if (difference.empty()) return;
    const Sends ends = fail({number, kMismatch, difference});
    out.insert(out.end(), ends.begin(), ends.end());
    return;
  }
  rank.standing = Standing::welcome;
  out.emplace_back(number, Welcome{});
  serve(number, out);
}

void Manager::handle(int number, const Ready& ready, Sends& out) {
  ranks_[static_cast<std::size_t>(number)].introduction = ready.introduction;
  Begin begin;
  for (const Rank& rank : ranks_)
    if (rank.introduction) begin.introductions.push_back(*rank.introduction);
  if (stopped_ || begin.introductions.size() < ranks_.size()) return;
  begun_ = true;
  for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) out.emplace_back(rank, begin);
}

void Manager::handle(int number, const Request& request, Sends& out) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  rank.room += request.tiles;
  if (rank.window == 0 && request.tiles > 0) {
    rank.window = request.tiles;
    windows_ += rank.window;
    ++asked_;
  }
  serve(number, out);
}

void Manager::handle(int number, const Finished&, Sends& out) {
  ++ranks_[static_cast<std::size_t>(number)].finished;
  ++finished_;
  serve(number, out);
}

void Manager::handle(int, const Interrupted&, Sends& out) { out = stop(); }

void Manager::handle(int number, const Failed& failed, Sends& out) {
  ranks_[static_cast<std::size_t>(number)].expected = failed.finished;
  if (!failure_) failure_ = RankFailure{number, failed.kind, failed.reason};
  out = stop();
}

void Manager::handle(int number, const Bye& bye, Sends&) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  rank.expected = bye.finished;
  rank.books = bye.books;
}

void Manager::serve(int number, Sends& out) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  if (rank.standing != Standing::welcome) return;
  const std::int64_t count = std::min({rank.room, fair_share(rank) - (rank.assigned - rank.finished),
                                       static_cast<std::int64_t>(tiles_.size() - next_)});
  if (!nothing_to_give() && count > 0) {
    const auto first = tiles_.begin() + static_cast<std::ptrdiff_t>(next_);
    out.emplace_back(number, Assign{{first, first + count}});
    next_ += static_cast<std::size_t>(count);
    rank.room -= count;
    rank.assigned += count;
  }
  if (nothing_to_give()) end_all(out);
}

std::int64_t Manager::fair_share(const Rank& rank) const {
  const std::int64_t silent = (static_cast<std::int64_t>(takers_) - asked_) * rank.window;  // taken for alike
  const std::int64_t weight = rank.window + rank.finished, all = windows_ + silent + finished_;
  return all == 0 ? 0 : (left() * weight + all - 1) / all;
}

void Manager::end(int number, Sends& out) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  const EndSent due = stopped_ ? EndSent::with_drop : EndSent::yes;
  if (rank.standing != Standing::welcome || rank.expected || rank.end == due) return;
  rank.end = due;
  out.emplace_back(number, End{rank.assigned, stopped_, begun_});
}

void Manager::end_all(Sends& out) {
  for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) end(rank, out);
}

std::string Manager::disagreement(const Agreement& other) const {
  if (other.version != agreement_.version)
    return "it runs starpath " + other.version + ", rank 0 runs " + agreement_.version +
           ": install the same on every node";
  if (other.slide != agreement_.slide)
    return "it sees another slide (fingerprint " + other.slide + ", rank 0 has " + agreement_.slide +
           "): give every node the same file";
  if (other.parameters != agreement_.parameters)
    return "it was given other options (" + other.parameters + ", rank 0 has " + agreement_.parameters +
           "): start every rank with the same";
  return "";
}

}  // namespace starpath::cluster
