// Workload models from files.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "lab/option_entry.hpp"
#include "lab/shapes/shape.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {
namespace {

const Shape& shape_of(const ModelFile& file, unsigned line, const std::string& name) {
  const Shape* shape = find_shape(name);
  if (shape == nullptr) file.fail(line, fmt::format("shape '{}': expected one of {}", name, shape_names()));
  return *shape;
}

TaskKind read_kind(ModelFile& file, const ModelSection& section) {
  TaskKind kind;
  kind.name = section.name;
  kind.codelet = file.text_or(section, "codelet", kind.name);
  kind.core_ms = file.number(section, "core_time", "ms", 1e-6, 1e9);
  const auto speedup = [&](const char* key) -> std::optional<double> {
    const double value = file.number(section, key, "", 0, 1e4);
    return value > 0 ? std::optional(value) : std::nullopt;
  };
  kind.gpu = speedup("gpu");
  kind.mic = speedup("mic");
  kind.regular = file.number_or(section, "regular", "", 0, 1, 1);
  kind.content = file.number_or(section, "content", "", 0, 4, 0);
  return kind;
}

void read_head(ModelFile& file, const ModelSection& section, WorkloadModel& model) {
  model.name = section.name;
  model.about = file.text(section, "about");
  model.shape = file.text(section, "shape");
  for (const Parameter& parameter : shape_of(file, section.line, model.shape).parameters)
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

/// Puts the kinds of task into the order of the shape, which must have all of them.
void order_kinds(const ModelFile& file, unsigned line, WorkloadModel& model) {
  std::vector<TaskKind> ordered;
  for (const std::string& kind : shape_of(file, line, model.shape).kinds) {
    const auto found = std::ranges::find(model.kinds, kind, &TaskKind::name);
    if (found == model.kinds.end())
      file.fail(line, fmt::format("shape {} needs a section [[task]] with name = \"{}\"", model.shape, kind));
    ordered.push_back(*found);
  }
  if (ordered.size() != model.kinds.size())
    file.fail(line, fmt::format("shape {} has {} kinds of task, but {} are given", model.shape, ordered.size(),
                                model.kinds.size()));
  model.kinds = std::move(ordered);
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
      model.kinds.push_back(read_kind(file, section));
    }
  }
  file.finish({"workload", "task"});
  if (model.name.empty()) file.fail(1, "there is no section [workload]");
  order_kinds(file, line, model);
  for (const std::string& text : set) {
    const OptionEntry entry("--set", "NAME=NUMBER", text);
    set_parameter(model, entry.name(), entry.number());
  }
  return model;
}

void set_parameter(WorkloadModel& model, const std::string& name, double value) {
  std::string names;
  for (const Parameter& parameter : find_shape(model.shape)->parameters) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", parameter.name());
    if (parameter.name() != name) continue;
    if (!(value >= parameter.least && value <= parameter.most))
      throw Error(ErrorKind::usage, fmt::format("{}={:g}: expected a number from {:g} to {:g}", name, value,
                                                parameter.least, parameter.most));
    model.parameters[name] = value;
    return;
  }
  throw Error(ErrorKind::usage, fmt::format("workload {} has no parameter '{}': it has {}", model.name, name, names));
}

}  // namespace starpath::lab
