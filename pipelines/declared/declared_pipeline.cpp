// Checking a declared pipeline.
#include "pipelines/declared/declared_pipeline.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "base/error.hpp"
#include "base/foreign_library.hpp"
#include "codelets/kernels/image.hpp"
#include "pipelines/declared/guarded_codelet.hpp"
#include "pipelines/declared/module_text.hpp"
#include "pipelines/declared/tile_columns.hpp"

namespace starpath {
namespace {

constexpr const char* kDeclare = "starpath_declare_pipeline";

Error no_pipeline(const std::filesystem::path& path) {
  return {ErrorKind::input, fmt::format("{}: declares no pipeline: its source needs STARPATH_PIPELINE "
                                        "(starpath/workflow.hpp)",
                                        path.string())};
}

template <class Function>
Function* find(void* module, const char* name, const std::filesystem::path& path) {
  auto* const function = reinterpret_cast<Function*>(dlsym(module, name));
  if (function == nullptr) throw no_pipeline(path);
  return function;
}

/// What the module throws in `call`, `when`, is an error of the command.
template <class Call>
auto ask_module(const std::filesystem::path& path, const char* when, const Call& call) {
  const auto fails = [&](const std::string& what) {
    return Error(ErrorKind::input, fmt::format("{}: fails while {}: {}", path.string(), when, what));
  };
  try {
    return call();
  } catch (const std::exception& error) {
    throw fails(module_text(error.what()));
  } catch (...) {
    throw fails("an exception that is no std::exception");
  }
}

}  // namespace

declare::Pipeline load_pipeline(const std::filesystem::path& path) {
  if (!path.has_parent_path())
    throw Error(ErrorKind::usage, fmt::format("{0}: a module is named with its folder: say ./{0} for the one in this "
                                              "folder",
                                              path.string()));
  if (!names_symbol(path, kDeclare)) throw no_pipeline(path);
  void* const module = ask_module(path, "it is loaded", [&] { return load_library(path); });
  if (module == nullptr)
    throw Error(ErrorKind::input, fmt::format("{}: cannot be loaded as a module: {}", path.string(), dlerror()));
  const int interface = find<int()>(module, "starpath_pipeline_interface", path)();
  if (interface != declare::kInterface)
    throw Error(
        ErrorKind::input,
        fmt::format("{}: was built with version {} of starpath/workflow.hpp, this starpath has {}: build it anew",
                    path.string(), interface, declare::kInterface));
  auto* const declare_pipeline = find<void(declare::Pipeline*)>(module, kDeclare, path);
  declare::Pipeline pipeline;
  ask_module(path, "it declares its pipeline", [&] { declare_pipeline(&pipeline); });
  return pipeline;
}

DeclaredPipeline::DeclaredPipeline(declare::Pipeline pipeline)
    : declared_(std::move(pipeline)), workflow_(workflow::single_stage("none yet")) {
  if (declared_.name.empty()) refuse("it has no name: give it one");
  check_names();
  if (declared_.split.side < 16 || declared_.split.halo < 0 || !(declared_.split.mpp > 0))
    refuse(
        fmt::format("a split of side {}, halo {}, mpp {} makes no sense: use a side of 16 or more, a halo of 0 or "
                    "more and a resolution above 0",
                    declared_.split.side, declared_.split.halo, declared_.split.mpp));
  check_data();
  check_operations();
  add_stages();
  add_data();
  // Stages first: what is wrong between them is said in their words.
  const std::vector<workflow::Stage> stages = stages_of_workflow();
  workflow_ = workflow::AbstractWorkflow(stages);
  add_operations(stages);
  connect();
  name_tasks();
  check_result();
  check_columns();
}

void DeclaredPipeline::refuse(const std::string& what) const {
  throw Error(ErrorKind::usage, fmt::format("pipeline '{}': {}", module_text(declared_.name), what));
}

void DeclaredPipeline::check_names() const {
  const auto check = [&](const std::string& name) {
    if (module_text(name) != name)
      refuse(fmt::format("the name '{}' is not UTF-8 or holds control characters: give another", module_text(name)));
  };
  check(declared_.name);
  check(declared_.version);
  for (const declare::Data& data : declared_.data) check(data.name);
  for (const declare::Stage& stage : declared_.stages) {
    check(stage.name);
    for (const declare::Operation& operation : stage.operations)
      if (operation.codelet != nullptr && operation.codelet->name != nullptr) check(operation.codelet->name);
  }
  std::ranges::for_each(declared_.result.columns, check);
}

void DeclaredPipeline::check_data() const {
  std::vector<std::string> names{declare::kPixels};
  for (const declare::Data& data : declared_.data) {
    if (std::ranges::count(names, data.name) > 0)
      refuse(fmt::format("two of its data are called '{}': give each a name of its own", data.name));
    if (data.name.empty() || data.element_bytes == 0) refuse("data without a name or with elements of 0 bytes");
    names.push_back(data.name);
  }
}

void DeclaredPipeline::check_operations() const {
  for (const declare::Stage& stage : declared_.stages)
    for (const declare::Operation& operation : stage.operations) {
      const int buffers = operation.codelet == nullptr ? -1 : operation.codelet->nbuffers;
      if (buffers != static_cast<int>(operation.data.size()) || buffers > STARPU_NMAXBUFS)
        refuse(fmt::format("an operation of stage '{}' has a codelet of {} buffers and {} data", stage.name, buffers,
                           operation.data.size()));
      for (int i = 0; i < buffers; ++i) {
        const std::string& name = operation.data[static_cast<std::size_t>(i)];
        if (name != declare::kPixels && !std::ranges::count(declared_.data, name, &declare::Data::name))
          refuse(
              fmt::format("an operation of stage '{}' names '{}', which is not among its data: correct the name, or "
                          "add it",
                          stage.name, name));
        const auto mode = operation.codelet->modes[i];
        if (mode != STARPU_R && (mode != STARPU_W || name == declare::kPixels))
          refuse(
              fmt::format("an operation of stage '{}' takes '{}' neither as STARPU_R nor as STARPU_W, or writes the "
                          "pixels",
                          stage.name, name));
      }
    }
}

void DeclaredPipeline::add_stages() {
  for (const declare::Stage& stage : declared_.stages) {
    const auto [columns, rows] = stage.parts;
    if (columns < 1 || rows < 1 || columns > kMostParts || rows > kMostParts || columns * rows > kMostParts)
      refuse(fmt::format("stage '{}' has {} x {} parts: give it at least one, and {} at most", stage.name, columns,
                         rows, kMostParts));
    for (int number = 0; number < columns * rows; ++number)
      stages_.push_back({columns * rows == 1 ? stage.name : fmt::format("{}.{}", stage.name, number + 1),
                         &stage,
                         {columns, rows, number}});
  }
}

/// The first that an operation of writes it; nullptr when none does.
const declare::Stage* DeclaredPipeline::writer_of(const std::string& name) const {
  for (const declare::Stage& stage : declared_.stages)
    for (const declare::Operation& operation : stage.operations)
      for (std::size_t i = 0; i < operation.data.size(); ++i)
        if (operation.data[i] == name && operation.codelet->modes[i] == STARPU_W) return &stage;
  return nullptr;
}

void DeclaredPipeline::add_data() {
  const declare::Data pixels{declare::kPixels, sizeof(Rgb), 0};
  data_.push_back({pixels});
  for (const DeclaredStage& stage : stages_)
    if (std::ranges::count(data_, stage.portion, &DeclaredData::portion) == 0) data_.push_back({pixels, stage.portion});
  for (const declare::Data& data : declared_.data) {
    const declare::Stage* const writer = writer_of(data.name);
    DeclaredData whole{data};
    const auto [columns, rows] = writer == nullptr ? declare::Parts{} : writer->parts;
    for (int number = 0; columns * rows > 1 && number < columns * rows; ++number) {
      whole.parts.push_back(data_.size());
      data_.push_back({data, {columns, rows, number}});
    }
    data_.push_back(std::move(whole));
  }
}

std::size_t DeclaredPipeline::number_of(const std::string& name, const Portion& portion,
                                        const std::string& user) const {
  bool is_known = false;
  for (std::size_t number = 0; number < data_.size(); ++number) {
    if (data_[number].data.name != name) continue;
    if (data_[number].portion == portion) return number;
    is_known = true;
  }
  if (is_known)
    refuse(
        fmt::format("{} has parts and takes '{}', which is not written in the same parts: let a stage without parts "
                    "take it",
                    user, name));
  refuse(fmt::format("{} names '{}', which is not among its data: correct the name, or add it", user, name));
}

/// The data's own name in the workflow.
std::string DeclaredPipeline::text_of(std::size_t number) const {
  const DeclaredData& data = data_[number];
  return data.portion.is_whole() ? data.data.name : fmt::format("{}.{}", data.data.name, data.portion.number + 1);
}

std::vector<workflow::Stage> DeclaredPipeline::stages_of_workflow() const {
  std::vector<workflow::Stage> stages;
  for (const DeclaredStage& each : stages_) {
    workflow::Stage& stage = stages.emplace_back(workflow::Stage{each.name});
    std::vector<std::size_t> reads;
    for (const declare::Operation& operation : each.declared->operations)
      for (std::size_t i = 0; i < operation.data.size(); ++i) {
        const std::size_t number = number_of(operation.data[i], each.portion, fmt::format("stage '{}'", each.name));
        const DeclaredData& data = data_[number];
        if (operation.codelet->modes[i] == STARPU_W)
          stage.writes.push_back(text_of(number));
        else if (!data.parts.empty())
          reads.insert(reads.end(), data.parts.begin(), data.parts.end());
        else if (!data.is_pixels())
          reads.push_back(number);
      }
    for (const std::size_t number : reads) {
      const std::string text = text_of(number);
      if (std::ranges::count(stage.writes, text) + std::ranges::count(stage.reads, text) == 0)
        stage.reads.push_back(text);
    }
  }
  return stages;
}

void DeclaredPipeline::add_operations(const std::vector<workflow::Stage>& stages) {
  std::size_t declared_operations = 0;
  for (const declare::Stage& stage : declared_.stages) {
    if (stage.operations.empty())
      refuse(fmt::format("stage '{}' has no operation: add one, or take it out", stage.name));
    declared_operations += stage.operations.size();
  }
  if (declared_operations > kMostOperations)
    refuse(fmt::format("it has {} operations, and {} are allowed: join some", declared_operations, kMostOperations));
  for (std::size_t stage = 0; stage < stages_.size(); ++stage)
    for (const declare::Operation& operation : stages_[stage].declared->operations)
      add_operation(operation, static_cast<int>(stage), stages[stage].writes);
}

/// Who reads what, and what follows from a failure.
void DeclaredPipeline::connect() {
  const auto read_by = [](DeclaredData& data, int stage) {
    data.last_reader = std::max(data.last_reader, stage);
    data.travels = data.travels || (!data.is_made_by_job() && data.writer != stage);
  };
  for (DeclaredOperation& operation : operations_) {
    operation.codelet.name = operation.name.c_str();  // it moves no more
    operation.if_it_fails = joined_after(operation.stage);
    for (const std::size_t number : operation.reads) {
      read_by(data_[number], operation.stage);
      for (const std::size_t part : data_[number].parts) read_by(data_[part], operation.stage);
    }
  }
}

/// For people: which stages wait for this one in vain if it fails and is a part; else nothing.
std::string DeclaredPipeline::joined_after(int stage) const {
  if (stages_[static_cast<std::size_t>(stage)].portion.is_whole()) return "";
  std::vector<std::string> joining;
  for (const int after : workflow_.after(stage))
    if (stages_[static_cast<std::size_t>(after)].portion.is_whole())
      joining.push_back(fmt::format("'{}'", workflow_.name(after)));
  if (joining.empty()) return "";
  return fmt::format("; so part '{}' never comes, which {} joins", workflow_.name(stage), fmt::join(joining, " and "));
}

void DeclaredPipeline::name_tasks() {
  for (const DeclaredOperation& operation : operations_) task_names_.push_back(operation.name);
  for (DeclaredData& data : data_) {
    data.first_task = task_names_.size();
    if (data.is_pixels()) task_names_.insert(task_names_.end(), {kReading, "cut"});
    task_names_.insert(task_names_.end(), data.parts.size(), "join");
  }
}

/// `written`: data that operations of its stage write.
void DeclaredPipeline::add_operation(const declare::Operation& declared, int stage,
                                     const std::vector<std::string>& written) {
  const std::string name = declared.codelet->name == nullptr
                               ? fmt::format("{}_{}", stages_[static_cast<std::size_t>(stage)].name, operations_.size())
                               : declared.codelet->name;
  if (const std::string flaw = flaw_of_codelet(*declared.codelet); !flaw.empty())
    refuse(fmt::format("operation '{}' {}", name, flaw));
  DeclaredOperation operation{name, declared.codelet, guarded_codelet(*declared.codelet), stage, {}, {}, {}};
  for (std::size_t i = 0; i < declared.data.size(); ++i) {
    const std::size_t number =
        number_of(declared.data[i], stages_[static_cast<std::size_t>(stage)].portion, "operation '" + name + "'");
    DeclaredData& data = data_[number];
    for (std::size_t other = 0; other < i; ++other)
      if (operation.buffers[other] == number &&
          (declared.codelet->modes[other] != STARPU_R || declared.codelet->modes[i] != STARPU_R))
        refuse(fmt::format("operation '{}' takes '{}' twice and writes it: take it once, or write other data", name,
                           data.data.name));
    operation.buffers.push_back(number);
    if (declared.codelet->modes[i] == STARPU_R) {
      operation.reads.push_back(number);
      // What other stages write is there before this one begins.
      if (!data.is_made_by_job() && data.writer < 0 && std::ranges::count(written, text_of(number)) > 0)
        refuse(fmt::format("operation '{}' reads '{}' before an operation of its stage writes it: change their order",
                           name, data.data.name));
    } else {
      operation.writes.push_back(number);
      if (data.writer >= 0 || !data.parts.empty())
        refuse(fmt::format("two operations write '{}': let one of them write other data", data.data.name));
      data.writer = stage;
    }
  }
  operations_.push_back(std::move(operation));
}

void DeclaredPipeline::check_result() {
  std::vector<int> last;
  for (int stage = 0; stage < static_cast<int>(workflow_.size()); ++stage)
    if (workflow_.after(stage).empty()) last.push_back(stage);
  if (last.size() > 1)
    refuse(fmt::format("stages '{}' and '{}' are both the last: a tile's row is written in one",
                       workflow_.name(last[0]), workflow_.name(last[1])));
  last_stage_ = last[0];
  const DeclaredData& result = data_[this->result()];
  if (result.data.element_bytes != sizeof(double) || result.data.elements != declared_.result.columns.size() ||
      declared_.result.columns.empty())
    refuse(fmt::format("the result '{}' must be a list of doubles, one a column", result.data.name));
  if (result.writer != last_stage_)
    refuse(fmt::format("the result '{}' is not written in the last stage, '{}'", result.data.name,
                       workflow_.name(last_stage_)));
}

void DeclaredPipeline::check_columns() const {
  std::vector<std::string> names(kTileColumns.begin(), kTileColumns.end());
  for (const std::string& column : declared_.result.columns) {
    if (column.empty()) refuse("a column of its result has no name: give it one");
    if (std::ranges::count(names, column) > 0)
      refuse(fmt::format("two columns of results.csv would be called '{}': give each a name of its own ({} are taken)",
                         column, fmt::join(kTileColumns, ", ")));
    names.push_back(column);
  }
}

std::string DeclaredPipeline::shape() const {
  std::string shape;
  for (const declare::Stage& stage : declared_.stages) {
    shape += fmt::format(" stage '{}' of {} x {} parts:", stage.name, stage.parts.columns, stage.parts.rows);
    for (const declare::Operation& operation : stage.operations)
      for (std::size_t i = 0; i < operation.data.size(); ++i)
        shape += fmt::format("{}{} '{}'", i == 0 ? " (" : ", ",
                             operation.codelet->modes[i] == STARPU_R ? "reads" : "writes", operation.data[i]) +
                 (i + 1 == operation.data.size() ? ")" : "");
  }
  for (const declare::Data& data : declared_.data)
    shape += fmt::format(" data '{}': {} x {} bytes", data.name, data.elements, data.element_bytes);
  return shape + fmt::format(" result '{}'", declared_.result.data);
}

void DeclaredPipeline::check_streams() const {
  if (std::ranges::none_of(data_, [](const DeclaredData& data) { return data.is_pixels() && data.last_reader >= 0; }))
    refuse(fmt::format("no operation reads '{}', so there is nothing to send between ranks: leave --streams out",
                       declare::kPixels));
}

std::vector<int> DeclaredPipeline::up_to(int stage) const {
  std::vector<int> needed{stage};
  for (std::size_t next = 0; next < needed.size(); ++next)
    for (const int before : workflow_.before(needed[next]))
      if (std::ranges::count(needed, before) == 0) needed.push_back(before);
  std::ranges::stable_sort(needed, {}, [&](int each) { return workflow_.depth(each); });
  return needed;
}

}  // namespace starpath
