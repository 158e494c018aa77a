// What a command line changes of a cluster and a workload, as text.
#pragma once
#include <string>

#include "lab/cluster/cluster_model.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {

/// "GROUP=COUNT", as set_nodes. These throw Error (usage), naming the option (--nodes, --workers, --set) and the entry.
void override_nodes(ClusterModel& cluster, const std::string& entry);
/// "GROUP=COUNT,COUNT,...", as set_workers.
void override_workers(ClusterModel& cluster, const std::string& entry);
/// "NAME=NUMBER", as set_parameter.
void override_parameter(WorkloadModel& model, const std::string& entry);

}  // namespace starpath::lab
