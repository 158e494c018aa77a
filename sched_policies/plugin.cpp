// The plug-in: the table of policies and the two functions that StarPU looks up in it.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>

#include "sched_policies/adapter/adapter.hpp"
#include "sched_policies/adapter/openmp_binding.hpp"
#include "sched_policies/adapter/shared_state.hpp"
#include "sched_policies/adapter/starpu_in_use.hpp"
#include "sched_policies/estimates/once.hpp"
#include "sched_policies/options/options.hpp"
#ifdef STARPATH_PLUGIN_POLICIES  // of a project outside (cmake/starpath-add-policy.cmake): a header that defines the
                                 // list
#include STARPATH_PLUGIN_POLICIES
#else
#include "sched_policies/policies/policy_list.hpp"
namespace starpath {
using PluginPolicies = PolicyList;
}
#endif

namespace {

/// As the environment says now. Bad values are reported later.
auto describe_policies() {
  return starpath::describe_all(
      starpath::PluginPolicies{},
      starpath::read_options([](const char* variable) { return std::getenv(variable); }, [](auto&) {}));
}

auto& policies() {
  static auto table = describe_policies();
  return table;
}

/// StarPU looks here for every name first, and runs its default policy when nobody has a policy of that name. It says
/// so, but STARPU_SILENT keeps that from the user. (Of an empty name nobody is asked.)
void tell_of_unknown(std::string_view name) {
  if (name == "help" || name.starts_with("heft")) return;  // names of StarPU that are no policies
  for (starpu_sched_policy** policy = starpu_sched_get_predefined_policies(); *policy != nullptr; ++policy)
    if ((*policy)->policy_name != nullptr && name == (*policy)->policy_name) return;
  static starpath::Once told;  // StarPU asks several times
  told.say(starpath::report, [&] {
    std::string names;
    for (const starpu_sched_policy& policy : policies())
      names += std::string(names.empty() ? "" : ", ") + policy.policy_name;
    return "no policy is called '" + std::string(name) + "', so StarPU runs its default: expected " + names +
           ", or one of StarPU's own, which STARPU_SCHED=help lists";
  });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) starpu_sched_policy* starpu_get_sched_lib_policy(const char* name) {
  const auto found = std::ranges::find(policies(), std::string_view(name), [](const starpu_sched_policy& policy) {
    return std::string_view(policy.policy_name);
  });
  if (found == policies().end()) {
    tell_of_unknown(name);
    return nullptr;
  }
  if (const std::string why = starpath::misfit(starpath::kStarpuOfHeaders); !why.empty()) {
    static starpath::Once told;
    told.say(starpath::report, [&] {
      return why + "; policy '" + std::string(name) +
             "' is left out: build Starpath with this StarPU (docs/use-in-your-application.md)";
    });
    return nullptr;
  }
  if (const std::string line = starpath::openmp_binding(); !line.empty()) {
    static starpath::Once told;
    told.say(starpath::report, [&] { return line; });
  }
  // Anew each time: the plug-in stays loaded, and an earlier starpu_init may have had other options.
  found->prefetches = describe_policies()[static_cast<std::size_t>(found - policies().begin())].prefetches;
  return &*found;
}

extern "C" __attribute__((visibility("default"))) starpu_sched_policy** starpu_get_sched_lib_policies() {
  static auto pointers = [] {
    std::array<starpu_sched_policy*, std::tuple_size_v<std::remove_reference_t<decltype(policies())>> + 1> list{};
    std::ranges::transform(policies(), list.begin(), [](starpu_sched_policy& policy) { return &policy; });
    return list;
  }();
  return pointers.data();
}
