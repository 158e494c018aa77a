// The subcommands of `starpath`; segment has a header of its own. Each adds itself to the command line and runs when it
// was chosen.
#pragma once
#include <CLI/CLI.hpp>

namespace starpath::apps {

void add_instances_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_cluster_command(CLI::App& app);
void add_classify_command(CLI::App& app);
void add_cohort_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_preview_command(CLI::App& app);
void add_nbia_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_tissue_command(CLI::App& app);
void add_verify_command(CLI::App& app);
void add_network_command(CLI::App& app);
void add_policies_command(CLI::App& app);
void add_env_command(CLI::App& app);
void add_profile_command(CLI::App& app);
void add_estimate_command(CLI::App& app);
void add_placement_command(CLI::App& app);
void add_compare_command(CLI::App& app);
void add_loop_command(CLI::App& app);
void add_workflow_command(CLI::App& app);
void add_describe_command(CLI::App& app);

}  // namespace starpath::apps
