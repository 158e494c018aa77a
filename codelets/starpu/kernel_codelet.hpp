// How a kernel becomes a codelet. The kernel's parameters say which buffers its tasks take and how they use them, so
// that a codelet is a name and the kernel's implementations (codelets.hpp has them all). For example
//   void morph_open(const KernelContext&, View<const Rgb> rgb, View<std::uint8_t> inverted, View<std::uint8_t> opened)
// becomes a codelet of three matrices, STARPU_R, STARPU_W and STARPU_W.
#pragma once
#include <starpu.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "codelets/kernels/opencv.hpp"
#include "codelets/starpu/buffers.hpp"
#include "codelets/starpu/fact_parameters.hpp"
#include "codelets/starpu/run_kernel.hpp"

namespace starpath::codelets {

/// A literal as a template argument. Its text lives as long as the program.
template <std::size_t size>
struct Name {
  consteval Name(const char (&literal)[size]) { std::copy_n(literal, size, text); }
  char text[size] = {};
};

/// StarPU's history of "starpath_<name>", for the dmda family. Its parameters, for Starpath's estimator, are the facts
/// that the codelet declares.
template <Name name, FactsOf facts_of>
starpu_perfmodel* history_model() {
  static constexpr auto symbol = [] {
    constexpr Name prefix = "starpath_";
    std::array<char, sizeof prefix.text - 1 + sizeof name.text> text{};
    std::copy_n(name.text, sizeof name.text, std::copy_n(prefix.text, sizeof prefix.text - 1, text.begin()));
    return text;
  }();
  static starpu_perfmodel model = [] {
    starpu_perfmodel history{};
    history.type = STARPU_HISTORY_BASED;
    history.symbol = symbol.data();
    declare_facts<row_of(name.text), facts_of>(history);
    return history;
  }();
  return &model;
}

/// A codelet without implementations for tasks with the buffers of these parameters.
template <Name name, FactsOf facts_of, class... Parameters>
starpu_codelet codelet_for() {
  starpu_codelet codelet;
  starpu_codelet_init(&codelet);
  codelet.name = name.text;
  codelet.model = history_model<name, facts_of>();
  codelet.nbuffers = 0;
  [[maybe_unused]] const auto add = [&](std::size_t buffers, starpu_data_access_mode mode) {
    for (; buffers > 0; --buffers) codelet.modes[codelet.nbuffers++] = mode;
  };
  (add(Argument<Parameters>::kBuffers, Argument<Parameters>::kMode), ...);
  return codelet;
}

/// Calls function(arguments...), where a task's buffers and numbers become the arguments for these parameters.
template <class... Parameters, class Function>
void call_with_arguments(ArgumentSource from, Function&& function) {
  // In braces arguments are evaluated in their order.
  std::tuple<decltype(Argument<Parameters>::take(from))...> arguments{Argument<Parameters>::take(from)...};
  std::apply(function, arguments);
}

template <auto kernel, class... Parameters>
void call_kernel(const KernelContext& context, void* buffers[], const TaskArguments& task) {
  call_with_arguments<Parameters...>({buffers, task.numbers.data()},
                                     [&](auto&... arguments) { kernel(context, arguments...); });
}

/// Once the tile has failed its tasks do nothing: their times are those of no input.
inline const TileFacts* facts_of_arguments(void* cl_arg) {
  const auto& task = *static_cast<const TaskArguments*>(cl_arg);
  return task.status->failed() ? nullptr : task.facts;
}
template <class Job>
const TileFacts* facts_of_job(void* cl_arg) {
  const auto& tasks = static_cast<Job*>(cl_arg)->tasks();
  return tasks.status.failed() ? nullptr : &tasks.facts;
}

template <Name name, auto kernel, class... Parameters>
void run_kernel_on_cpu(void* buffers[], void* cl_arg) {
  const auto& task = *static_cast<const TaskArguments*>(cl_arg);
  run_on_cpu(*task.status, name.text,
             [&](const KernelContext& context) { call_kernel<kernel, Parameters...>(context, buffers, task); });
}

template <Name name, auto cpu, auto cuda, auto opencv, class... Parameters>
starpu_codelet kernel_codelet(void (*)(const KernelContext&, Parameters...)) {
  starpu_codelet codelet = codelet_for<name, facts_of_arguments, Parameters...>();
  codelet.cpu_funcs[0] = run_kernel_on_cpu<name, cpu, Parameters...>;
  // Asked of its type: under GCC's undefined behaviour sanitizer comparing a function's address is no constant.
  if constexpr (kOpenCvCompiled && !std::is_null_pointer_v<decltype(opencv)>)
    codelet.cpu_funcs[1] = run_kernel_on_cpu<name, opencv, Parameters...>;
  if constexpr (kCudaCompiled)
    codelet = with_gpu(codelet, [](void* buffers[], void* cl_arg) {
      const auto& task = *static_cast<const TaskArguments*>(cl_arg);
      const auto call = gpus_take_cpu_kernels() ? call_kernel<cpu, Parameters...> : call_kernel<cuda, Parameters...>;
      run_on_gpu(*task.status, name.text, [&](const KernelContext& context) { call(context, buffers, task); });
    });
  return codelet;
}

/// The codelet "<name>" of a kernel. cl_arg of its tasks is a TaskArguments. A build without CUDA leaves `cuda` out,
/// and one without OpenCV `opencv`, the second implementation for CPUs, if there is one: who schedules chooses among
/// them.
template <Name name, auto cpu, auto cuda, auto opencv = nullptr>
starpu_codelet kernel_codelet() {
  return kernel_codelet<name, cpu, cuda, opencv>(cpu);
}

template <Name name, auto member, Name operation, class Job, class... Parameters>
starpu_codelet host_codelet(void (Job::*)(Parameters...)) {
  starpu_codelet codelet = codelet_for<name, facts_of_job<Job>, Parameters...>();
  codelet.cpu_funcs[0] = [](void* buffers[], void* cl_arg) {
    auto& job = *static_cast<Job*>(cl_arg);
    run_on_cpu(job.tasks().status, operation.text, [&](const KernelContext&) {
      call_with_arguments<Parameters...>({buffers, nullptr}, [&](auto&... arguments) { (job.*member)(arguments...); });
    });
  };
  return codelet;
}

/// The codelet "<name>" of work for CPUs only: a member function of the job that cl_arg points to. The job has a
/// tasks().status, which is told of a failure under the name `operation`, and tasks().facts.
template <Name name, auto member, Name operation = name>
starpu_codelet host_codelet() {
  return host_codelet<name, member, operation>(member);
}

}  // namespace starpath::codelets
