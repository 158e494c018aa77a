// Workload models from files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "lab/option_entry.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {
namespace {

struct Parameter {
  const char* key;
  const char* unit;
  double least, most;
  /// As --set names it: "low_MB".
  std::string name() const { return fmt::format("{}{}{}", key, *unit == '\0' ? "" : "_", unit); }
};

constexpr Parameter kWindow{"window", "", 0, 1e6};
constexpr Parameter kTiles{"tiles", "", 1, 1e6};
constexpr Parameter kData{"data", "MB", 0, 1e4};

struct Shape {
  const char* name;
  std::vector<Parameter> parameters;
  std::vector<const char*> kinds;  ///< the codelets it needs, in this order
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"nbia",
       {kTiles, kWindow, {"recalc_rate", "", 0, 1}, {"low", "MB", 0, 1e3}, {"high", "MB", 0, 1e3}},
       {"low", "high"}},
      {"nbia-sizes", {kTiles, kWindow, {"side", "", 0, 512}}, {"small", "large"}},
      {"segmentation",
       {kTiles, kWindow, {"tile", "MB", 0, 1e4}, {"monolithic", "", 0, 1}},
       {"read", "background", "rbc", "morph_open", "recon_to_nuclei", "fill_holes", "area_threshold", "select",
        "pre_watershed", "watershed", "bwlabel", "colour_deconvolution", "pixel_features", "gradient_features",
        "edge_features"}},
      {"independent",
       {{"tasks", "", 1, 1e6}, kWindow, {"least_speedup", "", 0.01, 1e3}, {"most_speedup", "", 0.01, 1e3}, kData},
       {"task"}},
      {"chains", {{"chains", "", 1, 1e5}, {"length", "", 1, 1e5}, kWindow, kData}, {"light", "even", "heavy"}},
      {"cholesky", {{"blocks", "", 1, 200}, kWindow, {"block", "MB", 0, 1e4}}, {"potrf", "trsm", "syrk", "gemm"}},
      {"random-dag",
       {{"tasks", "", 1, 1e5}, {"edges_per_task", "", 0, 3}, {"cores_only", "", 0, 1}, kData, kWindow},
       {"any", "core"}},
      {"vector-increment", {{"integers", "", 1, 1e10}, {"chunk", "", 1, 1e9}, kWindow}, {"increment"}},
  };
  return all;
}

const Shape& find_shape(const ModelFile& file, unsigned line, const std::string& name) {
  const auto found = std::ranges::find(shapes(), name, [](const Shape& shape) { return std::string(shape.name); });
  if (found != shapes().end()) return *found;
  std::string names;
  for (const Shape& shape : shapes()) names += fmt::format("{}{}", names.empty() ? "" : ", ", shape.name);
  file.fail(line, fmt::format("shape '{}': expected one of {}", name, names));
}

CodeletModel read_codelet(ModelFile& file, const ModelSection& section) {
  CodeletModel own;
  own.name = section.name;
  own.stream = file.text_or(section, "codelet", own.name);
  own.core_ms = file.number(section, "core_time", "ms", 1e-6, 1e9);
  const auto speedup = [&](const char* key) -> std::optional<double> {
    const double value = file.number(section, key, "", 0, 1e4);
    return value > 0 ? std::optional(value) : std::nullopt;
  };
  own.gpu = speedup("gpu");
  own.mic = speedup("mic");
  own.regular = file.number_or(section, "regular", "", 0, 1, 1);
  own.content = file.number_or(section, "content", "", 0, 4, 0);
  return own;
}

void read_head(ModelFile& file, const ModelSection& section, WorkloadModel& model) {
  model.name = section.name;
  model.about = file.text(section, "about");
  model.shape = file.text(section, "shape");
  for (const Parameter& parameter : find_shape(file, section.line, model.shape).parameters)
    model.parameters[parameter.name()] =
        file.number(section, parameter.key, parameter.unit, parameter.least, parameter.most);
  model.reference_core_speed = file.number(section, "reference_core_speed", "", 0.01, 100);
  model.reference_gpu = file.number(section, "reference_gpu_bandwidth", "GB/s", 1, 1e5);
  model.reference_mic = file.number(section, "reference_mic_bandwidth", "GB/s", 1, 1e5);
  model.content_spread = file.number(section, "content_spread", "", 0, 3);
  model.device_spread = file.number(section, "device_spread", "", 0, 3);
  model.known_spread = file.number(section, "known_spread", "", 0, 3);
  model.constraints = file.texts(section, "constraints");
}

}  // namespace

WorkloadModel read_workload(ModelFile file, const std::vector<std::string>& set) {
  WorkloadModel model;
  unsigned line = 1;
  for (const ModelSection& section : file.sections()) {
    if (section.kind == "workload") {
      if (!model.name.empty()) file.fail(section.line, "a second workload: one a file");
      line = section.line;
      read_head(file, section, model);
    } else if (section.kind == "task") {
      model.codelets.push_back(read_codelet(file, section));
    }
  }
  file.finish({"workload", "task"});
  if (model.name.empty()) file.fail(1, "there is no section [workload]");
  const Shape& shape = find_shape(file, line, model.shape);
  std::vector<CodeletModel> ordered;
  for (const char* kind : shape.kinds) {
    const auto found = std::ranges::find(model.codelets, std::string(kind), &CodeletModel::name);
    if (found == model.codelets.end())
      file.fail(line, fmt::format("shape {} needs a section [[task]] with name = \"{}\"", model.shape, kind));
    ordered.push_back(*found);
  }
  if (ordered.size() != model.codelets.size())
    file.fail(line, fmt::format("shape {} has {} kinds of task, but {} are given", model.shape, ordered.size(),
                                model.codelets.size()));
  model.codelets = std::move(ordered);
  for (const std::string& text : set) {
    const OptionEntry entry("--set", "NAME=NUMBER", text);
    set_parameter(model, entry.name(), entry.number());
  }
  return model;
}

void set_parameter(WorkloadModel& model, const std::string& name, double value) {
  const auto shape = std::ranges::find(shapes(), model.shape, [](const Shape& own) { return std::string(own.name); });
  for (const Parameter& parameter : shape->parameters) {
    if (parameter.name() != name) continue;
    if (!(value >= parameter.least && value <= parameter.most))
      throw Error(ErrorKind::usage, fmt::format("{}={:g}: expected a number from {:g} to {:g}", name, value,
                                                parameter.least, parameter.most));
    model.parameters[name] = value;
    return;
  }
  std::string names;
  for (const Parameter& parameter : shape->parameters)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", parameter.name());
  throw Error(ErrorKind::usage, fmt::format("workload {} has no parameter '{}': it has {}", model.name, name, names));
}

}  // namespace starpath::lab
