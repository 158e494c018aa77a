// The estimator's input for a StarPU task.
#include "sched_policies/starpu/task_features.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace starpath {
namespace {

/// What a parameter is before the codelet's function writes it: a NaN that no arithmetic yields.
constexpr auto kLeft = std::bit_cast<double>(std::uint64_t{0x7ff8'7374'6172'7001});

bool is_left(double parameter) {
  return std::bit_cast<std::uint64_t>(parameter) == std::bit_cast<std::uint64_t>(kLeft);
}

/// Fills `input`, which has features without anything in them.
void add_declared(starpu_task& task, TaskInput& input) {
  const starpu_perfmodel& model = *task.cl->model;
  std::array<double, Features::kMaxNumeric> few;
  few.fill(kLeft);
  std::vector<double> many(model.nparameters > few.size() ? model.nparameters : 0, kLeft);
  double* const parameters = many.empty() ? few.data() : many.data();
  model.parameters(&task, parameters);
  const std::span known(parameters, std::min<std::size_t>(model.nparameters, few.size()));
  input.waits = std::ranges::any_of(known, is_left);
  if (input.waits ||
      !std::ranges::all_of(known, [&](double value) { return value >= 0 && input.features->add_numeric(value); }))
    input.features.reset();
}

/// Calls `take(number)` for each of the features that the buffers give, as long as it returns true; whether all did.
template <class Take>
bool each_of_buffers(starpu_task& task, Take take) {
  const auto buffers = static_cast<unsigned>(STARPU_TASK_GET_NBUFFERS(&task));
  if (!take(static_cast<double>(buffers))) return false;
  const auto sized = std::min<unsigned>(buffers, Features::kMaxNumeric - 1);
  for (unsigned i = 0; i < sized; ++i) {
    if (!take(static_cast<double>(starpu_data_get_size(STARPU_TASK_GET_HANDLE(&task, i))))) return false;
  }
  return true;
}

bool declares_parameters(const starpu_perfmodel* model) {
  return model != nullptr && model->nparameters > 0 && model->parameters != nullptr;
}

}  // namespace

FeatureNames feature_names(const starpu_task& task) {
  FeatureNames names{.numeric = {}, .categorical = {"implementation"}};
  const starpu_perfmodel* model = task.cl->model;
  const bool declared = declares_parameters(model);
  const std::size_t count =
      declared ? std::min<std::size_t>(model->nparameters, Features::kMaxNumeric) : Features::kMaxNumeric;
  for (std::size_t i = 0; i < count; ++i) {
    if (declared && model->parameters_names != nullptr && model->parameters_names[i] != nullptr) {
      names.numeric.emplace_back(model->parameters_names[i]);
    } else if (declared) {
      names.numeric.push_back("p" + std::to_string(i));
    } else {
      names.numeric.push_back(i == 0 ? "buffers" : "bytes" + std::to_string(i - 1));
    }
  }
  return names;
}

TaskInput task_features(starpu_task& task, unsigned implementation) {
  TaskInput input;
  Features& features = input.features.emplace();
  if (declares_parameters(task.cl->model)) {
    add_declared(task, input);
  } else {
    each_of_buffers(task, [&](double number) { return features.add_numeric(number); });
  }
  if (input.features) features.add_categorical(implementation);
  return input;
}

bool has_features_of_buffers(starpu_task& task, const Features& features) {
  if (declares_parameters(task.cl->model)) return false;
  std::size_t count = 0;
  const bool alike = each_of_buffers(task, [&](double number) {
    if (count == features.numeric_count || features.numeric[count] != number) return false;
    ++count;
    return true;
  });
  return alike && count == features.numeric_count;
}

Features with_implementation(Features features, unsigned implementation) {
  features.categorical[0] = implementation;
  return features;
}

}  // namespace starpath
