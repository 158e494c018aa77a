// StarPU's policies that ours are compared with; it has more (random, parallel and test ones).
#pragma once
#include <string>

namespace starpath {

struct BuiltInPolicy {
  const char* name;
  bool uses_history;  ///< StarPU's measured times, by codelet and data size
};

inline constexpr BuiltInPolicy kBuiltInPolicies[] = {{"eager", false},      {"lws", false},  {"dmda", true},
                                                     {"dmdar", true},       {"dmdas", true}, {"heteroprio", false},
                                                     {"modular-heft", true}};

/// Further ones, which run when they are named.
inline constexpr BuiltInPolicy kFurtherBuiltInPolicies[] = {
    {"dmdasd", true}, {"modular-heteroprio", true}, {"modular-heteroprio-heft", true}};

/// The name of today: `heft` is what dmda was called.
inline std::string todays_name(const std::string& policy) { return policy == "heft" ? "dmda" : policy; }

}  // namespace starpath
