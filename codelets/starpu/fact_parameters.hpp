// Facts of a tile as the parameters of a StarPU performance model.
#pragma once
#include <starpu.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "codelets/starpu/declared_facts.hpp"

namespace starpath::codelets {

/// The facts of a task's tile, from the task's cl_arg. nullptr: nothing is known.
using FactsOf = const TileFacts* (*)(void* cl_arg);

/// The parameters of the tasks of row `row` of kDeclaredFacts. A fact that is not known leaves its parameter as it is,
/// which says so (starpath/perfmodel.h). Policies call this on any thread.
template <std::size_t row, FactsOf facts_of>
void write_facts(starpu_task* task, double* parameters) {
  const TileFacts* const facts = facts_of(task->cl_arg);
  if (facts == nullptr) return;
  for (const Fact fact : kDeclaredFacts[row].all()) {
    if (const std::optional<double> value = facts->known(fact)) *parameters = *value;
    ++parameters;
  }
}

/// Has `model` declare the facts of row `row`, if there is such a row.
template <std::size_t row, FactsOf facts_of>
void declare_facts(starpu_perfmodel& model) {
  if constexpr (row < kDeclaredFacts.size()) {
    static std::array<const char*, kDeclaredFacts[row].count> names = [] {
      std::array<const char*, kDeclaredFacts[row].count> all{};
      std::ranges::transform(kDeclaredFacts[row].all(), all.begin(), name_of);
      return all;
    }();
    model.parameters = write_facts<row, facts_of>;
    model.parameters_names = names.data();
    model.nparameters = static_cast<unsigned>(names.size());
  }
}

}  // namespace starpath::codelets
