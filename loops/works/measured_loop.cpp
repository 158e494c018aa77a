// The serial loop, then the scheduled one, and rates of both sides in the profile.
#include "loops/works/measured_loop.hpp"

#include <starpu.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "codelets/starpu/gpu_workers.hpp"
#include "loops/rates/loop_rates.hpp"
#include "sched_policies/starpu/machine_in_use.hpp"

namespace starpath {
namespace {

using LoopReportLine = std::function<void(const std::string&)>;

/// The rates of this loop in the profile that was asked for, if any.
class Rates {
 public:
  Rates(const LoopRequest& request, std::size_t iterations, const LoopReportLine& report)
      : loop_(request.name), iterations_(iterations) {
    if (request.profile.empty()) return;
    const Machine machine = machine_in_use(report);
    for (WorkerId worker = 0; worker < machine.workers(); ++worker)
      class_of_.push_back(machine.classes()[machine.class_of(worker)].name);
    rates_.emplace(request.profile, report);
  }

  std::function<double(unsigned)> known() const {
    if (!rates_) return {};
    return [this](unsigned worker) {
      const double block = static_cast<double>(iterations_) / static_cast<double>(class_of_.size());
      return rates_->rate(loop_, class_of_[worker], {.block = block, .loop = static_cast<double>(iterations_)});
    };
  }

  void keep(const LoopReport& report) {
    if (!rates_) return;
    for (const LoopShare& share : report.shares) {
      const double block =
          static_cast<double>(share.iterations) / static_cast<double>(std::max<std::size_t>(share.blocks, 1));
      rates_->learn(loop_, class_of_[share.worker], {.block = block, .loop = static_cast<double>(iterations_)},
                    share.weight);
    }
    rates_->save();
  }

 private:
  std::string loop_;
  std::size_t iterations_;
  std::vector<std::string> class_of_;
  std::optional<LoopRates> rates_;
};

double serial_microseconds(LoopWork& work) {
  struct Pause {  // idle workers poll, which would slow the serial loop
    Pause() { starpu_pause(); }
    ~Pause() { starpu_resume(); }  // StarPU could not be stopped otherwise, when the loop throws
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
  };
  const Pause pause;
  const auto begin = std::chrono::steady_clock::now();
  work.run_serially();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

bool MeasuredLoop::on_gpu(const LoopShare& share) { return codelets::is_gpu(static_cast<int>(share.worker)); }

std::size_t MeasuredLoop::gpu_iterations() const {
  std::size_t sum = 0;
  for (const LoopShare& share : report.shares) sum += on_gpu(share) ? share.iterations : 0;
  return sum;
}

double MeasuredLoop::difference() const {
  double first = report.microseconds;
  for (const LoopShare& share : report.shares) first = std::min(first, share.finished);
  return report.microseconds > 0 ? 100 * (report.microseconds - first) / report.microseconds : 0;
}

MeasuredLoop measure_loop(const LoopRequest& request, const LoopReportLine& report) {
  const LoopWorkName& chosen = find_loop_work(request.name);
  const std::unique_ptr<LoopWork> work = chosen.make(request.size > 0 ? request.size : chosen.size);
  work->slow = request.slow;
  Rates rates(request, work->iterations(), report);
  MeasuredLoop result;
  result.iterations = work->iterations();
  result.serial_microseconds = serial_microseconds(*work);
  result.report = work->execute(work->codelet(), {.schedule = request.schedule,
                                                  .initial_block = request.initial_block,
                                                  .guided_share = request.guided_share,
                                                  .known_rate = rates.known()});
  work->release();
  result.same = work->same();
  if (result.same) rates.keep(result.report);
  return result;
}

}  // namespace starpath
