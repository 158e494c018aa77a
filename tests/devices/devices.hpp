// Runs of the `starpath` program on OpenCL devices, which have memories of their own and drivers as GPUs have.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/apps/command.hpp"

namespace starpath::test {

/// The environment of a run with these PoCL devices ("pthread", "basic pthread"), as words before a command. StarPU
/// keeps what it measured of buses under the host's name: one for each set of devices.
inline std::string devices(const std::string& names) {
  std::string host = "starpath-" + names;
  std::ranges::replace(host, ' ', '-');
  return "STARPU_OPENCL_ON_CPUS=1 STARPU_OPENCL_ONLY_ON_CPUS=1 POCL_DEVICES='" + names + "' STARPU_HOSTNAME=" + host +
         " ";
}

/// Ours and those of StarPU that trust in models.
inline std::vector<std::string> policies() {
  std::vector<std::string> names;
  std::istringstream all(STARPATH_POLICY_NAMES ",dmda,dmdas");
  for (std::string name; std::getline(all, name, ',');) names.push_back(name);
  return names;
}

/// Tasks that kind of worker ran, of the summary that --json prints last.
inline int tasks_of(const nlohmann::json& summary, const std::string& kind) {
  int tasks = 0;
  if (summary["shares"].contains(kind))
    for (const auto& stage : summary["shares"][kind]) tasks += stage["tasks"].get<int>();
  return tasks;
}

inline nlohmann::json last_line(const Outcome& run) {
  const std::string body = run.output.substr(0, run.output.find_last_not_of('\n') + 1);
  return nlohmann::json::parse(body.substr(body.rfind('\n') + 1));
}

/// A pipeline with what it must give on any device.
struct DevicePipeline {
  std::string name;
  std::string command;  ///< with its slide
  std::vector<std::string> files;
};

inline const DevicePipeline kSegmentation{"segmentation",
                                          "segment synthetic:1100x900,seed=5 --tile 400 --halo 64",
                                          {"nuclei.geojson", "nuclei.csv", "labels.tif", "overlay.png"}};
inline const DevicePipeline kLevels{"levels", kSegmentation.command + " --detector levels", kSegmentation.files};
inline const DevicePipeline kNbia{"nbia",
                                  "nbia run synthetic:3072x2048,pattern=stroma,seed=5",
                                  {"map.png", "overlay.png", "regions.geojson", "fields.csv"}};

inline std::string name_of_pipeline(const testing::TestParamInfo<DevicePipeline>& suite) { return suite.param.name; }
inline void PrintTo(const DevicePipeline& pipeline, std::ostream* out) { *out << pipeline.name; }

inline void expect_same_files(const DevicePipeline& pipeline, const std::string& a, const std::string& b) {
  for (const std::string& name : pipeline.files)
    EXPECT_TRUE(read_file(a + "/" + name) == read_file(b + "/" + name)) << name << " differs: " << a << ", " << b;
}

}  // namespace starpath::test
