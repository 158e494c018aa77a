// The serial loop, then the scheduled one.
#include "loops/works/measured_loop.hpp"

#include <starpu.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "codelets/starpu/gpu_workers.hpp"

namespace starpath {
namespace {

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

MeasuredLoop measure_loop(const LoopRequest& request) {
  const LoopWorkName& chosen = find_loop_work(request.name);
  const std::unique_ptr<LoopWork> work = chosen.make(request.size > 0 ? request.size : chosen.size);
  work->slow = request.slow;
  MeasuredLoop result;
  result.iterations = work->iterations();
  result.serial_microseconds = serial_microseconds(*work);
  result.report = work->execute(work->codelet(), {.schedule = request.schedule,
                                                  .initial_block = request.initial_block,
                                                  .growth = request.growth,
                                                  .guided_share = request.guided_share,
                                                  .lanes = request.lanes});
  work->release();
  result.same = work->same();
  return result;
}

}  // namespace starpath
