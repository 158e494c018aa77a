// Receiving stage instances.
#include "mpi/protocol/worker.hpp"

#include <utility>

namespace starpath::mpi {
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
                        [&](const Refused& refused) {
                          step.refused = refused.reason;
                          step.cancelled = !std::exchange(told_cancelled_, true);
                        },
                        [&](const Begin& begin) { step.introductions = begin.introductions; },
                        [&](const Assign& assign) {
                          step.instances = assign.instances;
                          received_ += static_cast<std::int64_t>(assign.instances.size());
                        },
                        [&](const Forget& forget) { step.forget = forget.tiles; },
                        [&](const Lost& lost) { step.lost = lost.rank; },
                        [&](const Drop& drop) {
                          step.drop = !std::exchange(told_drop_, true);
                          step.cancelled = !drop.begun && !std::exchange(told_cancelled_, true);
                        },
                        [&](const End& end) { assigned_ = end.assigned; }, [](const Alive&) {}},
             message);
  step.no_more = assigned_ && received_ == *assigned_ && !std::exchange(told_no_more_, true);
  return step;
}

Finished Worker::finished(Finished instance) {
  ++answered_;
  return instance;
}

Returned Worker::returned(const StageInstance& instance, std::vector<int> vanished) {
  ++answered_;
  return {instance, std::move(vanished)};
}

}  // namespace starpath::mpi
