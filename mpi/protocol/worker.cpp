// Receiving tiles.
#include "mpi/protocol/worker.hpp"

#include <utility>

namespace starpath::cluster {
namespace {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace

WorkerStep Worker::receive(const ToWorker& message) {
  WorkerStep step;
  std::visit(Overloaded{[&](const Welcome&) { step.welcome = true; },
                        [&](const Refused& refused) { step.refused = refused.reason; },
                        [&](const Begin& begin) { step.introductions = begin.introductions; },
                        [&](const Assign& assign) {
                          step.tiles = assign.tiles;
                          received_ += static_cast<std::int64_t>(assign.tiles.size());
                        },
                        [&](const End& end) {
                          assigned_ = end.assigned;
                          step.drop = end.drop && !std::exchange(told_drop_, true);
                          step.cancelled = end.drop && !end.begun && !std::exchange(told_cancelled_, true);
                        },
                        [](const Alive&) {}},
             message);
  step.no_more = assigned_ && received_ == *assigned_ && !std::exchange(told_no_more_, true);
  return step;
}

Finished Worker::finished(Finished tile) {
  ++finished_;
  return tile;
}

}  // namespace starpath::cluster
