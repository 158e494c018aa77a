// Workload models from files.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "lab/option_entry.hpp"
#include "lab/shapes/shape.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {
namespace {

constexpr std::size_t kMostAccesses = 8;  // STARPU_NMAXBUFS of a StarPU that was built as Debian builds it

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

/// The data that a task names under `key`, as numbers of WorkloadModel::data.
std::vector<unsigned> read_accesses(ModelFile& file, const ModelSection& section, const char* key,
                                    const std::vector<TileData>& data) {
  std::vector<unsigned> accesses;
  for (const std::string& name : file.texts(section, key)) {
    const auto found = std::ranges::find(data, name, &TileData::name);
    if (found == data.end())
      file.fail(section.line, fmt::format("task {} {} '{}', but there is no section [[data]] with this name",
                                          section.name, key, name));
    accesses.push_back(static_cast<unsigned>(found - data.begin()));
  }
  return accesses;
}

/// What a task of the shape `tile` reads and writes. Each piece of data is written by one task, before others read it.
/// `written` says which pieces earlier tasks wrote.
void read_graph(ModelFile& file, const ModelSection& section, const std::vector<TileData>& data, TaskKind& kind,
                std::vector<bool>& written) {
  kind.reads = read_accesses(file, section, "reads", data);
  kind.writes = read_accesses(file, section, "writes", data);
  for (const unsigned read : kind.reads)
    if (!written[read])
      file.fail(section.line,
                fmt::format("task {} reads '{}', which no task before it writes", kind.name, data[read].name));
  for (const unsigned piece : kind.writes) {
    if (written[piece])
      file.fail(section.line,
                fmt::format("task {} writes '{}', which another task writes", kind.name, data[piece].name));
    written[piece] = true;
  }
  if (kind.reads.size() + kind.writes.size() > kMostAccesses)
    file.fail(section.line, fmt::format("task {} reads and writes {} pieces of data: StarPU allows {}", kind.name,
                                        kind.reads.size() + kind.writes.size(), kMostAccesses));
}

/// Reads the data and the graph of a file of the shape `tile`. `kinds` are read already, in the order of the file.
void read_listed(ModelFile& file, unsigned line, WorkloadModel& model) {
  for (const ModelSection& section : file.sections()) {
    if (section.kind != "data") continue;
    if (std::ranges::find(model.data, section.name, &TileData::name) != model.data.end())
      file.fail(section.line, fmt::format("a second piece of data is named '{}'", section.name));
    model.data.push_back({section.name, file.number(section, "size", "MB", 0, 1e4)});
  }
  if (model.kinds.empty()) file.fail(line, "shape tile needs a section [[task]] for each task of a tile");
  std::vector<bool> written(model.data.size());
  auto kind = model.kinds.begin();
  for (const ModelSection& section : file.sections())
    if (section.kind == "task") read_graph(file, section, model.data, *kind++, written);
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
  if (model.name.empty()) file.fail(1, "there is no section [workload]");
  if (find_shape(model.shape)->is_listed()) {
    read_listed(file, line, model);
    file.finish({"workload", "data", "task"});
  } else {
    file.finish({"workload", "task"});
    order_kinds(file, line, model);
  }
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
