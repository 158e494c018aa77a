// A pipeline from a module: checked, and as the run needs it.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "codelets/starpu/task_status.hpp"
#include "starpath/workflow.hpp"
#include "workflow/abstract_workflow.hpp"

namespace starpath {

/// Data of a tile, by number; number 0 are the pixels.
struct DeclaredData {
  declare::Data data;
  int writer = -1;       // stage; -1 for the pixels
  int last_reader = -1;  // stage; -1 when no operation reads it
  bool travels = false;  // a stage other than the writer reads it
};

struct DeclaredOperation {
  std::string name;
  starpu_codelet* declared;
  starpu_codelet codelet;  // runs `declared`, and keeps its exceptions from StarPU
  int stage;
  std::vector<std::size_t> reads, writes;  // numbers of data
  std::vector<std::size_t> buffers;        // the same in the codelet's order
};

/// cl_arg of a task, for as long as it lives.
struct DeclaredArguments {
  const DeclaredOperation* operation = nullptr;
  declare::Tile* tile = nullptr;
  TaskStatus* status = nullptr;
};

/// As many operations at most; one more task reads the pixels.
inline constexpr std::size_t kMostOperations = 16;

class DeclaredPipeline {
 public:
  /// Throws Error{usage} that names the operation or stage, when the pipeline makes no sense.
  explicit DeclaredPipeline(declare::Pipeline pipeline);
  DeclaredPipeline(const DeclaredPipeline&) = delete;  // operations are pointed to
  DeclaredPipeline& operator=(const DeclaredPipeline&) = delete;

  const declare::Pipeline& declared() const { return declared_; }
  const workflow::AbstractWorkflow& workflow() const { return workflow_; }
  const std::vector<DeclaredData>& data() const { return data_; }
  const std::vector<DeclaredOperation>& operations() const { return operations_; }
  /// Of the data that become a row.
  std::size_t result() const { return number_of(declared_.result.data, "the result"); }
  /// The one that no other follows.
  int last_stage() const { return last_stage_; }
  /// Throws Error{usage} when no operation reads the pixels: streams between ranks would have nothing to send.
  void check_streams() const;
  /// The stage and those that it needs, in an order in which data are written before they are read.
  std::vector<int> up_to(int stage) const;
  /// Stages, what their operations read and write, and the data, in one line: ranks that agree in it can exchange data.
  std::string shape() const;

 private:
  std::size_t number_of(const std::string& name, const std::string& user) const;
  void add_data();
  void add_operations(const std::vector<workflow::Stage>& stages);
  void add_operation(const declare::Operation& operation, int stage, const std::vector<std::string>& written);
  void check_names() const;
  void check_result();
  void check_columns() const;
  std::vector<workflow::Stage> stages_of_workflow() const;
  [[noreturn]] void refuse(const std::string& what) const;

  const declare::Pipeline declared_;
  std::vector<DeclaredData> data_;
  std::vector<DeclaredOperation> operations_;
  workflow::AbstractWorkflow workflow_;
  int last_stage_ = 0;
};

/// What a module declares; it stays loaded until the process ends. Throws Error{input} when the file is no such module,
/// is one for another version of the interface, or throws.
declare::Pipeline load_pipeline(const std::filesystem::path& module);

}  // namespace starpath
