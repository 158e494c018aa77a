// The plug-in's environment variables: names, values, defaults.
#include "sched_policies/options/option_table.hpp"

#include <algorithm>
#include <array>

namespace starpath {
namespace {

constexpr auto kOptions = std::to_array<OptionInfo>({
    {"STARPATH_ESTIMATOR",
     "knn, linear or the path of a library, with a slash, each also with +perfmodel; perfmodel; or none",
     "of the policy",
     "where execution-time estimates come from: a learner of finished tasks (the nearest of them, the trend among "
     "these, a "
     "library of your own), and an early run on each class of device before any has finished; these and StarPU's "
     "performance models; the models only; or nowhere"},
    {"STARPATH_KNN_K", "an integer from 1 to 64", "2", "how many nearest samples the kNN estimator averages"},
    {"STARPATH_LEARN", "on or off", "on", "whether the estimator learns from tasks as they finish"},
    {"STARPATH_PROFILE", "a file or none", "the machine's own, in $XDG_DATA_HOME/starpath",
     "the samples that the estimator starts from; what it learns is added to them when StarPU ends"},
    {"STARPATH_SPEEDUP_ERROR", "PERCENT[:SEED], PERCENT from 0 to 100, SEED an integer from 0", "0:0",
     "makes every estimated time wrong by this many percent, up or down with equal chance on each class; speedups "
     "follow"},
    {"STARPATH_CLASSES", "NAME[@cpu|@accelerator]=WORKERS[:...], WORKERS like 0,2-5, each NAME and worker once", "",
     "puts workers in device classes by hand; a worker not named keeps its class"},
    {"STARPATH_LOCALITY", "on or off", "off",
     "whether an accelerator prefers a task whose data it already has to the policy's choice"},
    {"STARPATH_TRANSFER_IMPACT", "a number from 0 to 1 or measured", "measured",
     "the share of a task's time that goes into transfers, for STARPATH_LOCALITY"},
    {"STARPATH_PREFETCH", "off, adaptive or an integer from 1 to 64", "off",
     "how many tasks an accelerator reserves ahead, with their transfers started"},
    {"STARPATH_PLACEMENT", "closest, os or worst", "closest",
     "which core drives each GPU; set before StarPU starts, by starpath or by eval \"$(starpath placement --env)\""},
    {"STARPATH_STATS", "a file that can be written", "", "writes who ran what, per codelet and device class, as JSON"},
    {"STARPATH_TRACE", "a file that can be written", "", "writes every task as a Chrome/Perfetto trace"},
});

}  // namespace

std::span<const OptionInfo> option_table() { return kOptions; }

const OptionInfo& option_info(std::string_view variable) {
  return *std::ranges::find(kOptions, variable, &OptionInfo::variable);
}

}  // namespace starpath
